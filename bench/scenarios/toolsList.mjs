import { HttpClient } from "../measure/httpClient.mjs";
import { listAll } from "../measure/listAll.mjs";
import { cpuOf, startServer } from "../measure/process.mjs";

/** The whole list of many tools, page by page where there are pages, in CPU time of the server. */
export const toolsList = {
  name: "tools-list",
  contenders: ["floor", "sdk1", "fettle"],
  async measure(contender, { ms, many }) {
    const server = startServer(contender, "sessions", many);
    try {
      const client = new HttpClient(await server.url(), false);
      await client.open();
      const request = (message) => client.request(message);
      await listAll(request, many);
      const cpu = cpuOf(server.pid);
      const end = performance.now() + ms;
      let lists = 0;
      while (performance.now() < end) {
        await listAll(request, many);
        lists += 1;
      }
      const used = cpuOf(server.pid) - cpu;
      await client.close();
      return { cpu_us: used / lists };
    } finally {
      await server.stop();
    }
  },
  rows: (many) => [{ title: `list of ${many} tools, CPU us`, figure: "cpu_us", against: "sdk1", atMost: 0.2 }],
};
