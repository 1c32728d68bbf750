import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, readlink, realpath, stat, symlink } from "node:fs/promises";
import { join, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { tempProject } from "../../test/tempProject.js";

const packageFolder = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const FILES = [
  ".gitignore",
  ".vscode/extensions.json",
  "README.md",
  "fettle.config.yaml",
  "package.json",
  "test/examples.test.mjs",
  "tools/convert_unit.handler.mjs",
  "tools/convert_unit.tool.yaml",
  "tools/convert_unit.types.ts",
];

const all = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

test("init makes a project in a new folder, and tells what and where on stderr", async (t) => {
  const project = await tempProject(t);
  const { code, stdout, stderr } = await project.run(["init", "My Tools"]);
  assert.equal(code, 0, stderr);
  const folder = join(await realpath(project.folder), "My Tools");
  assert.match(stderr, new RegExp(`^Made my-tools in ${folder}\\n`));
  for (const file of FILES) assert.ok((await stat(join(folder, file))).isFile(), file);
  assert.ok(stderr.includes("\n  cd 'My Tools'\n"), stderr);
  assert.ok(stdout.includes('"mcpServers"') && !stdout.includes("\u001b"), "entries for hosts, without colours when piped");
  assert.equal((await readFile(join(folder, ".gitignore"), "utf8")).trim(), "node_modules/\n.fettle/");
});

test("a check of the new project finds nothing, and its tool can be called", async (t) => {
  const project = await tempProject(t);
  await project.run(["init", "."]);
  const { code, stdout } = await project.run(["check", "--json"]);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout).diagnostics, []);
  assert.equal((await project.run(["types", "--check"])).code, 0);
  const called = await project.run(["call", "convert_unit", '{"value": 5, "from": "km", "to": "mi"}']);
  assert.deepEqual(JSON.parse(called.stdout), { value: 3.106855961, unit: "mi" });
  const cold = await project.run(["call", "convert_unit", '{"value": -300, "from": "C", "to": "K"}']);
  assert.match(cold.stderr, /^-300 C is below absolute zero, which is -273.15 C\.\n/);
});

test("a new project has the plugins that this repository serves its own tools with", async () => {
  const plugins = async (path: string): Promise<unknown> => parse(await readFile(join(packageFolder, path), "utf8")).plugins;
  assert.deepEqual(await plugins("templates/project/fettle.config.yaml"), await plugins("../../fettle.config.yaml"));
});

test("a clone of the repository links itself into the project, so that nothing is downloaded", async (t) => {
  const project = await tempProject(t);
  const { stderr } = await project.run(["init"]);
  assert.equal(await readlink(project.path("node_modules/fettle")), packageFolder);
  assert.ok(stderr.includes(`node_modules/fettle is a link to ${packageFolder}`), stderr);
  assert.doesNotMatch(stderr, /npm install/);
});

test("--json tells programs what was made", async (t) => {
  const project = await tempProject(t, { "README.md": "mine\n" });
  const { code, stdout, stderr } = await project.run(["init", "--name", "@acme/orders", "--json"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const made = JSON.parse(stdout);
  assert.deepEqual(
    { name: made.name, files: made.files, kept: made.kept, linked: made.linked },
    { name: "@acme/orders", files: FILES.filter((file) => file !== "README.md"), kept: ["README.md"], linked: packageFolder },
  );
  assert.deepEqual(
    made.hosts.map(({ host }: { host: string }) => host),
    ["Claude Desktop", "Claude Code", "Cursor", "VS Code", "Codex"],
  );
  assert.equal(await readFile(project.path("README.md"), "utf8"), "mine\n");
  assert.equal(JSON.parse(await readFile(project.path("package.json"), "utf8")).name, "@acme/orders");
});

test("what version control, editors and code hosts put into a folder may be there, and stays as it is", async (t) => {
  const project = await tempProject(t, {
    ".git/HEAD": "ref: refs/heads/main\n",
    LICENSE: "MIT",
    "readme.rst": "",
    ".gitignore": "dist/\n",
    ".vscode/settings.json": "{}",
  });
  const { code, stderr } = await project.run(["init"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Left as it was: \.gitignore\nSee that \.gitignore has node_modules\/ and \.fettle\/\./);
  assert.equal(await readFile(project.path(".gitignore"), "utf8"), "dist/\n");
  assert.ok((await all(project.path(".vscode"))).includes("extensions.json"));
});

test("a folder that holds anything else is refused, with what is in the way, and nothing is made", async (t) => {
  const files = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [`${name}.txt`, ""]));
  const project = await tempProject(t, files);
  const before = await all(project.folder);
  const { code, stdout, stderr } = await project.run(["init"]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^error: This folder isn't empty\. In the way: a\.txt, b\.txt, c\.txt, d\.txt, e\.txt and 2 more\n/);
  assert.deepEqual(await all(project.folder), before);

  await project.run(["init", "twice"]);
  const again = await project.run(["init", "twice"]);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /^error: twice isn't empty\. In the way: fettle\.config\.yaml, node_modules, package\.json, test, tools\n/);
});

test("a path that is a file, or leads through one, is refused", async (t) => {
  const project = await tempProject(t, { file: "text" });
  for (const path of ["file", "file/below"]) {
    const { code, stderr } = await project.run(["init", path]);
    assert.deepEqual([code, stderr], [2, `error: ${path} is a file, or below one.\nName a folder: fettle init my-tools\n`]);
  }
});

test("when a file can't be written, what was written before is taken away again", async (t) => {
  // A file where a folder is needed stops the second file of the project, whoever the user is.
  const project = await tempProject(t, { ".vscode": "no folder" });
  const { code, stderr } = await project.run(["init"]);
  assert.equal(code, 2);
  assert.match(stderr, /^error: .*\.vscode can't be written: there is something of that name already\.$/m);
  assert.match(stderr, /\nNothing was made\.\n$/);
  assert.deepEqual(await all(project.folder), [".vscode"]);
});

test("a folder that this user may not write is refused", { skip: process.getuid?.() === 0 && "root may write everywhere" }, async (t) => {
  const project = await tempProject(t);
  await mkdir(project.path("closed"), { mode: 0o500 });
  t.after(() => chmod(project.path("closed"), 0o700));
  for (const path of ["closed", "closed/new"]) {
    const { code, stderr } = await project.run(["init", path]);
    assert.equal(code, 2);
    assert.match(stderr, /this user may not write there\./);
  }
  assert.deepEqual(await all(project.path("closed")), []);
});

test("a folder whose name makes no package name needs one that is said, and the hint keeps the folder", async (t) => {
  const project = await tempProject(t);
  const none = await project.run(["init", "日本"]);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /^error: No package name can be made of 日本\.\n.*: fettle init --name my-tools 日本\n$/);
  for (const name of ["Upper", "two words", ".dot"]) {
    const { code, stderr } = await project.run(["init", "my folder", "--name", name]);
    assert.deepEqual([code, stderr.split("\n")[0]], [2, `error: ${name} is no package name.`], name);
    assert.match(stderr, /: fettle init --name my-tools 'my folder'\n$/);
  }
  assert.match((await project.run(["init", "--name", ""])).stderr, /^error: "" is no package name\.\n.*: fettle init --name my-tools\n$/);
  assert.match((await project.run(["init", "--name", "fettle"])).stderr, /^error: The name fettle is taken: /);
  assert.match((await project.run(["init", "node_modules"])).stderr, /^error: The name node_modules is reserved: .*\n.* node_modules\n$/);
  assert.deepEqual(await all(project.folder), []);
  assert.equal((await project.run(["init", "日本", "--name", "japan"])).code, 0);
});

test("accents are taken off for the package's name", async (t) => {
  const project = await tempProject(t);
  await project.run(["init", "Ünïcode Café"]);
  assert.equal(JSON.parse(await readFile(project.path("Ünïcode Café/package.json"), "utf8")).name, "unicode-cafe");
});

test("what is no folder's name, a link that leads nowhere, and what can't be read are refused in words", async (t) => {
  const project = await tempProject(t);
  await symlink("nowhere", project.path("dangling"));
  await symlink("loop", project.path("loop"));
  const cases: Readonly<Record<string, RegExp>> = {
    "": /^error: The name of the folder is empty\.\n/,
    dangling: /^error: dangling is a link that leads nowhere\.\n/,
    "dangling/below": /^error: .*: a part of the path is a file, or a link that leads nowhere\.\nNothing was made\.\n$/,
    loop: /^error: loop can't be read: it is a link that leads back to itself\.\n/,
    ["n".repeat(300)]: /^error: n+ can't be read: the name is too long\.\n/,
    ...(sep === "/" && { "a\\b": /^error: .*a\\b has a backslash in it, and Node imports no module from such a folder\.\n/ }),
  };
  for (const [dir, says] of Object.entries(cases)) {
    const { code, stderr } = await project.run(["init", dir]);
    assert.equal(code, 2, dir);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /E[A-Z]{4,}/);
  }
  assert.deepEqual(await all(project.folder), ["dangling", "loop"]);
});

test("a folder that this user may not read is refused", { skip: process.getuid?.() === 0 && "root may read everywhere" }, async (t) => {
  const project = await tempProject(t);
  await mkdir(project.path("closed"), { mode: 0o300 });
  t.after(() => chmod(project.path("closed"), 0o700));
  const { code, stderr } = await project.run(["init", "closed"]);
  assert.equal(code, 2);
  assert.match(stderr, /^error: closed can't be read: this user may not read it\.\n/);
});

test("a folder called fettle gives a package of another name, since none can depend on itself", async (t) => {
  const project = await tempProject(t);
  await project.run(["init", "fettle"]);
  assert.equal(JSON.parse(await readFile(project.path("fettle/package.json"), "utf8")).name, "fettle-tools");
});

test("a name that YAML would read as a number stays a name", async (t) => {
  const project = await tempProject(t);
  await project.run(["init", "2026"]);
  assert.equal((await project.run(["check", "--config", "2026/fettle.config.yaml"])).code, 0);
});

test("hosts needs a project", async (t) => {
  const project = await tempProject(t);
  const { code, stdout, stderr } = await project.run(["hosts"]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^error: There is no fettle\.config\.yaml in /);
});
