import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readSpecFile } from "@fettle/kernel";
import { machine, project } from "../../test/project.js";

const read = async (bytes: Uint8Array | string) => {
  const { folder } = project({ "a.tool.yaml": bytes });
  const { diagnostics, text } = await readSpecFile(machine().files, join(folder, "a.tool.yaml"));
  return { told: diagnostics.map(({ code, line, column, message, hint }) => `${code} ${line}:${column} ${message}. ${hint}`), text };
};

for (const [what, bytes] of [
  ["little", Buffer.from("\uFEFFname: a\n", "utf16le")],
  ["big", Buffer.from("\uFEFFname: a\n", "utf16le").swap16()],
] as const) {
  test(`UTF-16 (${what} endian) is called by its name`, async () => {
    assert.deepEqual((await read(bytes)).told, ["spec/not-text 1:1 This is UTF-16. Save it as UTF-8."]);
  });
}

for (const [what, bytes, place, byte] of [
  ["at the start", [0xff, 0x61], "1:1", "0xFF"],
  ["after a line, in the middle of one", [0x61, 0x0a, 0xc3, 0xa4, 0x62, 0xe9, 0x20, 0x63], "2:3", "0xE9"],
  ["after a byte order mark", [0xef, 0xbb, 0xbf, 0x61, 0xe9], "1:2", "0xE9"],
  ["as a character that the end cuts", [0x61, 0x0d, 0x0a, 0x62, 0xe2, 0x82], "2:2", "0xE2"],
  ["as a character that the line's end cuts", [0x61, 0xe2, 0x82, 0x0a, 0x62], "1:2", "0xE2"],
] as const) {
  test(`a byte that isn't UTF-8, ${what}, has its place, and the line can be shown`, async () => {
    const { told, text } = await read(new Uint8Array(bytes));
    assert.deepEqual(told, [`spec/not-text ${place} This is no UTF-8 text: the byte ${byte} can't stand here. Save the file as UTF-8.`]);
    assert.match(text ?? "", /\uFFFD/);
  });
}

test("a replacement character that is really there is no bad byte", async () => {
  const { told } = await read(Buffer.concat([Buffer.from("a: \uFFFD\nb: "), Buffer.from([0xe9])]));
  assert.match(told[0] ?? "", /^spec\/not-text 2:4 /);
});

test("a large file with a bad byte at its end is told in little time", async () => {
  const bytes = Buffer.alloc(1024 * 1024, "x");
  bytes[bytes.length - 1] = 0xe9;
  const started = performance.now();
  assert.match((await read(bytes)).told[0] ?? "", /^spec\/not-text 1:1048576 /);
  assert.ok(performance.now() - started < 20_000, "this takes a second or two");
});
