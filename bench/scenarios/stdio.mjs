import { underLoad } from "../measure/load.mjs";
import { badCall, checkBad, checkGood, goodCall, initialize, initialized } from "../measure/messages.mjs";
import { startServer } from "../measure/process.mjs";
import { StdioClient } from "../measure/stdioClient.mjs";

/** Calls over stdio with 32 in flight. */
export const stdio = {
  name: "stdio",
  contenders: ["floor", "sdk1", "fettle"],
  async measure(contender, { ms }) {
    const server = startServer(contender, "stdio", 3);
    try {
      const client = new StdioClient(server);
      await client.request(initialize("open"));
      client.notify(initialized);
      const good = await underLoad(server.pid, (id) => client.request(goodCall(id)), checkGood, ms);
      const bad = await underLoad(server.pid, (id) => client.request(badCall(`bad-${id}`)), checkBad, ms);
      return { good_per_second: good.per_second, bad_per_second: bad.per_second };
    } finally {
      await server.stop();
    }
  },
  rows: () => [
    { title: "valid calls a second", figure: "good_per_second", against: "sdk1", atLeast: 0.7 },
    { title: "invalid calls a second", figure: "bad_per_second", against: "sdk1" },
  ],
};
