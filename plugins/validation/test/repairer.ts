import { mendRule, mendType, renamed } from "./repairer/mendValue.js";
import type { Path } from "./repairer/reader.js";
import { type Complaint, readMessage, valueWanted } from "./repairer/readMessage.js";

/** One change to the arguments that were sent. Paths are those of the message, so of the arguments before any change. */
type Change =
  | { readonly kind: "put"; readonly path: Path; readonly to: (value: unknown) => unknown }
  | { readonly kind: "rename"; readonly path: Path; readonly to: string }
  | { readonly kind: "remove"; readonly path: Path };

/**
 * Mends arguments by what the message about them says, and by nothing else: what a model knows that has forgotten the tool.
 *
 * It is written from the grammar in docs/validation.md, and is how the message is tested: where it fails, the message is unclear or the grammar wrong.
 *
 * @param args what was sent
 * @param message the text of the refusal, as a model sees it
 * @returns a copy that is mended as far as the message says how
 */
export function repairByMessage(args: unknown, message: string): unknown {
  const changes = readMessage(message).flatMap((complaint) => [...changesFor(complaint, args)]);
  const root: { args: unknown } = { args: structuredClone(args) };
  // From the outside in, since a text may have to be read before something inside of it can be mended; what is taken out last and from behind.
  const puts = changes.filter((change) => change.kind === "put").sort((a, b) => a.path.length - b.path.length);
  for (const { path, to } of puts) put(root, path, to);
  for (const change of changes) if (change.kind === "rename") rename(root, change.path, change.to);
  const removals = changes.filter((change) => change.kind === "remove").sort((a, b) => comparePaths(b.path, a.path));
  for (const { path } of removals) remove(root, path);
  return root.args;
}

function* changesFor(complaint: Complaint, args: unknown): Iterable<Change> {
  const { kind } = complaint;
  if (kind === "unknown") yield* forUnknown(complaint, args);
  else if (kind === "more-unknown") for (const path of complaint.paths) yield { kind: "remove", path };
  else if (kind === "missing" || kind === "requires") yield* forMissing(complaint);
  else if (kind === "not-allowed") yield { kind: "remove", path: complaint.path };
  else if (kind === "rule" && complaint.isName) {
    const to = renamed(complaint);
    if (to !== undefined) yield { kind: "rename", path: complaint.path, to };
  } else if (complaint.hint.startsWith("Leave it out")) {
    if (kind === "type" && /\bnull\b/u.test(complaint.expected)) yield { kind: "put", path: complaint.path, to: () => null };
    else yield { kind: "remove", path: complaint.path };
  } else yield { kind: "put", path: complaint.path, to: (value) => (complaint.kind === "type" ? mendType(complaint, value) : mendRule(complaint, value)) };
}

function* forUnknown(complaint: Extract<Complaint, { kind: "unknown" }>, args: unknown): Iterable<Change> {
  const { path, suggestion, allowed, patterns } = complaint;
  const meant = suggestion ?? (patterns === undefined ? undefined : renamed({ path, rule: `match pattern ${patterns}`, hint: "" }));
  yield meant === undefined ? { kind: "remove", path } : { kind: "rename", path, to: meant };
  if (!allowed?.all) return;
  // Where all that is allowed is said, so is what isn't, even where it isn't named.
  const owner = valueAt(args, path.slice(0, -1));
  for (const key of typeof owner === "object" && owner !== null ? Object.keys(owner) : [])
    if (key !== path.at(-1) && !allowed.names.includes(key)) yield { kind: "remove", path: [...path.slice(0, -1), key] };
}

function* forMissing(complaint: Extract<Complaint, { kind: "missing" | "requires" }>): Iterable<Change> {
  const { path, wanted } = complaint;
  if (complaint.kind === "missing" && complaint.stray !== undefined && complaint.meant !== undefined) {
    yield { kind: "rename", path: [...path.slice(0, -1), complaint.stray], to: complaint.meant };
    return;
  }
  const known = valueWanted(wanted);
  if (known !== undefined) yield { kind: "put", path, to: () => known.value };
  // What has to be in it is told next.
  else if (/^, object\b/u.test(wanted)) yield { kind: "put", path, to: () => ({}) };
}

type Root = { args: unknown };

function ownerOf(root: Root, path: Path): Record<string | number, unknown> | undefined {
  const owner = valueAt(root, ["args", ...path].slice(0, -1));
  return typeof owner === "object" && owner !== null ? (owner as Record<string | number, unknown>) : undefined;
}

function valueAt(from: unknown, path: Path): unknown {
  let at = from;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

function set(owner: object, key: string | number, value: unknown): void {
  Object.defineProperty(owner, key, { value, writable: true, enumerable: true, configurable: true });
}

function put(root: Root, path: Path, to: (value: unknown) => unknown): void {
  const owner = ownerOf(root, path);
  if (owner !== undefined) set(owner, path.at(-1) ?? "args", to(valueAt(root, ["args", ...path])));
}

function rename(root: Root, path: Path, to: string): void {
  const owner = ownerOf(root, path);
  const from = path.at(-1);
  if (owner === undefined || from === undefined || !Object.hasOwn(owner, from) || Object.hasOwn(owner, to)) return;
  set(owner, to, owner[from]);
  delete owner[from];
}

function remove(root: Root, path: Path): void {
  const owner = ownerOf(root, path);
  const key = path.at(-1);
  if (owner === undefined || key === undefined) return;
  if (Array.isArray(owner)) owner.splice(Number(key), 1);
  else delete owner[key];
}

/** By index where indexes differ, so that what is behind is taken out first. */
function comparePaths(a: Path, b: Path): number {
  for (const [i, step] of a.entries()) {
    const other = b[i];
    if (typeof step === "number" && typeof other === "number" && step !== other) return step - other;
  }
  return a.length - b.length;
}
