import { listAll } from "../measure/listAll.mjs";
import { initialize, initialized } from "../measure/messages.mjs";
import { commandOf, startCommand } from "../measure/process.mjs";
import { StdioClient } from "../measure/stdioClient.mjs";

const FEW = [3, 100];

/**
 * From the start of the process to the whole list over stdio. Nothing is kept between rounds: each has files of its own. A cold start finds no cache,
 * the cached one what a start on the same files left.
 */
export const start = {
  name: "start",
  contenders: ["floor", "sdk1", "fettle"],
  async measure(contender, { many }) {
    const figures = {};
    for (const count of [...FEW, many]) {
      const { cold, cached } = await untilListed(contender, count);
      figures[`ms_${count}`] = cold;
      figures[`cached_ms_${count}`] = cached;
    }
    return figures;
  },
  rows: (many) => [
    ...FEW.map((count) => ({ title: `start with ${count} tools, ms`, figure: `ms_${count}`, against: "sdk1" })),
    { title: `start with ${many} tools, cold, ms`, figure: `ms_${many}`, against: "sdk1", atMost: 2.5 },
    { title: `start with ${many} tools, cached, ms`, figure: `cached_ms_${many}`, against: "sdk1" },
  ],
};

async function untilListed(contender, count) {
  const command = commandOf(contender, "stdio", count);
  try {
    return { cold: await oneStart(contender, command, count), cached: await oneStart(contender, command, count) };
  } finally {
    command.remove();
  }
}

async function oneStart(contender, command, count) {
  const server = startCommand(contender, command);
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
