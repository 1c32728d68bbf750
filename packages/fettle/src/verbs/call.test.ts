import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { ECHO, specText, type TempProject, tempProject, tool } from "../../test/tempProject.js";

const CONFIG = { "fettle.config.yaml": "tools: [.]\n" };

/** Tools that go wrong in each way that a handler can. */
const HANDLERS: Readonly<Record<string, string>> = {
  bigint: "export default () => ({ n: 10n });\n",
  cycle: "export default () => { const a = {}; a.self = a; return a; };\n",
  nothing: "export default () => undefined;\n",
  throws: 'export default () => { throw new Error("the password is swordfish"); };\n',
};

async function callJson(project: TempProject, ...args: string[]) {
  const { code, stdout, stderr } = await project.run(["call", ...args, "--json"]);
  return { code, stderr, ...JSON.parse(stdout) };
}

test("a call prints the data, and nothing else, on stdout", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", `console.log("noise");\n${ECHO}`) });
  const { code, stdout } = await project.run(["call", "echo", '{"text": "hällo"}']);
  assert.equal(code, 0);
  assert.equal(stdout, '{\n  "text": "hällo"\n}\n');
});

test("without a config a call is validated: that plugin is on", async (t) => {
  const project = await tempProject(t, tool("echo", ECHO));
  const filled = await callJson(project, "echo", '{"text": "a"}');
  assert.deepEqual(filled.data, { text: "a", times: 1 });
  const { code, stdout, stderr } = await project.run(["call", "echo", '{"txt": "a"}']);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /^echo was not run: /);
  assert.match(stderr, /unknown argument txt\. Did you mean text\?/);
});

test("the message that a model gets is followed by the arguments with each problem marked", async (t) => {
  const parameters = `parameters:
  type: object
  additionalProperties: false
  required: [when]
  properties:
    when: { type: string, format: date, description: When. }
    items: { type: array, description: What., items: { type: object, required: [sku], properties: { sku: { type: string }, n: { type: integer } } } }
`;
  const spec = specText("order").replace(/^parameters:[\s\S]*?(?=^prerequisites)/m, parameters);
  const project = await tempProject(t, { "order.tool.yaml": spec, "order.handler.mjs": ECHO });
  const told = async (args: string): Promise<string[]> => (await project.run(["call", "order", "-"], { input: args })).stderr.split("\n");
  assert.deepEqual((await told('{"when": "soon", "itms": []}')).slice(-5), [
    "Send the call again with these mended.",
    '    1 | {"when": "soon", "itms": []}',
    "      |          ^^^^^^  ^^^^^^",
    "input_error validation/invalid-arguments",
    "",
  ]);
  assert.deepEqual((await told('{\n  "items": [{"sku": "a", "n": 1.5}, {"n": 1}]\n}')).slice(-6, -2), [
    "    1 | {",
    "      | ^",
    '    2 |   "items": [{"sku": "a", "n": 1.5}, {"n": 1}]',
    "      |                               ^^^   ^",
  ]);
  const long = (await told(`{"when": "${"x".repeat(100)}", "itms": []}`)).filter((line) => /^ +\d* \|/.test(line));
  assert.deepEqual([long.length, long.filter((line) => line.includes("^")).length], [4, 2], long.join("\n"));
  assert.ok(
    long.every((line) => line.length <= 120),
    long.join("\n"),
  );
});

test("arguments in which nothing can be marked are told of without marks", async (t) => {
  const project = await tempProject(t, tool("echo", ECHO));
  const deep = `{"text": 1, "more": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  for (const input of [deep, '{"txt":\r 1}']) {
    const { code, stderr } = await project.run(["call", "echo", "-"], { input });
    assert.equal(code, 1);
    assert.ok(!/Maximum call stack|\n {4}at /.test(stderr), stderr.slice(0, 500));
    assert.ok(stderr.includes("input_error validation/"), stderr.slice(0, 500));
  }
});

test("arguments come from stdin when they are -", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO) });
  assert.deepEqual(JSON.parse((await project.run(["call", "echo", "-"], { input: '{"text": "from stdin"}' })).stdout), { text: "from stdin" });
  const large = await project.run(["call", "echo", "-"], { input: Buffer.alloc(3 * 1024 * 1024, 32) });
  assert.equal(large.code, 2);
  assert.match(large.stderr, /^error: The arguments on stdin are longer than 1,048,576 bytes\./);
});

test("arguments that are no JSON are refused with the place marked", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO) });
  const { code, stdout, stderr } = await project.run(["call", "echo", '{"text": "a",}']);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.equal(
    stderr,
    `error: The arguments are not valid JSON: line 1, column 14.
    1 | {"text": "a",}
      |              ^ Unexpected "}". Nothing may stand between the last comma and the bracket.
`,
  );
});

test("a byte order mark before the arguments is dropped, also where a problem is marked", async (t) => {
  const config = 'tools: [.]\nplugins: [{ use: "@fettle/plugin-validation" }]\n';
  const project = await tempProject(t, { "fettle.config.yaml": config, ...tool("echo", ECHO) });
  const { code, stdout } = await project.run(["call", "echo", '\u{FEFF}{"text": "a"}']);
  assert.deepEqual([code, JSON.parse(stdout)], [0, { text: "a", times: 1 }]);
  const wrong = await project.run(["call", "echo", '\u{FEFF}{"text": 5, "times": 9}']);
  assert.match(wrong.stderr, /^ {4}1 \| \{"text": 5, "times": 9\}\n {6}\| {10}\^ {11}\^\n/m);
});

test("what is wrong with a result isn't marked in the arguments", async (t) => {
  const config = 'tools: [.]\nplugins: [{ use: "@fettle/plugin-validation" }]\n';
  const output = "output: { type: object, additionalProperties: false, properties: { text: { type: integer } } }\n";
  const project = await tempProject(t, { "fettle.config.yaml": config, ...tool("echo", ECHO, output) });
  const { code, stderr } = await project.run(["call", "echo", '{"text": "a"}']);
  assert.equal(code, 1);
  assert.match(stderr, /validation\/invalid-output/);
  assert.doesNotMatch(stderr, / {4}1 \| /);
});

test("a name that stands twice in one object is refused with the place marked, at any depth", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO) });
  const { code, stdout, stderr } = await project.run(["call", "echo", '{"text": "a", "text": "b"}']);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.equal(
    stderr,
    `error: The arguments have a name twice in one object.
    1 | {"text": "a", "text": "b"}
      |               ^^^^^^ "text" stands here a second time. Keep one of the two: the other would be lost.
`,
  );
});

test("a tool that is left out because of an error is told of with the error, not as one that doesn't exist", async (t) => {
  const project = await tempProject(t, {
    ...CONFIG,
    ...tool("echo", ECHO),
    ...tool("throws", 'throw new Error("at import");\n'),
    "other_file.tool.yaml": specText("renamed", "catgory: x\n"),
    "empty.tool.yaml": "",
    "echo@2.tool.yaml": specText("echo").replace("1.0.0", "2.0.0"),
  });
  const told = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await project.run(["call", ...args]);
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(
    await told("throws"),
    /^error: throws is left out, because its spec has an error:\nthrows\.tool\.yaml:2:7 spec\/handler-failed The handler throws\.handler\.mjs can't be loaded: at import\. Run .*\nRun fettle check to see it all\.\n$/,
  );
  assert.match(await told("renamed"), /renamed is left out[^\n]*\nother_file\.tool\.yaml:21:1 spec\/unknown-key /);
  assert.match(await told("empty"), /empty is left out[^\n]*\nempty\.tool\.yaml:1:1 spec\/empty-file /);
  assert.match(
    await told("echo", '{"text":"a"}', "--tool-version", "2.0.0"),
    /not served in version 2\.0\.0\.\nVersions: 1\.0\.0\necho@2\.tool\.yaml:\S+ spec\/handler-missing /,
  );
});

test("a tool that isn't there is wrong use, and the nearest name is told", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO), "broken.tool.yaml": "" });
  const { code, stderr } = await project.run(["call", "exho", "{}"]);
  assert.equal(code, 2);
  assert.equal(
    stderr,
    `error: There is no tool called exho. Did you mean echo?
Tools: echo
Left out because of errors: broken.tool.yaml. Run fettle check to see them.
`,
  );
  const json = await callJson(project, "exho");
  assert.deepEqual([json.code, json.ok, json.error.error_code], [2, false, "kernel/unknown-tool"]);
});

test("a version that isn't there is wrong use, and those that are there are told", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO) });
  const { code, stderr } = await project.run(["call", "echo", '{"text":"a"}', "--tool-version", "9.0.0"]);
  assert.equal(code, 2);
  assert.equal(stderr, "error: echo is not served in version 9.0.0.\nVersions: 1.0.0\n");
  assert.equal((await callJson(project, "echo", '{"text":"a"}', "--tool-version", "1.0.0")).tool.version, "1.0.0");
});

test("JSON holds the outcome: ok, data, content, error and notes", async (t) => {
  const handler = `import { result, resourceError } from "fettle";
export default ({ text }, ctx) => {
  if (text === "gone") throw resourceError("echo/gone", { what: "It is gone.", fix: ["Look elsewhere.", "Ask again."], details: { key: ctx.idempotencyKey ?? null } });
  return result({ data: { text }, content: [{ type: "text", text: "said" }] });
};
`;
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", handler) });
  const ok = await callJson(project, "echo", '{"text":"a"}');
  assert.equal(ok.code, 0);
  assert.deepEqual([ok.ok, ok.data, ok.content, ok.error, ok.notes], [true, { text: "a" }, [{ type: "text", text: "said" }], null, {}]);

  const failed = await callJson(project, "echo", '{"text":"gone"}', "--key", "k-1");
  assert.equal(failed.code, 1);
  assert.deepEqual([failed.ok, failed.data, failed.content], [false, null, []]);
  assert.equal(failed.error.error_code, "echo/gone");
  assert.deepEqual(failed.error.details, { key: "k-1" });
});

test("an error is told in the words that a model reads", async (t) => {
  const handler = `import { resourceError } from "fettle";
export default () => { throw resourceError("echo/gone", { what: "It is gone.", why: "somebody took it", fix: ["Look elsewhere.", "Ask again."] }); };
`;
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", handler) });
  const { code, stdout, stderr } = await project.run(["call", "echo", '{"text":"a"}'], { env: { FORCE_COLOR: "1" } });
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.notEqual(stripVTControlCharacters(stderr), stderr);
  assert.equal(
    stripVTControlCharacters(stderr),
    `It is gone.
Why: somebody took it
What to do:
1. Look elsewhere.
2. Ask again.
Retrying the same call won't help.
resource_error echo/gone
`,
  );
});

test("content is shown as far as a terminal can, and can't steer it", async (t) => {
  const handler = `import { result } from "fettle";
export default ({ text }) => {
  if (text === "words") return "line\\u001b[2J";
  if (text === "none") return result({ content: [] });
  const content = [
    { type: "text", text: "hello" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "resource_link", name: "log", uri: "file:///log" },
    { type: "resource", resource: { uri: "x://1", text: "inside" } },
    { type: "resource", resource: { uri: "x://2", blob: "AAAA" } },
  ];
  return text === "both" ? result({ data: { n: 1 }, content }) : result({ content });
};
`;
  const project = await tempProject(t, { ...CONFIG, ...tool("show", handler) });
  const shown = "hello\n[image image/png, 3 bytes]\n[log file:///log]\ninside\n[x://2]\n";
  const run = (text: string) => project.run(["call", "show", JSON.stringify({ text })]);
  assert.deepEqual(await run("content"), { code: 0, stdout: shown, stderr: "" });
  assert.deepEqual(await run("both"), { code: 0, stdout: '{\n  "n": 1\n}\n', stderr: shown });
  assert.deepEqual(await run("words"), { code: 0, stdout: "line␛[2J\n", stderr: "" });
  assert.equal((await run("none")).code, 0);
});

test("a question to the user is shown, and is no success", async (t) => {
  const handler = `import { needInput } from "fettle";
export default () => needInput({ requests: { sure: { method: "elicitation/create", params: { message: "Sure?", requestedSchema: { type: "object", properties: {} } } } }, state: "s" });
`;
  const project = await tempProject(t, { ...CONFIG, ...tool("ask", handler) });
  const { code, stderr } = await project.run(["call", "ask", '{"text":"a"}']);
  assert.equal(code, 1);
  assert.match(stderr, /^The tool asks for more before it goes on:\n[\s\S]*"Sure\?"/);
  const json = await callJson(project, "ask", '{"text":"a"}');
  assert.equal(json.ok, false);
  assert.equal(json.input_required.requests.sure.method, "elicitation/create");
});

test("what a handler does wrong is a clear error, and what it threw is not sent out", async (t) => {
  const files = Object.entries(HANDLERS).map(([name, handler]) => tool(name, handler));
  const project = await tempProject(t, Object.assign({}, CONFIG, ...files));
  const codes: Record<string, string> = {};
  for (const name of Object.keys(HANDLERS)) {
    const { code, stderr, error } = await callJson(project, name, '{"text":"a"}');
    assert.equal(code, 1);
    codes[name] = error.error_code;
    if (name === "throws") {
      assert.doesNotMatch(JSON.stringify(error), /swordfish/);
      assert.match(stderr, /swordfish/, "the log has it");
    }
  }
  assert.deepEqual(codes, { bigint: "kernel/bad-result", cycle: "kernel/bad-result", nothing: "kernel/no-result", throws: "kernel/handler-threw" });
});

test("what a handler throws or rejects when nobody can catch it any more is logged, and the answer comes out all the same", async (t) => {
  const stray = `export default async (args) => {
  Promise.reject(new Error("stray rejection"));
  await new Promise((resolve) => setTimeout(resolve, 20, setTimeout(() => { throw new Error("stray throw"); }, 0)));
  return args;
};
`;
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", stray) });
  const { code, stdout, stderr } = await project.run(["call", "echo", '{"text":"a"}']);
  assert.deepEqual([code, JSON.parse(stdout)], [0, { text: "a" }]);
  const logged = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).msg);
  assert.deepEqual(logged, ["a rejected promise was caught by nobody: stray rejection", "an error was caught by nobody: stray throw"]);
});

test("a handler that ends the process makes no call look fine: the place is told, with exit code 1", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("quits", "export default () => {\n  process.exit(0);\n};\n") });
  const { code, stdout, stderr } = await project.run(["call", "quits", '{"text":"a"}']);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(
    stderr,
    /^error: The process was ended before fettle call was done: process\.exit\(0\) was called at quits\.handler\.mjs:2:11\.\nHandlers and plugins return or throw/,
  );
});

test("a handler that never returns is given up at its deadline", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("hangs", "export default () => new Promise(() => {});\n", "timeout_ms: 300\n") });
  const { code, error } = await callJson(project, "hangs", '{"text":"a"}');
  assert.deepEqual([code, error.error_code], [1, "kernel/deadline-exceeded"]);
});

test("a handler that leaves timers behind doesn't keep the CLI from ending", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("busy", "setInterval(() => {}, 1000);\nexport default (args) => args;\n") });
  assert.equal((await project.run(["call", "busy", '{"text":"a"}'])).code, 0);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`${signal} cancels the call, so that what the tool started ends too`, async (t) => {
    const handler = `export default (_, ctx) => new Promise((resolve) => {
  console.error("running");
  ctx.signal.addEventListener("abort", () => { console.error("aborted"); resolve({}); });
});
`;
    const project = await tempProject(t, { ...CONFIG, ...tool("waits", handler) });
    const started = project.start(["call", "waits", '{"text":"a"}', "--json"]);
    await started.seen(/running/);
    started.child.kill(signal);
    const { code, stdout, stderr } = await started.ended;
    assert.equal(code, 1);
    assert.match(stderr, /aborted/);
    assert.equal(JSON.parse(stdout).error.error_code, "kernel/cancelled");
  });
}

test("a plugin that throws when it is asked who calls is named, and the call is refused", async (t) => {
  const plugin =
    'export default { name: "p", options: {}, create: () => ({ name: "p", position: "observe", setup: () => ({ identify() { throw new Error("secret"); } }) }) };\n';
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\nplugins: [{ use: ./p.mjs }]\n", "p.mjs": plugin, ...tool("echo", ECHO) });
  const { code, error } = await callJson(project, "echo", '{"text":"a"}');
  assert.deepEqual([code, error.error_code, error.details.plugin], [1, "kernel/identify-failed", "p"]);
});

test("TypeScript handlers run without a build", async (t) => {
  const project = await tempProject(t, {
    ...CONFIG,
    "typed.tool.yaml": specText("typed"),
    "typed.handler.ts": `import type { Handler } from "fettle";\nexport default (async ({ text }: { text: string }) => ({ length: text.length })) satisfies Handler<{ text: string }>;\n`,
  });
  assert.deepEqual((await callJson(project, "typed", '{"text":"abc"}')).data, { length: 3 });
});

test("a config that can't be loaded is shown on stderr, with exit code 2", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "strikt: true\n", ...tool("echo", ECHO) });
  const { code, stdout, stderr } = await project.run(["call", "echo", "{}", "--json"]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^error {2}config\/unknown-key {2}fettle\.config\.yaml:1:1\n[\s\S]*\nNothing was called\.\n$/);
});
