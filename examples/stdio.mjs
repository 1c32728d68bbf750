// A stdio server that does something of its own beside.   node stdio.mjs
import { openKernel, protectStdout, serveStdio } from "fettle/embed";

// Before handlers are loaded: from here on console.log writes to stderr, and stdout belongs to the protocol.
const stdout = protectStdout();
const kernel = await openKernel(new URL("../docs/hello/fettle.config.yaml", import.meta.url));
const server = serveStdio(kernel, { stdout });
console.log(`serving ${kernel.catalog().tools.length} tool`);

process.once("SIGTERM", () => server.close());
// The client closed stdin, or SIGTERM came.
await server.ending;
await Promise.all([server.close(), kernel.close()]);
