import { HttpClient } from "../measure/httpClient.mjs";
import { listAll } from "../measure/listAll.mjs";
import { checkGood, goodCall } from "../measure/messages.mjs";
import { startServer } from "../measure/process.mjs";

const FEW = 3;
const CALLS = 200;

/** What a server holds after its list was asked for and some calls were made. */
export const memory = {
  name: "memory",
  contenders: ["floor", "sdk1", "fettle"],
  measure: async (contender, { many }) => ({ few_mb: await megabytes(contender, FEW), many_mb: await megabytes(contender, many) }),
  rows: (many) => [
    { title: `memory with ${FEW} tools, MB`, figure: "few_mb", against: "sdk1" },
    { title: `memory with ${many} tools, MB`, figure: "many_mb", against: "sdk1", atMost: 0.8 },
  ],
};

async function megabytes(contender, count) {
  const server = startServer(contender, "sessions", count);
  try {
    const client = new HttpClient(await server.url(), false);
    await client.open();
    await listAll((message) => client.request(message), count);
    for (let id = 0; id < CALLS; id++) checkGood(await client.request(goodCall(id)));
    const { rss } = await server.memory();
    await client.close();
    return rss / 1e6;
  } finally {
    await server.stop();
  }
}
