import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { toolErrorFromResponse } from "../index.js";

const server = createServer((request, response) => {
  const { searchParams: asked } = new URL(request.url ?? "/", "http://x");
  const headers = JSON.parse(asked.get("headers") ?? "{}");
  response.sendDate = !("Date" in headers) && !asked.has("undated");
  response.writeHead(Number(asked.get("status")), headers).end(asked.get("status") === "204" ? undefined : "a secret of the service");
});
before(() => once(server.listen(0, "127.0.0.1"), "listening"));
after(() => server.close());

async function answer(status: number, headers: Record<string, string> = {}, undated = false): Promise<Response> {
  const query = new URLSearchParams({ status: String(status), headers: JSON.stringify(headers), ...(undated && { undated: "" }) });
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?${query}`, { redirect: "manual" });
  assert.equal(response.status, status);
  return response;
}

const EXPECTED: Readonly<Record<number, string>> = {
  302: "internal_error http/unexpected-status",
  400: "input_error http/rejected",
  401: "permission_error http/unauthorized",
  403: "permission_error http/forbidden",
  404: "resource_error http/not-found",
  405: "internal_error http/unexpected-status",
  408: "external_error http/timeout",
  409: "state_error http/conflict",
  410: "resource_error http/not-found",
  412: "state_error http/conflict",
  413: "input_error http/too-large",
  418: "internal_error http/unexpected-status",
  422: "input_error http/rejected",
  429: "rate_limit_error http/too-many-requests",
  451: "permission_error http/forbidden",
  500: "external_error http/server-error",
  501: "external_error http/server-error",
  502: "external_error http/unavailable",
  503: "external_error http/unavailable",
  504: "external_error http/timeout",
  599: "external_error http/server-error",
};

test("each status that is no success is mapped, without the body", async () => {
  for (const [status, expected] of Object.entries(EXPECTED)) {
    const error = toolErrorFromResponse(await answer(Number(status)), { doing: "load issue 7" });
    assert.ok(error, status);
    const told = error.toToolError();
    assert.equal(`${told.error_type} ${told.error_code}`, expected, status);
    assert.equal(told.what_went_wrong, "Couldn't load issue 7.");
    assert.deepEqual(told.details, { status: Number(status) });
    assert.ok(!JSON.stringify(told).includes("secret"));
  }
});

test("a success is no error", async () => {
  for (const status of [200, 204, 206]) assert.equal(toolErrorFromResponse(await answer(status), { doing: "x" }), undefined);
});

const NOW = Date.parse("2026-12-01T10:00:00Z");
const wait = async (status: number, headers: Record<string, string>, undated = false): Promise<number | undefined> =>
  toolErrorFromResponse(await answer(status, headers, undated), { doing: "x" }, NOW)?.toToolError().retry_after_seconds;

test("Retry-After is read in both forms; a date is compared with the answer's own Date", async () => {
  assert.equal(await wait(429, { "Retry-After": "120" }), 120);
  assert.equal(await wait(503, { "Retry-After": "0" }), 0);
  assert.equal(await wait(503, { "Retry-After": "Tue, 01 Dec 2026 08:00:30 GMT", Date: "Tue, 01 Dec 2026 08:00:00 GMT" }), 30);
  assert.equal(await wait(503, { "Retry-After": "Tue, 01 Dec 2026 10:01:00 GMT" }, true), 60);
  assert.equal(await wait(503, { "Retry-After": "Tuesday, 01-Dec-26 10:01:00 GMT" }, true), 60);
  assert.equal(await wait(503, { "Retry-After": "Tue, 01 Dec 2026 09:00:00 GMT" }, true), 0, "a date that has passed");
});

test("a Retry-After that says nothing sensible is left out, and a very long one is cut to a day", async () => {
  for (const odd of ["soon", "-5", "1.5", "", "2026"]) assert.equal(await wait(429, { "Retry-After": odd }), odd === "2026" ? 2_026 : undefined, odd);
  assert.equal(await wait(429, { "Retry-After": "99999999999" }), 86_400);
});

test("Retry-After of an answer that no retry mends is left out", async () => {
  assert.equal(await wait(302, { "Retry-After": "5" }), undefined);
});
