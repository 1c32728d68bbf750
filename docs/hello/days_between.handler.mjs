export default ({ from, to }) => ({ days: (Date.parse(to) - Date.parse(from)) / 86_400_000 });
