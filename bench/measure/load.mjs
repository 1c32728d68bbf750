import { cpuOf } from "./process.mjs";

const LANES = 32;
/** Calls after which the code of a server is compiled. Counted, since on a busy machine a time says nothing. */
const WARM_CALLS = 6_000;

/**
 * Calls with 32 requests in flight for `ms` milliseconds.
 *
 * @param {number} pid of the server, whose CPU time is measured
 * @param {(id: number) => Promise<any>} call
 * @param {(answer: any) => void} check throws at a wrong answer
 * @param {number} ms how long it is measured; six times that at most it is warmed up
 * @returns {Promise<{ per_second: number, cpu_us: number }>} calls a second, and the server's CPU time a call in microseconds
 */
export async function underLoad(pid, call, check, ms) {
  let id = 0;
  let end = performance.now() + ms * 6;
  let most = WARM_CALLS;
  let calls = 0;
  const lane = async () => {
    while (calls < most && performance.now() < end) {
      id += 1;
      check(await call(id));
      calls += 1;
    }
  };
  const lanes = () => Promise.all(Array.from({ length: LANES }, lane));
  await lanes();
  most = Number.POSITIVE_INFINITY;
  calls = 0;
  const began = performance.now();
  const cpu = cpuOf(pid);
  end = began + ms;
  await lanes();
  return { per_second: (calls / (performance.now() - began)) * 1_000, cpu_us: (cpuOf(pid) - cpu) / calls };
}
