export default ({ region }: { region?: string }) => (region === undefined ? "No region was given." : `The region is ${region}.`);
