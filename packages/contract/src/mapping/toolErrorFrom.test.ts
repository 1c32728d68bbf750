import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, rmdir, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { inputError, renderToolError, type ThrownToolError, toolErrorFrom, toolErrorFromResponse } from "../index.js";
import { httpCodes } from "./httpCodes.js";
import { BY_NETWORK_ERROR, networkCodes } from "./networkCodes.js";
import { BY_SYSTEM_ERROR, systemCodes } from "./systemCodes.js";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-mapping-"));
  await writeFile(join(folder, "file"), "text");
  await mkdir(join(folder, "full", "of"), { recursive: true });
  await symlink("loop", join(folder, "loop"));
});
after(() => rm(folder, { recursive: true }));

/** What is thrown, mapped. */
async function mapped(work: () => unknown): Promise<ThrownToolError> {
  try {
    await work();
  } catch (error) {
    return toolErrorFrom(error, { doing: "do it" });
  }
  throw new Error("nothing was thrown");
}

/** A URL that is answered, or not, as the listener does. */
async function serving<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const REAL: Readonly<Record<string, () => unknown>> = {
  "resource_error system/not-found": () => readFile(join(folder, "none")),
  "resource_error system/not-a-folder": () => readFile(join(folder, "file", "below")),
  "resource_error system/is-a-folder": () => readFile(folder),
  "resource_error system/link-loop": () => readFile(join(folder, "loop")),
  "input_error system/name-too-long": () => readFile(join(folder, "x".repeat(5_000))),
  "state_error system/already-exists": () => open(join(folder, "file"), "wx"),
  "state_error system/folder-not-empty": () => rmdir(join(folder, "full")),
  "external_error system/program-missing": async () => {
    const [error] = await once(spawn(join(folder, "no-such-program")), "error");
    throw error;
  },
  "external_error system/program-failed": () => promisify(execFile)(process.execPath, ["--eval", "process.exit(3)"]),
  "input_error system/not-a-url": () => fetch("no url"),
  "state_error system/address-in-use": () =>
    serving(
      () => undefined,
      async (url) => {
        const [error] = await once(createServer().listen(Number(new URL(url).port), "127.0.0.1"), "error");
        throw error;
      },
    ),
  "external_error network/refused": async () => {
    const url = await serving(
      () => undefined,
      async (gone) => gone,
    );
    await fetch(url);
  },
  "external_error network/connection-lost": () => serving(({ socket }) => socket.destroy(), fetch),
  "external_error network/timeout": () =>
    serving(
      () => undefined,
      (url) => fetch(url, { signal: AbortSignal.timeout(1) }),
    ),
  "state_error system/aborted": () => fetch("http://127.0.0.1:9/", { signal: AbortSignal.abort() }),
  "external_error system/not-json": () =>
    serving(
      (_, response) => response.end("<html>"),
      async (url) => (await fetch(url)).json(),
    ),
  "internal_error system/unexpected": () => (undefined as unknown as string).length,
};

for (const [expected, work] of Object.entries(REAL)) {
  test(`what really fails is mapped: ${expected}`, async () => {
    const error = await mapped(work);
    assert.equal(`${error.errorType} ${error.code}`, expected);
    const told = renderToolError(error.toToolError());
    assert.match(told, /^Couldn't do it\.\nWhy: \S/);
    assert.ok(error.cause instanceof Error, "what was caught goes along for the log");
    // Messages of system errors hold paths and addresses, those of JSON.parse hold the text.
    for (const secret of [folder, "127.0.0.1", "<html>"]) assert.ok(!JSON.stringify([told, error.toToolError()]).includes(secret), told);
  });
}

const BY_CODE: Readonly<Record<string, string>> = {
  EACCES: "permission_error system/permission-denied",
  EPERM: "permission_error system/permission-denied",
  EROFS: "state_error system/read-only",
  EBUSY: "state_error system/busy",
  EMFILE: "rate_limit_error system/too-many-open-files",
  ENOSPC: "external_error system/no-space",
  ETIMEDOUT: "external_error network/timeout",
  ENOTFOUND: "external_error network/host-not-found",
  EAI_AGAIN: "external_error network/lookup-failed",
  EHOSTUNREACH: "external_error network/unreachable",
  CERT_HAS_EXPIRED: "external_error network/untrusted-certificate",
  toString: "internal_error system/unexpected",
};

test("what can't be provoked everywhere is mapped by its code, also as a cause and as one of several", () => {
  for (const [code, expected] of Object.entries(BY_CODE)) {
    const plain = Object.assign(new Error("at /srv/secret"), { code });
    for (const error of [plain, new TypeError("fetch failed", { cause: plain }), new Error("x", { cause: new AggregateError([plain]) })]) {
      const found = toolErrorFrom(error, { doing: "do it" });
      assert.equal(`${found.errorType} ${found.code}`, expected);
      assert.ok(!JSON.stringify(found.toToolError()).includes("secret"));
    }
  }
});

test("a retry is advised where the same call can succeed and can't do harm", () => {
  const advised = (code: string, repeatable: boolean) =>
    toolErrorFrom(Object.assign(new Error(), { code }), { doing: "x" }).toToolError({ repeatable }).retry_recommended;
  assert.deepEqual([advised("ECONNREFUSED", true), advised("ECONNREFUSED", false)], [true, false]);
  assert.deepEqual([advised("EBUSY", false), advised("EMFILE", false)], [true, true]);
  assert.deepEqual([advised("ENOENT", true), advised("CERT_HAS_EXPIRED", true), advised("ENOTFOUND", true)], [false, false, false]);
});

test("an error that was thrown on purpose stays as it is, also behind another", () => {
  const own = inputError("a/b", { what: "W." });
  assert.equal(toolErrorFrom(own, { doing: "x" }), own);
  assert.equal(toolErrorFrom(new Error("wrapped", { cause: own }), { doing: "x" }), own);
});

test("errors of HTTP clients are mapped by the status that they carry", () => {
  const by = (error: object) => toolErrorFrom(error, { doing: "x" });
  assert.equal(by(Object.assign(new Error(), { status: 404 })).code, "http/not-found");
  assert.equal(by(Object.assign(new Error(), { statusCode: 503 })).code, "http/unavailable");
  const limited = by(Object.assign(new Error(), { code: "ERR_BAD_REQUEST", response: { status: 429, headers: { "Retry-After": ["7"] } } }));
  assert.equal(limited.toToolError().retry_after_seconds, 7);
  assert.equal(by({ status: 200 }).code, "system/unexpected");
});

test("what the handler says replaces what the table says, and details are joined", () => {
  const { why_it_happened, how_to_fix, details, retry_recommended, alternative_tools } = toolErrorFrom(Object.assign(new Error(), { code: "ENOENT" }), {
    doing: "read notes",
    fix: ["List the notes with list_notes."],
    details: { nearest: ["note"] },
    retry: true,
    alternativeTools: ["list_notes"],
  }).toToolError();
  assert.equal(why_it_happened, "No file or folder of that name exists.");
  assert.deepEqual(how_to_fix, ["List the notes with list_notes."]);
  assert.deepEqual(details, { system_code: "ENOENT", nearest: ["note"] });
  assert.deepEqual([retry_recommended, alternative_tools], [true, ["list_notes"]]);
});

test("nonsense that is thrown is mapped too", () => {
  const circle: { cause?: unknown } = {};
  circle.cause = circle;
  for (const nonsense of [undefined, null, 7, "text", circle, { code: 7, name: 7, response: 7 }]) {
    assert.equal(toolErrorFrom(nonsense, { doing: "x" }).code, "system/unexpected");
  }
});

test("how a program ended is told to programs: its code, or the signal that stopped it", async () => {
  const run = promisify(execFile);
  const details = async (work: () => unknown) => (await mapped(work)).toToolError().details;
  assert.deepEqual(await details(() => run(process.execPath, ["--eval", "process.exit(3)"])), { exit_code: 3 });
  assert.deepEqual(await details(() => run(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { timeout: 200 })), { signal: "SIGTERM" });
  assert.deepEqual(await details(() => execFileSync(process.execPath, ["--eval", "process.exit(3)"], { stdio: "ignore" })), { exit_code: 3 });
  // Node can't tell a missing folder from a missing program, so the text names both.
  const error = await mapped(() => run(process.execPath, ["--version"], { cwd: join(folder, "none") }));
  assert.match(renderToolError(error.toToolError({ repeatable: true })), /or the folder to run it in, is missing/);
});

test("a program that took too long or told too much failed, and no service did", async () => {
  const hangs = ["--eval", "setInterval(() => {}, 1000)"];
  const talks = ["--eval", "console.log('x'.repeat(100_000))"];
  for (const [work, code] of [
    [() => execFileSync(process.execPath, hangs, { stdio: "ignore", timeout: 200 }), "ETIMEDOUT"],
    [() => execFileSync(process.execPath, talks, { maxBuffer: 10 }), "ENOBUFS"],
    [() => promisify(execFile)(process.execPath, talks, { maxBuffer: 10 }), "ERR_CHILD_PROCESS_STDIO_MAXBUFFER"],
  ] as const) {
    const error = await mapped(work);
    assert.deepEqual([error.code, error.toToolError().details], ["system/program-failed", { system_code: code }]);
  }
});

test("a program that says itself that it failed does so again, one that was stopped may not", () => {
  const advised = (ended: object) => toolErrorFrom(Object.assign(new Error(), { cmd: "x" }, ended)).toToolError({ repeatable: true }).retry_recommended;
  assert.deepEqual([advised({ code: 3, signal: null }), advised({ code: null, signal: "SIGKILL" })], [false, true]);
});

test("what can't be read isn't known, and goes along as the cause; so does what stands for very many", () => {
  const trap = () => {
    throw new Error("trap");
  };
  const hostile = new Proxy({}, { get: trap, getPrototypeOf: trap, has: trap });
  const many = new AggregateError(Array.from({ length: 300_000 }, () => undefined));
  for (const nonsense of [hostile, many]) {
    const error = toolErrorFrom(nonsense, { doing: "x" });
    assert.deepEqual([error.code, error.cause === nonsense], ["system/unexpected", true]);
  }
});

test("a member that is undefined, as a variable may be, replaces nothing", () => {
  const cause = Object.assign(new Error(), { code: "EBUSY" });
  const nothing = { doing: "", why: undefined, fix: undefined, retry: undefined, cause: undefined, details: undefined } as never;
  const bare = toolErrorFrom(cause);
  assert.deepEqual(toolErrorFrom(cause, nothing).toToolError(), bare.toToolError());
  assert.equal(toolErrorFrom(cause, nothing).cause, cause);
  assert.deepEqual(toolErrorFromResponse({ status: 501 }, nothing)?.toToolError(), toolErrorFromResponse({ status: 501 })?.toToolError());
});

test("what was being done needs not be said, and an answer without headers is one", () => {
  assert.equal(toolErrorFrom(Object.assign(new Error(), { code: "ENOENT" })).message, "Couldn't do what was asked.");
  assert.equal(toolErrorFrom({ status: 503 }).code, "http/unavailable");
  assert.equal(toolErrorFromResponse({ status: 429 })?.code, "http/too-many-requests");
  assert.equal(toolErrorFromResponse({ status: 429, headers: null as never })?.code, "http/too-many-requests");
});

test("no text contradicts the advice on retries that stands below it, for tools that may be repeated and for others", () => {
  const all = [...Object.entries(systemCodes.codes), ...Object.entries(networkCodes.codes), ...Object.entries(httpCodes.codes)];
  const codes = [...Object.keys(BY_SYSTEM_ERROR), ...Object.keys(BY_NETWORK_ERROR)];
  const errors = [
    ...codes.map((code) => toolErrorFrom(Object.assign(new Error(), { code }))),
    ...[400, 401, 403, 404, 408, 409, 413, 429, 500, 501, 502, 503].flatMap((status) => toolErrorFromResponse({ status }) ?? []),
  ];
  assert.ok(errors.length > 30 && all.length > 30);
  for (const error of errors) {
    for (const repeatable of [true, false]) {
      const text = renderToolError(error.toToolError({ repeatable }));
      if (/won't help\.$/.test(text)) assert.doesNotMatch(text, /call again if|same call again|try (?:again|later)/i, text);
      if (!/may help\.$|Retry the same/.test(text)) assert.doesNotMatch(text, /send the same call again/i, text);
      if (/may help\.$|Retry the same/.test(text)) assert.doesNotMatch(text, /same call fails|won't help/i, text);
    }
  }
});
