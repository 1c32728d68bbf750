import { isAbsolute } from "node:path";
import type { NodePlatform } from "@fettle/kernel/node";
import { withoutExit } from "./withoutExit.js";

/** Modules of a project that is worked on, also across kernels. */
export interface DevModules {
  readonly platform: NodePlatform;
  /** The next imports look for changed files, whichever kernel asks. */
  nextGeneration(): void;
  /** These are plugins; what they import by paths counts as theirs. */
  expectPlugins(files: readonly string[]): void;
  /** Files of plugins that the config names by a path, and of what those import by paths. */
  pluginFiles(): ReadonlySet<string>;
}

/** Modules that are loaded anew when they were changed, those of plugins too. Packages are loaded once: their files aren't what is worked on. */
export function devModules(machine: NodePlatform): DevModules {
  const { modules } = machine;
  const packages = new Set<string>();
  const ofPlugins = new Set<string>();
  /** What was loaded before an import of a plugin that hasn't ended. */
  const before = new Map<string, ReadonlySet<string>>();
  const learnOfPlugins = (known: ReadonlySet<string>): void => {
    for (const file of modules.files()) if (!known.has(file)) ofPlugins.add(file);
  };
  let generation = 1;
  const platform: NodePlatform = {
    ...machine,
    modules: {
      ...modules,
      async resolve(specifier, fromFolder) {
        const file = await modules.resolve(specifier, fromFolder);
        if (file !== undefined && !isAbsolute(specifier)) packages.add(file);
        return file;
      },
      async import(path) {
        if (packages.has(path)) return modules.import(path, 0);
        if (!ofPlugins.has(path)) return withoutExit(() => modules.import(path, generation));
        const known = before.get(path) ?? new Set(modules.files());
        before.set(path, known);
        try {
          return await withoutExit(() => modules.import(path, generation));
        } finally {
          learnOfPlugins(known);
          before.delete(path);
        }
      },
    },
  };
  return {
    platform,
    nextGeneration() {
      generation += 1;
    },
    expectPlugins(files) {
      for (const file of files) ofPlugins.add(file);
    },
    pluginFiles() {
      for (const known of before.values()) learnOfPlugins(known);
      return ofPlugins;
    },
  };
}
