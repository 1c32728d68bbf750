import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A stream that a child can have under two file descriptors, so that what it writes to them stays in order. */
export interface SharedStream {
  /** For the child. To be closed here once it runs. */
  readonly writeEnd: Socket;
  readonly readEnd: Socket;
}

const opened = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });

/**
 * Makes such a stream. Node opens no pipe of its own, and gives a child one pipe for each descriptor; a socket can be given twice.
 *
 * @returns undefined where that isn't possible (Windows; a folder for temporary files whose path is too long for a socket)
 */
export async function sharedStream(): Promise<SharedStream | undefined> {
  if (process.platform === "win32") return undefined;
  const folder = await mkdtemp(join(tmpdir(), "fettle-")).catch(() => undefined);
  if (folder === undefined) return undefined;
  const server = createServer();
  let writeEnd: Socket | undefined;
  try {
    const accepted = new Promise<Socket>((resolve, reject) => {
      server.once("connection", resolve);
      server.once("error", reject);
    });
    // It may fail before anybody waits for it.
    accepted.catch(() => undefined);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(join(folder, "s"), resolve);
    });
    writeEnd = createConnection(join(folder, "s"));
    await opened(writeEnd);
    const readEnd = await accepted;
    // Whoever holds the other end may go away at any time.
    for (const socket of [writeEnd, readEnd]) socket.on("error", () => undefined);
    return { writeEnd, readEnd };
  } catch {
    writeEnd?.destroy();
    return undefined;
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
