import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testSpec } from "@fettle/testkit";
import { stringify } from "yaml";
import { CLI, serveHttp } from "./runCli.js";
import { type Reachable, sdkClients } from "./sdkClients.js";

// What a model gets of validators, through real clients of both SDKs and over both transports.

const parameters = {
  type: "object",
  additionalProperties: false,
  required: ["items"],
  properties: {
    note: { type: "string" },
    items: { type: "array", items: { type: "object", required: ["iban"], properties: { iban: { type: "string" }, amount: { type: "number", minimum: 0 } } } },
  },
};
const FILES: Readonly<Record<string, string>> = {
  "fettle.config.yaml": stringify({
    server: { name: "bank", version: "1.0.0" },
    plugins: [{ use: "@fettle/plugin-recovery" }, { use: "@fettle/plugin-validation", with: { validators: { quiet: "./quiet.mjs" }, field_timeout_ms: 100 } }],
  }),
  "pay.tool.yaml": stringify(testSpec("pay", { parameters, validation: { fields: { "items[].iban": "./check_iban.ts", note: "quiet" } } })),
  "pay.handler.mjs": "export default ({ items }) => ({ paid: items.length });\n",
  "check_iban.ts": `import type { Validator } from "fettle";
const digits = (iban: string): string => [...iban.slice(4), ...iban.slice(0, 4)].map((each) => Number.parseInt(each, 36)).join("");
const checkIban: Validator<string> = async (iban) =>
  BigInt(digits(iban)) % 97n === 1n || { message: "the check digits are wrong", fix: "Ask the user for the IBAN again" };
export default checkIban;
`,
  "quiet.mjs": "export default (note) => (note === 'hang' ? new Promise(() => {}) : note === 'nonsense' ? 42 : undefined);\n",
};

let reachable: Reachable = { stdio: { command: "", args: [], env: {}, cwd: "/" }, url: "" };

for (const [name, connect] of Object.entries(sdkClients(() => reachable))) {
  test(`validators answer ${name}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "fettle-validators-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    for (const [file, text] of Object.entries(FILES)) await writeFile(join(folder, file), text);
    const config = join(folder, "fettle.config.yaml");
    const http = name.includes("HTTP") ? await serveHttp({}, ["--config", config]) : undefined;
    t.after(() => http?.stop());
    reachable = { stdio: { command: process.execPath, args: [CLI, "serve", "--stdio", "--config", config], env: {}, cwd: "/" }, url: http?.url ?? "" };
    const client = await connect({});
    t.after(() => client.close());

    const good = { iban: "DE89370400440532013000" };
    const paid = await client.call("pay", { items: [good, { iban: "GB82WEST12345698765432" }] });
    assert.deepEqual(paid.structuredContent, { paid: 2 });

    const refused = await client.call("pay", { items: [good, { iban: "DE89370400440532013001", amount: -1 }] });
    assert.equal(refused.isError, true);
    assert.equal(
      refused.content[0]?.text,
      [
        "pay was not run: 2 problems with its arguments.",
        "- items[1].amount must be at least 0, got -1",
        "- items[1].iban: the check digits are wrong. Ask the user for the IBAN again",
        "Send the call again with these mended.",
      ].join("\n"),
    );

    // BigInt throws over what is no digit.
    for (const args of [{ items: [{ iban: "DE-" }] }, { items: [good], note: "hang" }, { items: [good], note: "nonsense" }]) {
      const failed = await client.call("pay", args);
      assert.equal(failed.isError, true);
      const error = failed._meta?.["dev.fettle/error"] as { readonly error_code: string; readonly error_type: string };
      assert.deepEqual([error.error_code, error.error_type], ["validation/validator-failed", "internal_error"]);
      assert.match(failed.content[0]?.text ?? "", /^pay was not run: the validator (\.\/check_iban\.ts|quiet), which checks (items\[0\]\.iban|note), failed/);
      assert.doesNotMatch(JSON.stringify(failed), /BigInt|SyntaxError/);
    }
    if (http) assert.equal([...http.stderr().matchAll(/the validator \S+ of \S+ in pay/g)].length, 3, http.stderr());
  });
}
