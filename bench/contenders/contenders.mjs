import { fileURLToPath } from "node:url";
import { writeProject } from "../project.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** Contenders that know revision 2026-07-28. Without sessions the others are called as SDK 1.x has it: as in a session, but without its id. */
export const SPEAKS_STATELESS = new Set(["fettle"]);

/**
 * The commands that serve `count` tools. `remove` takes away what was written for it.
 *
 * @typedef {{ args: string[], remove?: () => void }} Command
 * @typedef {"stdio" | "stateless" | "sessions"} Mode
 * @type {Record<string, (mode: Mode, count: number) => Command>}
 */
export const CONTENDERS = {
  floor: (mode, count) => ({ args: [path("./floor.mjs"), mode === "stdio" ? "stdio" : "http", String(count)] }),
  sdk1: (mode, count) => ({ args: [path("./sdk1.mjs"), mode === "stdio" ? "stdio" : "http", String(count), mode] }),
  fettle: (mode, count) => {
    const { config, remove } = writeProject(count);
    const transport = mode === "stdio" ? ["--stdio"] : ["--http", "--port", "0"];
    return { args: [path("../node_modules/fettle/bin/fettle.js"), "serve", ...transport, "--config", config], remove };
  },
};
