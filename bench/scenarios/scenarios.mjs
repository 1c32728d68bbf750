import { httpSessions, httpStateless } from "./http.mjs";
import { inProcess } from "./inProcess.mjs";
import { memory } from "./memory.mjs";
import { sessions } from "./sessions.mjs";
import { start } from "./start.mjs";
import { stdio } from "./stdio.mjs";
import { toolsList } from "./toolsList.mjs";
import { validation } from "./validation.mjs";

/**
 * What is measured. `measure` gives one round's figures of a contender; each row is one figure of Fettle's as a ratio to another's, or by
 * itself where there is no `against`, with the target that it should reach.
 *
 * @typedef {{ ms: number, many: number }} Settings `ms` a measurement lasts; `many` is the number of tools of a large server
 * @typedef {{ title: string, figure: string, against?: string, againstFigure?: string, atMost?: number, atLeast?: number }} Row
 * @type {readonly { name: string, contenders: string[], measure(contender: string, settings: Settings): Promise<Record<string, number>>, rows(many: number): Row[] }[]}
 */
export const SCENARIOS = [inProcess, stdio, httpStateless, httpSessions, toolsList, start, memory, sessions, validation];
