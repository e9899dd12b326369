// `npm test`: installs what it needs, then runs lint, type check, build, and unit, service and browser tests.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { ensureBuilt, run } from "./setup.mjs";

const REPORTS = ".cache/reports";

/** Runs one suite and adds up its counts; `count` also names what failed, for the last lines of a long output. */
function suite(name, command, args, count, env = {}) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const tally = count();
  totals.passed += tally.passed;
  totals.failed += tally.failed;
  failures.push(...(tally.failures ?? []));
  if (status !== 0 || tally.passed === 0) broken.push(name);
}

const report = (file) => {
  const path = `${REPORTS}/${file}`;
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
};

/** The tests of a file that failed, each with the first line of its reason. */
const failuresOf = ({ name, message, assertionResults }) => {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  const file = relative(process.cwd(), name);
  if (failed.length === 0 && message) return [`${file}: ${message.split("\n")[0]}`];
  return failed.map(
    ({ fullName, failureMessages }) =>
      `${file}: ${fullName}: ${failureMessages[0]?.split("\n")[0]}`,
  );
};

const vitest = (name, project) =>
  suite(
    name,
    "npx",
    [
      "vitest",
      "run",
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${REPORTS}/${project}.json`,
    ],
    () => {
      const result = report(`${project}.json`);
      return {
        passed: result?.numPassedTests ?? 0,
        failed: result?.numFailedTests ?? 0,
        failures: (result?.testResults ?? []).flatMap(failuresOf),
      };
    },
  );

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const totals = { passed: 0, failed: 0 };
const broken = [];
const failures = [];

console.log("\n== lint");
run("npx", ["biome", "check", "."]);
console.log("\n== types");
run("npx", ["tsc", "--noEmit"]);
ensureBuilt();
vitest("unit tests", "unit");
vitest("service tests", "service");
suite(
  "browser tests",
  "npx",
  ["playwright", "test"],
  () => {
    const stats = report("browser.json")?.stats;
    return { passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0) };
  },
  { PLAYWRIGHT_JSON_OUTPUT_NAME: `${REPORTS}/browser.json` },
);

for (const failure of failures) console.error(`FAILED ${failure}`);
if (broken.length > 0) console.error(`\nNot passed: ${broken.join(", ")}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(broken.length > 0 || totals.failed > 0 ? 1 : 0);
