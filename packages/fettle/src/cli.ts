// The program `fettle`. It runs when it is imported: bin/fettle.js does nothing else.
import { main } from "./main.js";
import { processTerminal } from "./terminal.js";

const terminal = processTerminal();
for (const stream of [process.stdout, process.stderr, terminal.data]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that goes away early, such as `fettle check | head`, is no fault; the verb still ends as it should.
    if (error.code === "EPIPE") return;
    terminal.err(`error: The output can't be written: ${error.message}\n`);
    process.exit(1);
  });
}

// The kernel's timers keep no process alive, and a call may wait for nothing but its deadline.
setInterval(() => {}, 2 ** 30);
const code = await main(process.argv.slice(2), terminal);
// What was written is waited for; timers and sockets that a handler left behind aren't.
terminal.data.write("", () => process.stderr.write("", () => process.exit(code)));
