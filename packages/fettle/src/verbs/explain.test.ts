import assert from "node:assert/strict";
import { test } from "node:test";
import { ECHO, specText, tempProject, tool } from "../../test/tempProject.js";

const RINGS = `const ring = (name, position) => ({ name, options: {}, create: () => ({ name, position, setup: () => ({ layer: () => (call, next) => next() }) }) });
`;

test("explain shows the version, the files, the time limit and the rings from the outermost to the innermost", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [tools]\nplugins: [{ use: ./limit.mjs }, { use: ./watch.mjs }]\n",
    "limit.mjs": `${RINGS}export default ring("limit", "protect");\n`,
    "watch.mjs": `${RINGS}export default ring("watch", "observe");\n`,
    "tools/echo.tool.yaml": specText("echo", "timeout_ms: 1500\n").replace("1.0.0", "2.1.0"),
    "tools/echo.handler.mjs": ECHO,
    "tools/echo@1.tool.yaml": specText("echo"),
    "tools/echo@1.handler.mjs": ECHO,
  });
  const { code, stdout, stderr } = await project.run(["explain", "echo"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(
    stdout,
    `echo 2.1.0  (the highest stable one of 2.1.0, 1.0.0)
spec     tools/echo.tool.yaml
handler  tools/echo.handler.mjs
timeout  1,500 ms
A call goes through, from the outermost to the innermost:
   1. observe  watch
   2. protect  limit
   3. handler
`,
  );

  const json = JSON.parse((await project.run(["explain", "echo", "--tool-version", "1.0.0", "--json"])).stdout);
  assert.deepEqual(json, {
    tool: { name: "echo", version: "1.0.0" },
    file: "tools/echo@1.tool.yaml",
    handler: "tools/echo@1.handler.mjs",
    timeout_ms: 60_000,
    rings: [
      { position: "observe", plugin: "watch" },
      { position: "protect", plugin: "limit" },
    ],
    resolution: { asked: "1.0.0", version: "1.0.0", versions: ["2.1.0", "1.0.0"] },
  });
});

test("explain without plugins says so", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("echo", ECHO) });
  const { stdout } = await project.run(["explain", "echo"]);
  assert.match(stdout, /^echo 1\.0\.0 {2}\(the only version\)\n[\s\S]*No plugin stands around the handler\.\n$/);
});

test("a tool that isn't there is wrong use", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("echo", ECHO) });
  const { code, stdout, stderr } = await project.run(["explain", "exho"]);
  assert.deepEqual([code, stdout, stderr], [2, "", "error: There is no tool called exho. Did you mean echo?\nTools: echo\n"]);
});
