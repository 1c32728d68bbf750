// Calls one contender inside of this process, from JSON text to JSON text, and prints the time a call in microseconds.
//   node inProcess.worker.mjs CONTENDER MS
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { openKernel } from "fettle/embed";
import { floorAnswers } from "../contenders/floor.mjs";
import { sdk1Servers } from "../contenders/sdk1.mjs";
import { badCall, checkBad, checkGood, goodCall, initialize, initialized } from "../measure/messages.mjs";
import { median } from "../measure/statistics.mjs";
import { writeProject } from "../project.mjs";

const ANSWERERS = {
  floor: async () => floorAnswers(3),
  sdk1: async () => {
    const [client, server] = InMemoryTransport.createLinkedPair();
    const waiting = new Map();
    client.onmessage = (answer) => {
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    };
    await sdk1Servers(3)().connect(server);
    const request = (message) =>
      new Promise((resolve) => {
        waiting.set(message.id, resolve);
        void client.send(message);
      });
    await request(initialize("open"));
    await client.send(initialized);
    return request;
  },
  fettle: async () => {
    const { config, remove } = writeProject(3);
    const kernel = await openKernel(config);
    remove();
    const answer = (id, outcome) =>
      outcome.kind === "ok"
        ? { jsonrpc: "2.0", id, result: { structuredContent: outcome.data } }
        : { jsonrpc: "2.0", id, result: { isError: true, content: outcome.error } };
    return ({ id, params }) => {
      const outcome = kernel.call({ name: params.name, args: params.arguments });
      return outcome instanceof Promise ? outcome.then((settled) => answer(id, settled)) : answer(id, outcome);
    };
  },
};

/** Calls between two looks at the clock. */
const SLICE = 500;

const [name, ms] = process.argv.slice(2);
const answer = await ANSWERERS[name]();

async function once(text) {
  const answered = answer(JSON.parse(text));
  return JSON.stringify(answered instanceof Promise ? await answered : answered);
}

/** CPU time of a call: the median over slices, of which other load on the machine blurs some only. */
async function microseconds(message, check, budget) {
  const text = JSON.stringify(message);
  check(JSON.parse(await once(text)));
  const slices = [];
  const end = performance.now() + budget;
  while (performance.now() < end) {
    const before = process.cpuUsage();
    for (let i = 0; i < SLICE; i++) await once(text);
    const { user, system } = process.cpuUsage(before);
    slices.push((user + system) / SLICE);
  }
  return median(slices);
}

await microseconds(goodCall(1), checkGood, Number(ms) / 3);
await microseconds(badCall(1), checkBad, Number(ms) / 3);
const result = { good_us: await microseconds(goodCall(2), checkGood, Number(ms)), bad_us: await microseconds(badCall(2), checkBad, Number(ms)) };
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
