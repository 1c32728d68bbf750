export default { meanings: [] };
