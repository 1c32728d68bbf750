import { fileURLToPath } from "node:url";

/** The folder of this package, from the sources as from the build. */
export const packageFolder: string = fileURLToPath(new URL("..", import.meta.url));
