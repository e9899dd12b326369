// What this checkout is called. The commit that the tag v<version> names is the release of package.json's version; any
// other is `<version>-dev.<commits>+<commit>`. `node scripts/release/version.mjs` prints it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const COMMIT_DIGITS = 10;

/** What git says, or null: without git, or without a history. */
function ofGit(...args) {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

/** An archive that GitHub makes of a commit has it in this file (.gitattributes). */
function ofArchive() {
  const [commit = "", seconds = "", names = ""] = readFileSync("scripts/release/commit.txt", "utf8")
    .trim()
    .split("|");
  if (commit.startsWith("$")) return null;
  return { commit, seconds, tags: [...names.matchAll(/tag: ([^,]+)/g)].map(([, tag]) => tag) };
}

function ofHistory() {
  const commit = ofGit("rev-parse", "HEAD");
  const seconds = ofGit("log", "-1", "--format=%ct");
  if (seconds === null) return null;
  const isWhole = ofGit("rev-parse", "--is-shallow-repository") === "false";
  return {
    commit,
    seconds,
    tags: ofGit("tag", "--points-at", "HEAD").split("\n"),
    commits: isWhole ? ofGit("rev-list", "--count", "HEAD") : null,
    // A container's build leaves files out, which changes nothing of what is built.
    isChanged: ofGit("diff", "--quiet", "--diff-filter=d", "HEAD") === null,
  };
}

/** Of an archive of one commit, of a checkout, or by DEED_COMMIT. Throws if nothing says what this is. */
export function buildOf(known = ofArchive() ?? ofHistory()) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const { DEED_COMMIT: handed, SOURCE_DATE_EPOCH } = process.env;
  const { commit, seconds, tags, commits, isChanged } = known ?? { commit: handed };
  if (!/^[0-9a-f]{40}$/.test(commit))
    throw new Error("No history says which commit this is: set DEED_COMMIT to its forty digits.");
  const date = Number(SOURCE_DATE_EPOCH ?? seconds);
  const built = { commit, committedAt: date ? new Date(date * 1_000).toISOString() : null };
  if (tags?.includes(`v${version}`) && !isChanged) return { version, ...built };
  const count = commits ? `.${commits}` : "";
  const changed = isChanged ? ".changed" : "";
  return {
    version: `${version}-dev${count}+${commit.slice(0, COMMIT_DIGITS)}${changed}`,
    ...built,
  };
}

/** As a version is written in names of files and tags. */
export const inName = (version) => version.replaceAll("+", ".");

/** Of what is in build/. */
export const builtFacts = () => JSON.parse(readFileSync("build/commands/facts.json", "utf8"));

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(buildOf().version);
