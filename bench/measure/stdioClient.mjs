import { createInterface } from "node:readline";

/** A client of one server process on stdio: sends messages, gives the answer to each. */
export class StdioClient {
  #waiting = new Map();
  #server;

  constructor(server) {
    this.#server = server;
    createInterface({ input: server.child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line);
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  request(message) {
    const answered = new Promise((resolve) => this.#waiting.set(message.id, resolve));
    this.notify(message);
    return Promise.race([answered, this.#server.failed]);
  }

  notify(message) {
    this.#server.child.stdin.write(`${JSON.stringify(message)}\n`);
  }
}
