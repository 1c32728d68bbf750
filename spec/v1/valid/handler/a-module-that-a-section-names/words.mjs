export const isWord = (value) => /^\w+$/.test(value) || "is no word";
