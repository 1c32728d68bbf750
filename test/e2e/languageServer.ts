import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node.js";
import { ROOT } from "./runCli.js";

const SERVER = join(ROOT, "test/programs/node_modules/yaml-language-server/bin/yaml-language-server");

export interface EditorProblem {
  readonly message: string;
  readonly severity: number;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/** An editor with the YAML extension: what people see under their cursor. */
export interface Editor {
  /** Opens a file with that text, or puts it into the open one, and gives what the editor underlines in it. */
  problems(file: string, text: string): Promise<readonly EditorProblem[]>;
  /** What is proposed at a place of an open file; both count from 0. */
  completions(file: string, line: number, character: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Starts the language server that editors use for YAML, with the settings that it comes with. It gets no schemas but those that files name. */
export async function openEditor(folder: string): Promise<Editor> {
  const child = spawn(process.execPath, [SERVER, "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const versions = new Map<string, number>();
  const waiting = new Map<string, (problems: readonly EditorProblem[]) => void>();
  connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }: { uri: string; diagnostics: EditorProblem[] }) => {
    waiting.get(uri)?.(diagnostics);
    waiting.delete(uri);
  });
  connection.onRequest("workspace/configuration", ({ items }: { items: unknown[] }) => items.map(() => ({})));
  connection.onRequest("client/registerCapability", () => null);
  connection.listen();
  const rootUri = pathToFileURL(folder).href;
  const workspaceFolders = [{ uri: rootUri, name: "project" }];
  await connection.sendRequest("initialize", { processId: process.pid, rootUri, workspaceFolders, capabilities: { textDocument: { completion: {} } } });
  await connection.sendNotification("initialized", {});
  const settings = { yaml: { validate: true, completion: true, schemaStore: { enable: false } } };
  await connection.sendNotification("workspace/didChangeConfiguration", { settings });

  return {
    problems(file, text) {
      const uri = pathToFileURL(file).href;
      return new Promise((resolve) => {
        waiting.set(uri, resolve);
        const version = (versions.get(uri) ?? 0) + 1;
        versions.set(uri, version);
        void (version === 1
          ? connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version, text } })
          : connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] }));
      });
    },
    async completions(file, line, character) {
      const textDocument = { uri: pathToFileURL(file).href };
      const answer = await connection.sendRequest<{ items: { label: string }[] } | { label: string }[] | null>("textDocument/completion", {
        textDocument,
        position: { line, character },
      });
      const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
      return items.map(({ label }) => label);
    },
    async close() {
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      connection.dispose();
      child.kill();
    },
  };
}
