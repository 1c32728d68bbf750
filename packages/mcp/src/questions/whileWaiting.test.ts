import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { INITIALIZE, post } from "../../test/httpFixture.js";
import { questionsKernel } from "../../test/questionTools.js";
import { type Answer, type Connection, call, initialize, openStdio } from "../../test/stdioConnection.js";
import { until } from "../../test/until.js";
import { createHttpServer } from "../index.js";

const ADA = { action: "accept", content: { name: "Ada" } };
const handshake = (id: number): unknown => {
  const { params, ...rest } = initialize(id) as { params: object };
  return { ...rest, params: { ...params, capabilities: { elicitation: {} } } };
};
const errorCode = ({ result }: Pick<Answer, "result">): unknown =>
  (result?.["_meta"] as Record<string, { error_code?: string }> | undefined)?.["dev.fettle/error"]?.error_code;
const textOf = ({ result }: Pick<Answer, "result">): string => (result?.["content"] as { text: string }[] | undefined)?.[0]?.text ?? "";

const UNSOUND: readonly (readonly [what: string, answer: Readonly<Record<string, unknown>>])[] = [
  ["a text for a result", { result: "yes" }],
  ["null for a result", { result: null }],
  ["a list for a result", { result: [] }],
  ["a result and an error at once", { result: ADA, error: { code: -1, message: "no" } }],
  ["an error without a code", { error: { message: "no" } }],
  ["a text for an error", { error: "nope" }],
];

async function withStdio(use: (connection: Connection, ask: (id: number, name: string, params?: object) => Promise<number>) => Promise<void>): Promise<void> {
  const { kernel } = await questionsKernel();
  const connection = await openStdio(kernel, { drainMs: 50 });
  connection.send(handshake(1));
  await connection.answerTo(1);
  /** Calls a tool that asks, and gives the id of its question. */
  const ask = async (id: number, name: string, params = {}): Promise<number> => {
    const asked = (): readonly Answer[] => connection.answers.filter(({ method }) => method === "elicitation/create");
    const before = asked().length;
    const message = call(id, name) as { params: object };
    connection.send({ ...message, params: { ...message.params, ...params } });
    await until(() => asked().length > before);
    return Number(asked().at(-1)?.id);
  };
  try {
    await use(connection, ask);
  } finally {
    await connection.server.close();
    await kernel.close({ drainMs: 0 });
  }
}

describe("a call that waits for its question, on stdio", () => {
  for (const [what, answer] of UNSOUND) {
    test(`ends when the answer is ${what}, and the connection goes on`, async () => {
      await withStdio(async (connection, ask) => {
        const question = await ask(2, "person");
        connection.send({ jsonrpc: "2.0", id: question, ...answer });
        assert.equal(errorCode(await connection.answerTo(2)), "mcp/question-refused");
        assert.match(textOf(await connection.answerTo(2)), /not a JSON-RPC response/);
        connection.send({ jsonrpc: "2.0", id: await ask(3, "person"), result: ADA });
        assert.deepEqual((await connection.answerTo(3)).result?.["structuredContent"], { who: ADA, state: "step 1" });
      });
    });
  }

  test("tells a client's error in one line, without its control characters", async () => {
    await withStdio(async (connection, ask) => {
      const message = "no\n\u001b[31m red \u0000 \u202e back";
      connection.send({ jsonrpc: "2.0", id: await ask(2, "person"), error: { code: -1, message } });
      const text = textOf(await connection.answerTo(2));
      assert.ok(text.includes("answered with an error (-1): no \\u{1b}[31m red \\u{0} \\u{202e} back"), text);
    });
  });

  test("ends with the field that is wrong in an answer of the wrong shape", async () => {
    await withStdio(async (connection, ask) => {
      connection.send({ jsonrpc: "2.0", id: await ask(2, "person"), result: { action: "yes" } });
      const answer = await connection.answerTo(2);
      assert.equal(errorCode(answer), "mcp/bad-answer");
      assert.match(textOf(answer), /who: action: expected one of "accept", "decline", "cancel", got "yes"/);
    });
  });

  test("takes no answers and no state that came with the call: its revision has none", async () => {
    await withStdio(async (connection, ask) => {
      const question = await ask(2, "person", { inputResponses: { who: { action: "decline" } }, requestState: "forged" });
      connection.send({ jsonrpc: "2.0", id: question, result: ADA });
      assert.deepEqual((await connection.answerTo(2)).result?.["structuredContent"], { who: ADA, state: "step 1" });
    });
  });

  test("is answered when stdin ends, and nothing waits for the question any more", async () => {
    await withStdio(async (connection, ask) => {
      await ask(2, "person");
      connection.stdin.end();
      await connection.server.closed;
      assert.equal(errorCode(await connection.answerTo(2)), "kernel/closing");
    });
  });

  test("is not answered when the client cancels it, and the client is told that the question is over", async () => {
    await withStdio(async (connection, ask) => {
      const question = await ask(2, "person");
      connection.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
      await until(() =>
        connection.answers.some(({ method, params }) => method === "notifications/cancelled" && (params as { requestId: unknown }).requestId === question),
      );
      const told = connection.answers.find(({ method }) => method === "notifications/cancelled")?.params as { reason: unknown };
      assert.equal(told.reason, "person no longer waits for the answer: the request that asks was cancelled.");
      connection.send({ jsonrpc: "2.0", id: question, result: ADA });
      connection.send(call(3, "can"));
      await connection.answerTo(3);
      assert.ok(!connection.answers.some(({ id }) => id === 2));
    });
  });
});

describe("calls that wait for their questions, in sessions", () => {
  interface Session {
    /** Calls a tool that asks. */
    ask(id: number): Promise<{ readonly question: unknown; readonly ending: Promise<Answer> }>;
    send(message: unknown): Promise<Response>;
    end(): Promise<Response>;
  }

  async function openSession(url: string): Promise<Session> {
    const hello = await post(url, { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } });
    await hello.text();
    const headers = { "mcp-session-id": hello.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
    return {
      send: (message) => post(url, message, headers),
      end: () => fetch(`${url}/mcp`, { method: "DELETE", headers }),
      async ask(id) {
        const { body } = await post(url, call(id, "person"), headers);
        assert.ok(body);
        const messages = messagesIn(body);
        const asked = await nextWith(messages, "method");
        assert.equal(asked.method, "elicitation/create");
        return { question: asked.id, ending: nextWith(messages, "id") };
      },
    };
  }

  async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Answer> {
    let rest = "";
    for await (const chunk of body) {
      const lines = (rest + Buffer.from(chunk).toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data: {")) yield JSON.parse(line.slice("data: ".length));
    }
  }

  async function nextWith(messages: AsyncGenerator<Answer>, member: "method" | "id"): Promise<Answer> {
    for (;;) {
      const { value, done } = await messages.next();
      assert.ok(done !== true, "the stream ended");
      if (value[member] !== undefined) return value;
    }
  }

  async function withServer(use: (url: string, errors: readonly string[]) => Promise<void>): Promise<void> {
    const { kernel } = await questionsKernel();
    const errors: string[] = [];
    const server = createHttpServer(kernel, { onerror: ({ message }) => errors.push(message) });
    const { url } = await server.listen({ port: 0 });
    try {
      await use(url, errors);
    } finally {
      await server.close({ drainMs: 50 });
      await kernel.close({ drainMs: 0 });
    }
  }

  const answer = (id: unknown, name: string): unknown => ({ jsonrpc: "2.0", id, result: { action: "accept", content: { name } } });
  const nameIn = ({ result }: Answer): unknown => (result?.["structuredContent"] as { who?: { content?: { name?: string } } } | undefined)?.who?.content?.name;

  test("each session gets its own answer, also where the questions have one id", async () => {
    await withServer(async (url) => {
      const [one, two] = [await openSession(url), await openSession(url)];
      const [asked, other] = [await one.ask(2), await two.ask(2)];
      assert.equal(asked.question, other.question);
      await two.send(answer(other.question, "Two"));
      assert.equal(nameIn(await other.ending), "Two");
      await one.send(answer(asked.question, "One"));
      assert.equal(nameIn(await asked.ending), "One");
    });
  });

  for (const [what, unsound] of UNSOUND)
    test(`${what} is refused, and ends the call that asked as it does on stdio`, async () => {
      await withServer(async (url) => {
        const session = await openSession(url);
        const { question, ending } = await session.ask(2);
        assert.equal((await session.send(answer("no such question", "Eve"))).status, 202);
        assert.equal((await session.send({ jsonrpc: "2.0", id: question, ...unsound })).status, 400);
        const ended = await ending;
        assert.equal(errorCode(ended), "mcp/question-refused");
        assert.match(textOf(ended), /what the client sent was no answer\. The answer was not a JSON-RPC response/);
        assert.equal((await session.send(answer(question, "Late"))).status, 202);
      });
    });

  test("a session that ends answers its call, and takes the question along", async () => {
    await withServer(async (url, errors) => {
      const session = await openSession(url);
      const { question, ending } = await session.ask(2);
      await session.end();
      assert.equal(errorCode(await ending), "kernel/cancelled");
      assert.equal((await session.send(answer(question, "Ada"))).status, 404);
      assert.deepEqual(errors, [], "the client did nothing wrong, and neither did we");
    });
  });

  test("a call that its client cancels leaves nothing in the log", async () => {
    await withServer(async (url, errors) => {
      const session = await openSession(url);
      const { ending } = await session.ask(2);
      await session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
      await ending;
      const again = await session.ask(3);
      await session.send(answer(again.question, "Ada"));
      assert.equal(nameIn(await again.ending), "Ada");
      assert.deepEqual(errors, []);
    });
  });
});
