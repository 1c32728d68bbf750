import type { ListName } from "@fettle/contract";
import type { Server } from "@modelcontextprotocol/server";

/** Tells the client of one connection or session which lists changed. Those that it was told nothing of are passed over. */
export async function announceLists(server: Server, lists: readonly ListName[]): Promise<void> {
  const offered = server.getCapabilities();
  if (lists.includes("tools")) await server.sendToolListChanged();
  if (lists.includes("prompts") && offered.prompts) await server.sendPromptListChanged();
  if (lists.includes("resources") && offered.resources) await server.sendResourceListChanged();
}
