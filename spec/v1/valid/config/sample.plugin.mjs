// A plugin with one option, for the config files of this folder.
const sample = {
  name: "sample",
  options: { type: "object", additionalProperties: false, properties: { per_minute: { type: "integer", minimum: 1, default: 60 } } },
  create: () => ({ name: "sample", position: "protect" }),
};
export default sample;
