// Writes packages/spec-types/src from spec/v1: TypeScript types, and the meta-schemas and the words of the rules as a module. Then, with `fettle types`,
// the handler types of the Git tools, docs/error-codes.md, and test/publicApi: the declarations that users program against.
//   node scripts/generate.mjs            writes
//   node scripts/generate.mjs --check    exits 1 when a written file is stale
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";
import { publicApi } from "./publicApi.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const names = ["tool", "config", "error", "diagnostic", "scenario"];
const banner = "// Generated from spec/v1 by scripts/generate.mjs. Don't edit: change the schema and run `npm run generate`.\n";
const format = (file, text) =>
  execFileSync(process.execPath, [join(root, "node_modules/@biomejs/biome/bin/biome"), "check", "--write", `--stdin-file-path=${file}`], {
    input: text,
    encoding: "utf8",
    cwd: root,
  });

const schemas = {};
let declarations = banner;
for (const name of names) {
  const schema = JSON.parse(readFileSync(join(root, `spec/v1/${name}.schema.json`), "utf8"));
  schemas[name] = schema;
  // $comment holds the rule id: for the linter, not for readers of the types.
  const bare = JSON.parse(JSON.stringify(schema), (key, value) => (key === "$comment" || key === "$id" ? undefined : value));
  declarations += `\n${await compile(bare, schema.title, { bannerComment: "", additionalProperties: true, format: false, unknownAny: true, ignoreMinAndMaxItems: true })}`;
}
// Each meta-schema defines ErrorType inline; the generator repeats nothing else.
const schemaModule = `${banner}
/** The meta-schemas of spec version 1, as in spec/v1. */
export const v1: { readonly [K in ${names.map((n) => JSON.stringify(n)).join(" | ")}]: Readonly<Record<string, unknown>> } = ${JSON.stringify(schemas, null, 2)};

/** The rules of spec version 1 by their ids, in the words of spec/v1/README.md. */
export const v1Rules: Readonly<Record<string, string>> = ${JSON.stringify(rules(), null, 2)};
`;

/** `- [T-NAME-1] text`, with lines below that are indented. */
function rules() {
  const prose = readFileSync(join(root, "spec/v1/README.md"), "utf8");
  const found = [...prose.matchAll(/^- \[([A-Z]-[A-Z]+-\d+)\] (.*(?:\n {2}\S.*)*)/gm)];
  return Object.fromEntries(found.map(([, id, text]) => [id, text.replace(/\n {2}/g, " ")]));
}

let stale = 0;
/** Writes each file, or counts those that are stale. */
const put = (files) => {
  for (const [file, text] of Object.entries(files)) {
    const formatted = file.endsWith(".ts") ? format(file, text) : text;
    const path = join(root, file);
    if (!process.argv.includes("--check")) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, formatted);
      continue;
    }
    let current = "";
    try {
      current = readFileSync(path, "utf8");
    } catch {}
    if (current !== formatted) {
      console.error(`${file} is stale: run npm run generate`);
      stale += 1;
    }
  }
};
put({ "packages/spec-types/src/index.ts": declarations, "packages/spec-types/src/schemas.ts": schemaModule });
put(publicApi(root));
const sourceNode = ["--conditions=source", "--import=tsx"];
put({ "docs/error-codes.md": execFileSync(process.execPath, [...sourceNode, join(root, "scripts/errorCodes.mjs")], { encoding: "utf8", cwd: root }) });
const types = spawnSync(process.execPath, [...sourceNode, "packages/fettle/src/cli.ts", "types", ...process.argv.slice(2).filter((arg) => arg === "--check")], {
  cwd: root,
  stdio: "inherit",
});
process.exit(stale || types.status !== 0 ? 1 : 0);
