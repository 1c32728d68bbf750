// The kernel's paths are absolute and made by node:path, which reads nothing.
export { basename, dirname, join, relative, resolve } from "node:path";
