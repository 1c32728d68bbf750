import { list } from "./messages.mjs";

/**
 * Asks for the whole list, page by page.
 *
 * @param {(message: any) => Promise<any>} request
 * @param {number} count how many tools there have to be
 */
export async function listAll(request, count) {
  let found = 0;
  let cursor;
  do {
    const { result } = await request(list(`list-${found}`, cursor));
    found += result.tools.length;
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  if (found !== count) throw new Error(`the list has ${found} tools in place of ${count}`);
}
