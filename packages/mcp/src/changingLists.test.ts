import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CLIENTS, connect, type TestClient, TRANSPORTS } from "../test/connectClients.js";
import { questionsKernel } from "../test/questionTools.js";
import { until } from "../test/until.js";
import { createHttpServer } from "./index.js";

for (const transport of TRANSPORTS) {
  for (const name of CLIENTS) {
    describe(`lists that change, for ${name} over ${transport}`, () => {
      let client: TestClient;
      let stop = async (): Promise<void> => {};
      before(async () => {
        let url = "";
        if (transport === "http") {
          const { kernel } = await questionsKernel();
          const server = createHttpServer(kernel);
          url = (await server.listen({ port: 0 })).url;
          stop = async () => {
            await server.close({ drainMs: 50 });
            await kernel.close({ drainMs: 0 });
          };
        }
        client = await connect(name, transport, url, { fixture: "questions" });
      });
      after(async () => {
        await client.close();
        await stop();
      });

      test("a plugin that begins to contribute is listed, and the client is told of both lists and of no other", async () => {
        assert.ok(!(await client.listPrompts()).includes("late"));
        await client.call("contribute", { name: "late" });
        await until(() => client.changed.length >= 2);
        assert.deepEqual([...client.changed].sort(), ["prompts", "resources"]);
        assert.equal(client.changes(), 0);
        assert.ok((await client.listPrompts()).includes("late"));
        assert.ok((await client.listResources()).includes("test://changing/late"));
        assert.deepEqual((await client.getPrompt("late")).messages[0]?.content, { type: "text", text: "late" });
        assert.equal((await client.readResource("test://late/7")).contents[0]?.text, "late");
      });
    });
  }
}
