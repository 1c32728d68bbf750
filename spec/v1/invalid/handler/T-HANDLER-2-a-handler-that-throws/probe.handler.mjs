throw new Error("the list of words is missing");
