import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { besideSchema, besides, ORDER, orderSchema } from "./tools.mjs";

const spec = (name, description, parameters) => ({
  spec_version: 1,
  name,
  version: "1.0.0",
  description_short: description.slice(0, 100),
  description_detailed: description,
  when_to_use: "When the user names the entry and says what shall become of it.",
  when_not_to_use: "To look at entries without changing them; there is no tool for that here.",
  parameters,
  prerequisites: [],
  related_tools: [],
  common_workflows: [],
  examples: [],
  common_errors: [],
  performance: { typical_latency_ms: 5, max_latency_ms: 50, token_cost_estimate: 200, is_idempotent: false, is_reversible: true },
  category: "bench",
  tags: [],
});

/**
 * Writes a Fettle project with `count` tools into a folder of its own: a spec and a handler file each, as authors write them, and the validation plugin.
 *
 * @param {number} count
 * @returns {{ folder: string, config: string, remove(): void }}
 */
export function writeProject(count) {
  const folder = mkdtempSync(join(tmpdir(), "fettle-bench-"));
  const tools = join(folder, "tools");
  mkdirSync(tools);
  const write = (name, description, parameters, handler) => {
    writeFileSync(join(tools, `${name}.tool.yaml`), stringify(spec(name, description, parameters)));
    writeFileSync(join(tools, `${name}.handler.mjs`), handler);
  };
  const work = new URL("./tools.mjs", import.meta.url).href;
  write(
    ORDER,
    "Create an order of a customer from its lines and return its number, status and total.",
    orderSchema,
    `export { order as default } from "${work}";\n`,
  );
  for (const { name, noun, description } of besides(count - 1))
    write(name, description, besideSchema(noun), "export default ({ id, name }) => ({ id, name, stored: true });\n");
  const config = join(folder, "fettle.config.yaml");
  writeFileSync(config, stringify({ server: { name: "bench", version: "1.0.0" }, tools: ["tools"], plugins: [{ use: "@fettle/plugin-validation" }] }));
  return { folder, config, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
