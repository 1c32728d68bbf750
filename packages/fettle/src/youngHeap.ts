import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8's space for young objects at its first 2 MB. Modules and specs that are being loaded outlive so many of its collections that V8 makes it
 * sixteen times as large, and a server that then hardly allocates keeps those 32 MB. V8 reads the flag each time that it might grow the space.
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** From now on the space grows when traffic needs it, as is V8's default. */
export function letYoungHeapGrow(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
}
