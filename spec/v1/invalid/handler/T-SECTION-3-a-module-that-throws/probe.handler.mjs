export default ({ word }) => ({ meanings: [word] });
