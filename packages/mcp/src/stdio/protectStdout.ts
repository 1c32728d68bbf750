import { Writable } from "node:stream";

type Write = NodeJS.WriteStream["write"];

const originals = new WeakMap<NodeJS.WriteStream, Write>();

/**
 * Keeps a process's stdout for the protocol: from now on whatever calls `stdout.write`, `console.log` for one, writes to stderr.
 * Only the returned stream still reaches stdout. Calling it again gives another stream to the same stdout.
 *
 * What writes past the stream isn't caught: `fs.writeSync(1, ...)`, and child processes that inherit stdout.
 * Call it before handlers are imported, since a module may print while it loads.
 */
export function protectStdout(stdout: NodeJS.WriteStream = process.stdout, stderr: NodeJS.WriteStream = process.stderr): Writable {
  const write = originals.get(stdout) ?? stdout.write.bind(stdout);
  if (!originals.has(stdout)) {
    originals.set(stdout, write);
    stdout.write = stderr.write.bind(stderr);
  }
  const own = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => {
      write(chunk, encoding, done);
    },
  });
  // A reader that went away shows here, as EPIPE.
  stdout.on("error", (error) => own.destroy(error));
  return own;
}
