import { SPEAKS_STATELESS } from "../contenders/contenders.mjs";
import { HttpClient } from "../measure/httpClient.mjs";
import { underLoad } from "../measure/load.mjs";
import { checkGood, goodCall } from "../measure/messages.mjs";
import { startServer } from "../measure/process.mjs";

const FEW = 3;

/** CPU time of the server for a call over HTTP, with 32 connections. */
const http = (mode, title, target) => ({
  name: `http-${mode}`,
  contenders: ["floor", "sdk1", "fettle"],
  measure: async (contender, { ms, many }) => ({ few_us: await cpuACall(contender, mode, FEW, ms), many_us: await cpuACall(contender, mode, many, ms) }),
  rows: (many) => [
    { title: `${title}, ${FEW} tools, CPU us`, figure: "few_us", against: "sdk1", ...target },
    { title: `${title}, ${many} tools, CPU us`, figure: "many_us", against: "sdk1", ...target },
    { title: `${title}, ${many} tools against its own ${FEW}`, figure: "many_us", against: "fettle", againstFigure: "few_us", atMost: 1.3 },
  ],
});

async function cpuACall(contender, mode, count, ms) {
  const server = startServer(contender, mode, count);
  try {
    const client = new HttpClient(await server.url(), mode === "stateless" && SPEAKS_STATELESS.has(contender));
    if (mode === "sessions") await client.open();
    const { cpu_us } = await underLoad(server.pid, (id) => client.request(goodCall(id)), checkGood, ms);
    await client.close();
    return cpu_us;
  } finally {
    await server.stop();
  }
}

export const httpStateless = http("stateless", "stateless", { atMost: 0.8 });
export const httpSessions = http("sessions", "with sessions", {});
