/** Names that file systems take for `.git`: other case, trailing dots and spaces, 8.3 names, ignorable characters (CVE-2014-9390). */
export function isGitFolderName(name: string): boolean {
  const plain = name
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/g, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return plain === ".git" || plain === "git~1";
}
