import { HttpClient } from "../measure/httpClient.mjs";
import { cpuOf, startServer } from "../measure/process.mjs";

const WARM_UP = 300;
const SESSIONS = 800;

/** What it takes to open a session of the older era, and what an open one holds. */
export const sessions = {
  name: "sessions",
  contenders: ["sdk1", "fettle"],
  async measure(contender) {
    const server = startServer(contender, "sessions", 3);
    try {
      const client = new HttpClient(await server.url(), false);
      for (let i = 0; i < WARM_UP; i++) await client.open();
      const before = await server.memory();
      const cpu = cpuOf(server.pid);
      for (let i = 0; i < SESSIONS; i++) await client.open();
      const used = cpuOf(server.pid) - cpu;
      const after = await server.memory();
      await client.close();
      return { open_us: used / SESSIONS, kilobytes: (after.live - before.live) / SESSIONS / 1e3 };
    } finally {
      await server.stop();
    }
  },
  rows: () => [
    { title: "opening a session, CPU us", figure: "open_us", against: "sdk1", atMost: 0.5 },
    { title: "an open session, KB", figure: "kilobytes", against: "sdk1", atMost: 0.5 },
  ],
};
