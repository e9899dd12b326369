// `npx tsx scripts/mutants.ts list <commit> > mutants.json` draws two hundred small faults over every folder of a commit.
// `npx tsx scripts/mutants.ts run mutants.json [results.json]` plants each in this tree, one at a time, runs the unit
// tests that reach its file, and writes which of them failed. A line that is no longer there is reported as gone.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Chance, hashOf } from "../tests/fuzz/chance.ts";

type Mutant = { id: number; file: string; line: string; mutated: string };
type Result = Mutant & { outcome: "killed" | "survived" | "late" | "gone"; at?: string };

const HOW_MANY = 200;
const LONGEST_MS = 180_000;

/** Each replaces one thing by another of the same syntax, so that what is left still compiles. */
const FAULTS: [RegExp, string][] = [
  [/ === /, " !== "],
  [/ !== /, " === "],
  [/ < /, " >= "],
  [/ > /, " <= "],
  [/ <= /, " < "],
  [/ >= /, " > "],
  [/ && /, " || "],
  [/ \|\| /, " && "],
  [/ \+ /, " - "],
  [/ - /, " + "],
  [/ \* /, " + "],
  [/\btrue\b/, "false"],
  [/\bfalse\b/, "true"],
  [/\.some\(/, ".every("],
  [/\.every\(/, ".some("],
  [/\bif \((?!.*\{ \w)(.+)\)( \{| return| throw)/, "if (!($1))$2"],
  [/\b([2-9]|[1-9]\d+)\b(?!["'`\w-])/, "0"],
  [/Math\.max\(/, "Math.min("],
  [/Math\.min\(/, "Math.max("],
];

const isCode = (line: string) =>
  /^\s{2,}\S/.test(line) && !/^\s*(?:\/\/|\*|\/\*|import |export type|type |["'`])/.test(line);

const isProduct = (path: string) =>
  /^(app|db|worker|bin|packages)\/.*\.tsx?$/.test(path) &&
  !/\.test\.|testing|fixtures|playground|\.d\.ts$|packages\/checks/.test(path);

function list(commit: string): Mutant[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", maxBuffer: 1e8 });
  const paths = git("ls-tree", "-r", "--name-only", commit).split("\n").filter(isProduct);
  const page = git("show", `${commit}:docs/architecture.md`);
  const dirs = [...page.matchAll(/^\| `((?:app|db|worker|bin|packages)[\w/-]*)` \|/gm)].map(
    ([, dir = ""]) => dir,
  );
  const chance = new Chance(hashOf(commit));
  const dirOf = (path: string) =>
    dirs.filter((dir) => path.startsWith(`${dir}/`)).sort((a, b) => b.length - a.length)[0];
  const drawn: Mutant[] = [];
  for (let turn = 0; drawn.length < HOW_MANY; turn += 1) {
    const dir = dirs[turn % dirs.length];
    const here = paths.filter((path) => dirOf(path) === dir);
    if (here.length === 0) continue;
    const file = chance.pick(here);
    const text = git("show", `${commit}:${file}`);
    const lines = text.split("\n").filter((line) => isCode(line) && text.split(line).length === 2);
    if (lines.length === 0) continue;
    const line = chance.pick(lines);
    const fitting = FAULTS.filter(([what]) => what.test(line));
    if (fitting.length === 0) continue;
    const [what, by] = chance.pick(fitting);
    const mutated = line.replace(what, by);
    if (drawn.some((one) => one.file === file && one.mutated === mutated)) continue;
    drawn.push({ id: drawn.length, file, line, mutated });
  }
  return drawn;
}

/** Where the line is now: in its own file, or else in one of the same name, or in any that has it once. */
function placeOf({ file, line }: Mutant): string | null {
  const hasIt = (path: string) => readFileSync(path, "utf8").split(line).length === 2;
  if (existsSync(file) && hasIt(file)) return file;
  const paths = execFileSync("git", ["ls-files"], { encoding: "utf8" })
    .split("\n")
    .filter(isProduct);
  const holding = paths.filter((path) => existsSync(path) && hasIt(path));
  const named = holding.filter((path) => basename(path) === basename(file));
  const [place, ...others] = named.length > 0 ? named : holding;
  return others.length === 0 ? (place ?? null) : null;
}

function run(mutant: Mutant): Result {
  const place = placeOf(mutant);
  if (!place) return { ...mutant, outcome: "gone" };
  const text = readFileSync(place, "utf8");
  writeFileSync(
    place,
    text.replace(mutant.line, () => mutant.mutated),
  );
  // The tests beside it first: they kill most, in a tenth of the time.
  const tests = [
    ["run", dirname(place)],
    ["related", place, "--run"],
  ];
  try {
    for (const which of tests) {
      const args = [...which, "--project", "unit", "--bail", "1", "--passWithNoTests"];
      const { status } = spawnSync("node", ["node_modules/vitest/vitest.mjs", ...args], {
        timeout: LONGEST_MS,
        killSignal: "SIGKILL",
        env: { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}` },
      });
      // A fault that makes tests hang is not yet one that a test names.
      if (status !== 0)
        return { ...mutant, outcome: status === null ? "late" : "killed", at: place };
    }
    return { ...mutant, outcome: "survived", at: place };
  } finally {
    writeFileSync(place, text);
  }
}

const [mode, first = "", output = "mutants-results.json"] = process.argv.slice(2);
if (mode === "list") console.log(JSON.stringify(list(first), null, 1));
else {
  const results: Result[] = existsSync(output) ? JSON.parse(readFileSync(output, "utf8")) : [];
  const mutants: Mutant[] = JSON.parse(readFileSync(first, "utf8"));
  for (const mutant of mutants) {
    if (results.some(({ id }) => id === mutant.id)) continue;
    results.push(run(mutant));
    writeFileSync(output, JSON.stringify(results, null, 1));
  }
  const count = (outcome: string) => results.filter((one) => one.outcome === outcome).length;
  console.log(
    `${count("killed")} killed, ${count("survived")} survived, ${count("late")} late, ${count("gone")} gone`,
  );
}
