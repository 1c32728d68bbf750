export const lookUp = ({ word }) => ({ meanings: [word] });
