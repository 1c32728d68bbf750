import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { CONTENDERS } from "../contenders/contenders.mjs";

const PROBE = new URL("./memoryProbe.mjs", import.meta.url).href;

/** Clock ticks a second in /proc, which is 100 on every Linux that Node runs on. */
const TICKS = 100;

/** CPU time that a process has used, in microseconds. To the nanosecond where the kernel keeps that, else to 10 ms. */
export function cpuOf(pid) {
  return exactCpuOf(pid) ?? ticksOf(pid);
}

/** Of all threads that the process has now; those of Node live as long as it does. */
function exactCpuOf(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const spent = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]));
    const sum = spent.reduce((total, each) => total + each, 0);
    return sum > 0 ? sum / 1e3 : undefined;
  } catch {
    return undefined;
  }
}

function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS;
}

/**
 * Starts a contender on files of its own, which go when it is stopped.
 *
 * @param {string} name
 * @param {import("../contenders/contenders.mjs").Mode} mode
 * @param {number} count of tools
 */
export function startServer(name, mode, count) {
  const command = commandOf(name, mode, count);
  const server = startCommand(name, command);
  const stop = async () => {
    await server.stop();
    command.remove();
  };
  return { ...server, stop };
}

/** What starts a contender, as often as one likes. */
export function commandOf(name, mode, count) {
  return { remove: () => {}, ...CONTENDERS[name](mode, count) };
}

/** Starts a contender. The child's stderr is kept and told when it fails. */
export function startCommand(name, { args }) {
  const began = performance.now();
  const child = spawn(process.execPath, ["--expose-gc", "--import", PROBE, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => (stderr = (stderr + chunk).slice(-4_000)));
  const exited = once(child, "exit");
  const failed = exited.then(() => {
    throw new Error(`${name} ended: ${stderr}`);
  });
  failed.catch(() => {});
  return {
    child,
    pid: child.pid,
    /** When the process was started, on the clock of `performance.now()`. */
    began,
    failed,
    /** What the process holds after a garbage collection, in bytes: `live` in its heap and buffers, `rss` in RAM. */
    async memory() {
      const said = lineOf(child, /^memory (.*)$/);
      child.kill("SIGUSR2");
      return JSON.parse(await Promise.race([said, failed]));
    },
    /** The address, once it listens. */
    url: () => Promise.race([lineOf(child, /(http:\/\/127\.0\.0\.1:\d+)/), failed]),
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** What a pattern catches in the first line of a child's stderr that it fits. */
function lineOf(child, pattern) {
  return new Promise((resolve) => {
    const lines = createInterface({ input: child.stderr }).on("line", (line) => {
      const found = pattern.exec(line)?.[1];
      if (found === undefined) return;
      lines.close();
      resolve(found);
    });
  });
}
