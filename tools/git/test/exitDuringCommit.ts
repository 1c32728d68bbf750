// A server's process that ends while a commit's hook runs. Arguments: the file that the hook writes its process id to, and how to end.
import { readFile } from "node:fs/promises";
import { openTools } from "./openTools.js";

const [, , pid = "", how = ""] = process.argv;
const { kernel } = await openTools(process.env);
void kernel.call("git_commit", { message: "x", all_tracked: true });
while ((await readFile(pid, "utf8").catch(() => "")) === "") await new Promise((resolve) => setTimeout(resolve, 20));
if (how === "close") {
  // What a server does that is told to stop: calls are given up, and the process doesn't wait for ever.
  void kernel.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
}
process.exit(0);
