// The program `fettle`. It runs when it is imported: bin/fettle.js does nothing else.
import { catchStrays } from "./catchStrays.js";
import { endProcess, guardExit } from "./endProcess.js";
import { main } from "./main.js";
import { processTerminal } from "./terminal.js";

const terminal = processTerminal();
for (const stream of [process.stdout, process.stderr, terminal.data]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that goes away early, such as `fettle check | head`, is no fault; the verb still ends as it should.
    if (error.code === "EPIPE") return;
    terminal.err(`error: The output can't be written: ${error.message}\n`);
    endProcess(1);
  });
}

const args = process.argv.slice(2);
guardExit(["fettle", ...args.slice(0, 1)].join(" "), terminal);
const straysWritten = catchStrays(terminal);

// The kernel's timers keep no process alive, and a call may wait for nothing but its deadline.
setInterval(() => {}, 2 ** 30);
const code = await main(args, terminal);
await straysWritten();
// What was written is waited for; timers and sockets that a handler left behind aren't.
terminal.data.write("", () => process.stderr.write("", () => endProcess(code)));
