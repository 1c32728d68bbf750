import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CLIENT_CAPABILITIES_META_KEY,
  isJSONRPCResponse,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { META_KEY, OLDER_REVISIONS } from "./revisions.js";
import { isAnswer } from "./screenMessage.js";

test("revisions and keys are those of the SDK", () => {
  assert.deepEqual(OLDER_REVISIONS, SUPPORTED_PROTOCOL_VERSIONS);
  assert.deepEqual(META_KEY, {
    protocolVersion: PROTOCOL_VERSION_META_KEY,
    clientCapabilities: CLIENT_CAPABILITIES_META_KEY,
    logLevel: LOG_LEVEL_META_KEY,
  });
});

test("an answer is what the SDK takes for one", () => {
  const ids = [1, "a", "", 0, -1, 1.5, null, true, {}, undefined, Number.MAX_SAFE_INTEGER + 1];
  const bodies = [
    { result: {} },
    { result: { a: 1 } },
    { result: null },
    { result: [] },
    { result: 5 },
    { error: { code: 1, message: "m" } },
    { error: { code: 1, message: "m", data: {} } },
    { error: { code: 1.5, message: "m" } },
    { error: { code: "1", message: "m" } },
    { error: { message: "m" } },
    { error: "text" },
    { error: { code: 1, message: "m", more: 1 } },
    { result: {}, error: { code: 1, message: "m" } },
    { result: {}, more: 1 },
    {},
  ];
  for (const jsonrpc of ["2.0", "1.0", undefined]) {
    for (const id of ids) {
      for (const body of bodies) {
        const message = { ...(jsonrpc && { jsonrpc }), ...(id !== undefined && { id }), ...body };
        assert.equal(isAnswer(message), isJSONRPCResponse(message), JSON.stringify(message));
      }
    }
  }
});
