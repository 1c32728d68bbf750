import { listAll } from "../measure/listAll.mjs";
import { initialize, initialized } from "../measure/messages.mjs";
import { startServer } from "../measure/process.mjs";
import { StdioClient } from "../measure/stdioClient.mjs";

const FEW = [3, 100];

/** From the start of the process to the whole list over stdio. Nothing is kept between rounds: each has files of its own. */
export const start = {
  name: "start",
  contenders: ["floor", "sdk1", "fettle"],
  async measure(contender, { many }) {
    const figures = {};
    for (const count of [...FEW, many]) figures[`ms_${count}`] = await untilListed(contender, count);
    return figures;
  },
  rows: (many) => [
    ...FEW.map((count) => ({ title: `start with ${count} tools, ms`, figure: `ms_${count}`, against: "sdk1" })),
    { title: `start with ${many} tools, ms`, figure: `ms_${many}`, against: "sdk1", atMost: 2.5 },
  ],
};

async function untilListed(contender, count) {
  const server = startServer(contender, "stdio", count);
  try {
    const client = new StdioClient(server);
    await client.request(initialize("open"));
    client.notify(initialized);
    await listAll((message) => client.request(message), count);
    return performance.now() - server.began;
  } finally {
    await server.stop();
  }
}
