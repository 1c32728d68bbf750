import { AsyncLocalStorage } from "node:async_hooks";

const loading = new AsyncLocalStorage<true>();
let isOn = false;

/** Loads a module that can't end the process: `process.exit` throws in it, also in what it does later, and so fails the load. */
export function withoutExit<T>(load: () => Promise<T>): Promise<T> {
  if (!isOn) {
    isOn = true;
    const { exit } = process;
    process.exit = (code) => {
      if (loading.getStore()) throw new Error(`it called process.exit(${code ?? ""})`);
      return exit.call(process, code);
    };
  }
  return loading.run(true, load);
}
