export const isWord = () => undefined;
