throw new Error("There is no list of words.");
