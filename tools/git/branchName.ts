import { inputError } from "fettle";
import { quoted } from "./gitErrors.js";
import type { WorkTree } from "./workTree.js";

const MAX_NAME = 200;

/** Names that git would take for something else than the branch when they are sent as a ref (gitrevisions(7)). */
const TAKEN: readonly { readonly test: RegExp; readonly why: string }[] = [
  { test: /^([0-9a-f]{40}|[0-9a-f]{64})$/i, why: "It has the form of a full commit hash, and git would take it for one." },
  { test: /^[Hh][Ee][Aa][Dd]$|^([A-Z]+_)+HEAD$|^@$/, why: "HEAD, FETCH_HEAD and their like name other things in git." },
  { test: /^(refs|heads|tags|remotes)\//i, why: "A name that begins with refs/, heads/, tags/ or remotes/ is read as the path of a ref and not as a branch." },
  { test: /@\{/, why: "@{ is how git asks for an earlier place of a branch." },
];

/** Whether git takes it for a branch and for nothing else, as far as the name itself tells. */
async function isPlain(tree: WorkTree, name: string): Promise<boolean> {
  if (name === "" || name.length > MAX_NAME || name.startsWith("-") || name.includes("\0") || TAKEN.some((rule) => rule.test.test(name))) return false;
  return (await tree.git(["check-ref-format", `refs/heads/${name}`], { accept: [0, 1] })).code === 0;
}

/** The tag or remote branch that the name would stand for as well. */
async function namesake(tree: WorkTree, name: string): Promise<string | undefined> {
  const others = [`refs/${name}`, `refs/tags/${name}`, `refs/remotes/${name}`, `refs/remotes/${name}/HEAD`];
  const run = await tree.git(["for-each-ref", "--format=%(refname)", ...others]);
  return run.stdout
    .toString("utf8")
    .split("\n")
    .find((ref) => others.includes(ref));
}

/** Letters, digits and what stands between them; undefined where the name was meant for something else, such as a shell or an expression. */
function mended(name: string): string | undefined {
  if (/@\{|[$`;|&<>(){}"'\0]/.test(name)) return undefined;
  const plain = name
    .normalize("NFC")
    .replace(/^(refs\/)?(heads|tags|remotes)\//i, "")
    .replace(/[^\p{L}\p{M}\p{N}._/+#-]+/gu, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/-{2,}/g, "-")
    .split("/")
    .map((part) => part.replace(/^[.-]+|(\.lock)+$|[.-]+$/g, ""))
    .filter(Boolean)
    .join("/")
    .slice(0, MAX_NAME);
  return /\p{L}/u.test(plain) ? plain : undefined;
}

/** The name, or else the name with a number, if one of them is valid and free. */
export async function freeName(tree: WorkTree, name: string | undefined): Promise<string | undefined> {
  if (name === undefined || !(await isPlain(tree, name))) return undefined;
  for (const candidate of [name, ...[2, 3, 4, 5].map((number) => `${name.replace(/-\d$/, "")}-${number}`)]) {
    if (!(await isPlain(tree, candidate)) || (await namesake(tree, candidate)) !== undefined) continue;
    // A branch of that name, or branches below it, or a branch that it would lie below.
    const above = candidate.split("/").map((_, i, parts) => `refs/heads/${parts.slice(0, i + 1).join("/")}`);
    const refs = (await tree.git(["for-each-ref", "--format=%(refname)", ...above])).stdout.toString("utf8").split("\n");
    if (!refs.some((ref) => above.includes(ref) || ref.startsWith(`refs/heads/${candidate}/`))) return candidate;
  }
  return undefined;
}

/**
 * Refuses what git refuses as a branch name (git-check-ref-format(1)), and what it would take for something else afterwards.
 *
 * @throws input_error `git/bad-branch-name`
 */
export async function checkBranchName(tree: WorkTree, name: string): Promise<void> {
  const plain = await isPlain(tree, name);
  const other = plain ? await namesake(tree, name) : undefined;
  if (plain && other === undefined) return;
  const suggestion = await freeName(tree, other === undefined ? mended(name) : `${name}-2`);
  throw inputError("git/bad-branch-name", {
    what:
      other === undefined
        ? `"${quoted(name)}" can't be the name of a branch.`
        : `"${quoted(name)}" can't be the name of a branch, because ${quoted(other)} exists.`,
    why:
      other !== undefined
        ? "git would take the name for that ref, and not for the branch, in some places."
        : (TAKEN.find((rule) => rule.test.test(name))?.why ??
          "A name has 1 to 200 characters, doesn't begin with -, holds no spaces, no .. and none of ~ ^ : ? * [ \\ @{, and no part of it begins with . or ends with . or .lock."),
    fix:
      suggestion === undefined
        ? "Send a name of letters, digits, hyphens and slashes, for example feature/login."
        : `Send a plain name, for example ${suggestion}`,
    details: suggestion === undefined ? {} : { suggestion },
  });
}
