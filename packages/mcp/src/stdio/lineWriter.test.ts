import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { LineWriter } from "./lineWriter.js";

const MIB = 1024 * 1024;
const line = (bytes: number): string => `${"x".repeat(bytes - 1)}\n`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A writer to a pipe that nobody reads yet. */
function open(): { writer: LineWriter; pipe: PassThrough; errors: string[] } {
  const pipe = new PassThrough();
  const errors: string[] = [];
  return { writer: new LineWriter(pipe, ({ message }) => errors.push(message)), pipe, errors };
}

test("lines come whole and in order, however they are sliced and whenever they are written", async () => {
  const { writer, pipe, errors } = open();
  const sizes = [10, MIB, 3, 300_000, 2];
  const written = sizes.map((size) => writer.write(line(size), false));
  await turn();
  written.push(writer.write(line(7), true));
  let got = "";
  pipe.on("data", (chunk: Buffer) => (got += chunk.toString()));
  await Promise.all(written);
  assert.equal(got, [...sizes, 7].map(line).join(""));
  assert.deepEqual(errors, []);
});

test("what is left when it ends is written in order", async () => {
  const { writer, pipe } = open();
  void writer.write(line(2 * MIB), false);
  await turn();
  const last = writer.write(line(5), false);
  writer.end();
  let got = "";
  pipe.on("data", (chunk: Buffer) => (got += chunk.toString()));
  await last;
  assert.equal(got, line(2 * MIB) + line(5));
});

test("a client that reads is never let go, however much comes at once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { writer, pipe, errors } = open();
  const written = Array.from({ length: 40 }, () => writer.write(line(2 * MIB), false));
  pipe.on("data", () => t.mock.timers.tick(1_000));
  await Promise.all(written);
  assert.deepEqual(errors, []);
});

test("one that doesn't is let go after 10 s, also when nothing more is written", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { writer, errors } = open();
  void writer.write(line(15 * MIB), false);
  await turn();
  t.mock.timers.tick(60_000);
  assert.deepEqual(errors, [], "so little may wait");
  void writer.write(line(2 * MIB), false);
  await turn();
  t.mock.timers.tick(9_999);
  assert.deepEqual(errors, []);
  t.mock.timers.tick(1);
  assert.match(errors.join(), /^Ended the connection of a client that has not read \d+ bytes\.$/);
});

test("what nobody asked for ends at 64 MiB", async () => {
  const { writer, errors } = open();
  for (let i = 0; i < 65 && errors.length === 0; i += 1) void writer.write(line(MIB), true);
  assert.equal(errors.length, 1);
});
