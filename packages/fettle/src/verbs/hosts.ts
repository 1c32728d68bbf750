import { basename, join } from "node:path";
import { createLog } from "../log.js";
import { openProject, requireConfig } from "../project.js";
import { type HostEntry, hostEntries, serverName } from "../scaffold/hostEntries.js";
import { installation } from "../scaffold/installation.js";
import { installedAt } from "../scaffold/installedAt.js";
import type { Terminal } from "../terminal.js";

export interface HostsOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** `fettle hosts`: prints the entry that makes each of the common hosts start this project's server. */
export async function hosts(options: HostsOptions, terminal: Terminal): Promise<number> {
  const project = await openProject(options, terminal, createLog(terminal, "warn"));
  const { file, folder } = requireConfig(project);
  const { server } = project.config.config;
  const entries = projectEntries({ name: server?.name ?? basename(folder), file, program: installedAt(folder) ?? installation().folder });
  terminal.out(options.json ? `${JSON.stringify({ hosts: entries }, null, 2)}\n` : entriesText(entries, terminal));
  return 0;
}

/**
 * The entries of a project, with absolute paths: hosts start servers in folders of their own, and some without a PATH.
 *
 * @param server its name, the file of its config, and the folder of the package `fettle`
 */
export function projectEntries(server: { readonly name: string; readonly file: string; readonly program: string }): readonly HostEntry[] {
  const args = [join(server.program, "bin/fettle.js"), "serve", "--stdio", "--config", server.file];
  return hostEntries({ name: serverName(server.name), command: process.execPath, args });
}

/** The entries as people read and paste them. */
export function entriesText(entries: readonly HostEntry[], { outPaint }: Pick<Terminal, "outPaint">): string {
  return entries.map(({ host, where, text }) => `${outPaint("strong", host)}: ${where}\n\n${text}\n`).join("\n");
}
