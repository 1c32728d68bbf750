// The import law of ARCHITECTURE.md as rules. `npm run check` applies them; test/importLaw.test.ts shows that each one bites.

const DOMAIN = ["stores", "quality", "compat", "search", "docs", "evals", "optimizer"];

// What each package may import of the others. Whatever isn't here may not be imported.
const MAY_IMPORT = {
  "spec-types": [],
  contract: ["spec-types"],
  schema: ["spec-types", "contract"],
  kernel: ["spec-types", "contract", "schema"],
  mcp: ["spec-types", "contract", "schema", "kernel"],
  testkit: ["spec-types", "contract", "schema", "kernel"],
  ...Object.fromEntries(DOMAIN.map((name) => [name, ["spec-types", "contract", "schema"]])),
};

// Test code has the imports of its package, and the testkit and test/support besides.
const TEST = "\\.test\\.ts$|/test/|/fixtures/";
const OURS = "^(packages|plugins|tools|test)/";
const packagePath = (names) => `^packages/(${names.join("|")})/`;
const inPackages = (names) => (names.length === 0 ? [] : [packagePath(names)]);

const packageLaw = Object.entries(MAY_IMPORT).flatMap(([name, allowed]) => [
  {
    name: `law-${name}`,
    comment: `packages/${name} may import ${allowed.length === 0 ? "no other package" : allowed.join(", ")} and nothing else of this repository.`,
    severity: "error",
    from: { path: packagePath([name]), pathNot: TEST },
    to: { path: OURS, pathNot: inPackages([name, ...allowed]) },
  },
  {
    name: `law-${name}-tests`,
    comment: `Tests of packages/${name} may import what the package may, the testkit and test/support.`,
    severity: "error",
    from: { path: `^packages/${name}/.*(${TEST})` },
    to: { path: OURS, pathNot: [...inPackages([name, ...allowed, "testkit"]), "^test/support/"] },
  },
]);

const pluginMayImport = inPackages(["contract", "schema", ...DOMAIN]);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...packageLaw,
    {
      name: "law-plugins",
      comment: `A plugin may import contract, schema and ${DOMAIN.join(", ")}: never the kernel, never another plugin.`,
      severity: "error",
      from: { path: "^plugins/([^/]+)/", pathNot: TEST },
      to: { path: OURS, pathNot: ["^plugins/$1/", ...pluginMayImport] },
    },
    {
      name: "law-plugins-tests",
      comment: "Tests of a plugin may import what the plugin may, the testkit and test/support. Not another plugin: what crosses plugins is tested in test/.",
      severity: "error",
      from: { path: `^plugins/([^/]+)/.*(${TEST})` },
      to: { path: OURS, pathNot: ["^plugins/$1/", ...pluginMayImport, "^packages/testkit/", "^test/support/"] },
    },
    {
      name: "law-tools",
      comment: "Tools are written as a stranger would write them: of this repository they import fettle only.",
      severity: "error",
      from: { path: "^tools/([^/]+)/", pathNot: TEST },
      to: { path: OURS, pathNot: ["^tools/$1/", "^packages/fettle/"] },
    },
    {
      name: "law-tools-tests",
      comment: "Tests of tools may import fettle, the testkit and test/support.",
      severity: "error",
      from: { path: `^tools/([^/]+)/.*(${TEST})` },
      to: { path: OURS, pathNot: ["^tools/$1/", "^packages/(fettle|testkit)/", "^test/support/"] },
    },
    {
      name: "only-fettle-imports-plugins-and-tools",
      comment: "A package other than fettle knows no plugin and no tool by name.",
      severity: "error",
      from: { path: "^packages/(?!fettle/)" },
      to: { path: "^(plugins|tools)/" },
    },
    {
      name: "test-code-stays-in-tests",
      comment: "What ships doesn't import test files, fixtures or the testkit, which fettle/testkit hands on.",
      severity: "error",
      from: { path: "^(packages/(?!testkit/)|plugins/|tools/)", pathNot: `${TEST}|\\.fixture\\.ts$|^packages/fettle/src/testkit\\.ts$` },
      to: { path: `${TEST}|^packages/testkit/` },
    },
    {
      name: "no-cycle",
      comment: "Modules don't import each other in a circle. Types may: they are gone at run time.",
      severity: "error",
      from: { path: OURS },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-way-round-the-exports",
      comment: "Another package is imported by its name, so only by what it exports; never by a path into its folder.",
      severity: "error",
      from: { path: "^(packages|plugins|tools)/([^/]+)/" },
      to: { path: "^(packages|plugins|tools)/", pathNot: "^$1/$2/", dependencyTypes: ["local"] },
    },
    {
      name: "kernel-load-knows-no-run",
      comment: "Turning YAML into a catalog and turning a catalog into calls are two machines.",
      severity: "error",
      from: { path: "^packages/kernel/src/load/" },
      to: { path: "^packages/kernel/src/run/" },
    },
    {
      name: "kernel-run-knows-no-load",
      comment: "As above, the other way.",
      severity: "error",
      from: { path: "^packages/kernel/src/run/" },
      to: { path: "^packages/kernel/src/load/" },
    },
    {
      name: "only-createKernel-joins-load-and-run",
      comment: "Outside of run/ only createKernel.ts imports run/. Load/ doesn't, so no other file can import both.",
      severity: "error",
      from: { path: "^packages/kernel/", pathNot: `^packages/kernel/src/(run/|createKernel\\.ts$)|${TEST}` },
      to: { path: "^packages/kernel/src/run/" },
    },
    {
      name: "kernel-is-not-of-node",
      comment: "Files, modules, clock, log and environment are arguments (Platform). Only src/node, the platform for Node, touches the outside.",
      severity: "error",
      from: { path: "^packages/kernel/src/", pathNot: `^packages/kernel/src/node/|${TEST}` },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(path|url)(/|$)" },
    },
    {
      name: "kernel-does-not-import-its-platform",
      comment: "The platform for Node is handed in by whoever makes a kernel.",
      severity: "error",
      from: { path: "^packages/kernel/src/", pathNot: `^packages/kernel/src/node/|${TEST}` },
      to: { path: "^packages/kernel/src/node/" },
    },
    {
      name: "only-mcp-imports-the-sdk",
      comment: "The MCP SDK stays behind packages/mcp, so that a new major of it touches one package. Tests use its clients.",
      severity: "error",
      from: { path: "^(packages/(?!mcp/)|plugins/|tools/)", pathNot: TEST },
      to: { path: "(^|/)@modelcontextprotocol/" },
    },
    {
      name: "only-the-complete-lanes-import-the-sdk",
      comment: "What answers plain requests does without the MCP SDK, which the complete lanes load when they are needed. Types cost nothing.",
      severity: "error",
      from: {
        path: "^packages/mcp/src/",
        pathNot: `^packages/mcp/src/((http|stdio)/completeLane|http/(modernRequests|sessionTransport|parameterHeaders)|questions/(askClient|stateSeal)|createShell|contentBlock|checkContribution|matchTemplate|complete)[.]ts$|${TEST}`,
      },
      to: { path: "(^|/)@modelcontextprotocol/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only-schema-imports-ajv",
      comment: "There is one JSON Schema engine, so that a schema means the same at load, at the call and at the command line.",
      severity: "error",
      from: { path: "^(packages/(?!schema/)|plugins/|tools/)", pathNot: TEST },
      to: { path: "(^|/)node_modules/(ajv|ajv-formats)/" },
    },
    {
      name: "contract-has-no-dependency",
      comment: "contract and spec-types have no dependency at run time, so that a plugin which imports contract brings nothing with it.",
      severity: "error",
      from: { path: packagePath(["spec-types", "contract"]), pathNot: TEST },
      to: { dependencyTypes: ["npm", "npm-dev", "npm-optional", "npm-peer", "core"], pathNot: OURS },
    },
    {
      name: "declared",
      comment: "What is imported is in the package.json of the importing package.",
      severity: "error",
      from: { path: OURS },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "no-dev-dependency-in-what-ships",
      comment: "A devDependency isn't there for whoever installs the package.",
      severity: "error",
      from: { path: "^(packages|plugins)/[^/]+/src/", pathNot: TEST },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "resolvable",
      comment: "Every import leads somewhere.",
      severity: "error",
      from: { path: OURS },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "(^|/)node_modules/" },
    exclude: { path: "(^|/)(dist|coverage)/|^packages/fettle/templates/" },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default", "types"],
      extensions: [".ts", ".mts", ".js", ".mjs", ".json"],
      mainFields: ["module", "main", "types"],
    },
    tsConfig: { fileName: "tsconfig.base.json" },
  },
};
