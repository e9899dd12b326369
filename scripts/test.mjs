// `npm test`: installs what it needs, then runs lint, type check, build, and unit, service and browser tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { text } from "node:stream/consumers";
import { bringChromium } from "../tests/support/chromium.ts";
import { endRun } from "../tests/support/run.ts";
import { unpackProduct } from "./product.mjs";
import { closingLine, judged, ofPlaywright, ofVitest } from "./tally.ts";

const REPORTS = ".cache/reports";
const PASSED_OVER = `${REPORTS}/passed-over.txt`;

const report = (file) => {
  const path = `${REPORTS}/${file}`;
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
};

/** Runs one suite with a tool of node_modules; `tally` reads what it came to. */
async function suite(name, tool, args, tally) {
  console.log(`\n== ${name}`);
  const child = spawn(process.execPath, [`node_modules/${tool}`, ...args], { stdio: "inherit" });
  let interrupted = null;
  // The suite ends first, and tells how.
  const stop = (signal) => {
    interrupted = signal;
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  const [status] = await once(child, "exit");
  if (interrupted) {
    await endRun();
    process.exit(1);
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, stop);
  tallies.push(judged(name, status, tally()));
}

const vitest = (name, project) => {
  const reporters = ["--reporter=default", "--reporter=json"];
  const file = `--outputFile.json=${REPORTS}/${project}.json`;
  const args = ["run", "--project", project, ...reporters, file];
  return suite(name, "vitest/vitest.mjs", args, () => ofVitest(report(`${project}.json`)));
};

/** Runs a check beside what follows. Returns what waits for its end and prints it; if it failed, this process ends. */
function beside(name, ...command) {
  const child = spawn("npx", command, { stdio: ["ignore", "pipe", "pipe"] });
  const texts = [child.stdout, child.stderr].map((stream) => text(stream));
  const ended = once(child, "exit");
  return async () => {
    const [status] = await ended;
    console.log(`\n== ${name}\n${(await Promise.all(texts)).join("")}`);
    if (status !== 0) process.exit(status ?? 1);
  };
}

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const tallies = [];

const checks = [beside("lint", "biome", "check", "."), beside("types", "tsc", "--noEmit")];
unpackProduct();
for (const ended of checks) await ended();
// In CI they run, and fail, without a browser.
const runsBrowser = bringChromium() !== null || process.env.CI;
await vitest("unit tests", "unit");
await vitest("service tests", "service");
if (runsBrowser)
  await suite("browser tests", "@playwright/test/cli.js", ["test"], () =>
    ofPlaywright(report("browser.json")),
  );
const left = await endRun();

const passedOver = existsSync(PASSED_OVER) ? readFileSync(PASSED_OVER, "utf8").split("\n") : [];
if (!runsBrowser) passedOver.push("the browser tests: for want of Chromium");
for (const one of new Set(passedOver.filter(Boolean))) console.warn(`PASSED OVER ${one}`);
const failures = tallies.flatMap((tally) => tally.failures);
failures.push(...left.map((name) => `the run left ${name} in the temporary folder`));
for (const failure of failures) console.error(`FAILED ${failure}`);
console.log(`\n${closingLine(tallies)}`);
process.exit(failures.length > 0 ? 1 : 0);
