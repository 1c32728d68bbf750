import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type Asked, type Called, CLIENTS, type ConnectOptions, connect, type TestClient, TRANSPORTS } from "../../test/connectClients.js";
import { questionsKernel } from "../../test/questionTools.js";
import { until } from "../../test/until.js";
import { createHttpServer } from "../index.js";

const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const ADA = { action: "accept", content: { name: "Ada", age: 36 } };
const HELLO = { role: "assistant", model: "m", content: { type: "text", text: "Hello" } };
const HOME = { roots: [{ uri: "file:///home/ada", name: "home" }] };

/** What a client says who is asked in the usual way. */
function usual({ method, params }: Asked): unknown {
  if (method === "sampling/createMessage") return HELLO;
  if (method === "roots/list") return HOME;
  return params["mode"] === "url" ? { action: "accept" } : ADA;
}

const errorOf = ({ _meta }: Called): { readonly error_code?: string; readonly what_went_wrong?: string; readonly details?: unknown } =>
  (_meta?.["dev.fettle/error"] ?? {}) as never;

for (const transport of TRANSPORTS) {
  for (const name of CLIENTS) {
    const modern = name === "SDK 2.x, 2026-07-28";
    describe(`questions to ${name} over ${transport}`, () => {
      let url = "";
      let stop = async (): Promise<void> => {};
      const open: TestClient[] = [];
      const connected = async (capabilities: NonNullable<ConnectOptions["capabilities"]>): Promise<TestClient> => {
        const each = await connect(name, transport, url, { capabilities, answer: (asked) => answer(asked), fixture: "questions" });
        open.push(each);
        return each;
      };
      let client: TestClient;
      let mute: TestClient;
      /** What the clients answer in this test. */
      let answer: NonNullable<ConnectOptions["answer"]> = usual;

      before(async () => {
        if (transport === "http") {
          const { kernel } = await questionsKernel();
          const server = createHttpServer(kernel);
          url = (await server.listen({ port: 0 })).url;
          stop = async () => {
            await server.close({ drainMs: 50 });
            await kernel.close({ drainMs: 0 });
          };
        }
        client = await connected(EVERYTHING);
        mute = await connected({});
        // The 1.x SDK never notices that a request with the id 0 is cancelled: https://github.com/modelcontextprotocol/typescript-sdk, protocol.ts, _oncancel.
        await client.call("folders");
      });
      beforeEach(() => {
        answer = usual;
      });
      after(async () => {
        for (const each of open) await each.close();
        await stop();
      });

      test("a form is filled in, and the handler finds the answer and its state", async () => {
        assert.deepEqual((await client.call("person")).structuredContent, { who: ADA, state: "step 1" });
      });

      test("the host's model and its roots can be asked", async () => {
        assert.deepEqual((await client.call("model")).structuredContent, { text: HELLO });
        assert.deepEqual((await client.call("folders")).structuredContent, { roots: HOME });
      });

      test("three questions at once get three answers", async () => {
        assert.deepEqual((await client.call("three")).structuredContent, { who: ADA, text: HELLO, roots: HOME });
      });

      test("three rounds get three answers, and the progress of all of them rises", async () => {
        const names = ["Ada", "Bob", "Cy"];
        answer = () => ({ action: "accept", content: { name: names.shift() } });
        const seen: number[] = [];
        const { structuredContent } = await client.call("rounds", {}, undefined, { onprogress: ({ progress }) => seen.push(progress) });
        assert.deepEqual(structuredContent, { names: '["Ada","Bob","Cy"]' });
        assert.deepEqual(seen, [...seen].sort());
      });

      test("declining and cancelling are answers too", async () => {
        for (const action of ["decline", "cancel"]) {
          answer = () => ({ action });
          assert.deepEqual((await client.call("person")).structuredContent, { who: { action }, state: "step 1" });
        }
      });

      test("a prompt, a resource and a template may ask", async () => {
        assert.deepEqual((await client.getPrompt("greet")).messages[0]?.content, { type: "text", text: "Ada, of greet" });
        assert.equal((await client.readResource("test://asking")).contents[0]?.text, "Ada");
        assert.equal((await client.readResource("test://asking/7")).contents[0]?.text, "7 Ada");
      });

      test("an address is visited where the client can do that", async () => {
        let visited: unknown;
        answer = ({ params }) => {
          visited = params["url"];
          return { action: "accept" };
        };
        assert.deepEqual((await client.call("visit")).structuredContent, { page: { action: "accept" } });
        assert.equal(visited, "https://example.org/in");
      });

      test("a handler learns what the client can be asked", async () => {
        assert.deepEqual((await client.call("can")).structuredContent, { form: true, url: true, sampling: true, roots: true });
        const forms = await connected({ elicitation: {} });
        assert.deepEqual((await forms.call("can")).structuredContent, { form: true, url: false, sampling: false, roots: false });
        assert.deepEqual((await mute.call("can")).structuredContent, { form: false, url: false, sampling: false, roots: false });
      });

      test("a client that can't be asked gets a clear error", async () => {
        if (modern) {
          await assert.rejects(mute.call("person"), (error: Error & { code?: number }) => error.code === -32021 && /elicitation/.test(error.message));
          await assert.rejects(mute.getPrompt("greet"), (error: Error & { code?: number }) => error.code === -32021);
          return;
        }
        const given = await mute.call("person");
        assert.equal(given.isError, true);
        assert.equal(errorOf(given).error_code, "mcp/cannot-ask");
        assert.match(given.content[0]?.text ?? "", /^person needs an answer \(who\), and this client can't be asked: it declared no elicitation capability\./);
        await assert.rejects(mute.getPrompt("greet"), /The prompt greet needs an answer \(who\)/);
      });

      test("content that doesn't fit the form is refused, and every field that is wrong is named", async () => {
        answer = () => ({ action: "accept", content: { name: "", age: "old" } });
        const refused = /who: name must have at least 1 character[\s\S]*who: age: expected integer, got string "old"/;
        if (modern) {
          await assert.rejects(client.call("person"), (error: Error & { code?: number }) => error.code === -32602 && refused.test(error.message));
          return;
        }
        const given = await client.call("person");
        assert.equal(given.isError, true);
        assert.equal(errorOf(given).error_code, "mcp/bad-answer");
        assert.match(given.content[0]?.text ?? "", refused);
      });

      test("a schema that can't be enforced refuses no answer", async () => {
        answer = () => ({ action: "accept", content: { any: 1 } });
        assert.deepEqual((await client.call("unenforceable")).structuredContent, { x: { action: "accept", content: { any: 1 } } });
      });

      test("a prompt that asks what can't be asked is the server's fault, in words", async () => {
        await assert.rejects(client.getPrompt("broken"), /at requests\.who\.params\.requestedSchema, it must be a JSON Schema of the answer/);
      });

      if (modern) return;

      test("a client that answers with an error ends the call, and the model is told", async () => {
        answer = () => {
          throw new Error("the user pulled the plug");
        };
        const given = await client.call("person");
        assert.equal(errorOf(given).error_code, "mcp/question-refused");
        assert.match(given.content[0]?.text ?? "", /the client answered with an error \(-32603\): .*the user pulled the plug/);
      });

      test("a question that is never answered ends with the time of the tool, and the client is told to ask no more", async () => {
        let gaveUp = false;
        answer = ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              gaveUp = true;
              resolve({ action: "cancel" });
            });
          });
        const given = await client.call("hurried");
        assert.equal(errorOf(given).error_code, "mcp/unanswered");
        assert.match(given.content[0]?.text ?? "", /^hurried asked \(who\), and no answer came within 0\.1 s\./);
        await until(() => gaveUp);
      });

      test("when one of three questions is refused the others are taken back", async () => {
        const takenBack: string[] = [];
        answer = ({ method, signal }) => {
          if (method === "roots/list") throw new Error("no roots here");
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              takenBack.push(method);
              resolve(method === "elicitation/create" ? ADA : HELLO);
            });
          });
        };
        assert.equal(errorOf(await client.call("three")).error_code, "mcp/question-refused");
        await until(() => takenBack.length === 2);
      });

      test("a tool that asks for ever is stopped", async () => {
        let asked = 0;
        answer = () => {
          asked += 1;
          return { action: "accept", content: { name: "a" } };
        };
        const given = await client.call("endless");
        assert.equal(errorOf(given).error_code, "mcp/too-many-rounds");
        assert.equal(asked, 8);
      });

      test("a caller that cancels while it is asked is asked no more", async () => {
        const leaving = new AbortController();
        let gaveUp = false;
        answer = ({ signal }) => {
          leaving.abort(new Error("not any more"));
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              gaveUp = true;
              resolve({ action: "cancel" });
            });
          });
        };
        await assert.rejects(client.call("person", {}, undefined, { signal: leaving.signal }));
        await until(() => gaveUp);
      });
    });
  }
}
