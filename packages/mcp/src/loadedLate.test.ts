import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

test("Node's HTTP client isn't loaded with the package: a server on stdio needs none", async () => {
  // Node loads it for the first look at one of these.
  const program = `
    const seen = [];
    for (const name of ["Response", "Request", "Headers", "fetch"])
      Object.defineProperty(globalThis, name, { configurable: true, get: () => void seen.push(name) });
    await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
    process.stdout.write(JSON.stringify(seen));`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
  assert.deepEqual(JSON.parse(stdout), []);
});
