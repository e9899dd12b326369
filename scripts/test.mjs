// `npm test`: installs what it needs, then runs lint, type check, and unit, service and browser tests, all at once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
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

/** How many cores nothing else uses at present, at least one. */
async function idleCores() {
  const idle = () => cpus().reduce((total, { times }) => total + times.idle, 0);
  const [before, from] = [idle(), Date.now()];
  await sleep(500);
  return Math.max(1, Math.round((idle() - before) / (Date.now() - from)));
}

const running = new Set();
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    isInterrupted = true;
    for (const child of running) child.kill(signal);
  });

/** Runs a tool of node_modules beside the others. Resolves with how it ended, and with what it printed unless it does so live. */
async function beside(tool, args, stdio = "pipe") {
  const child = spawn(process.execPath, [`node_modules/${tool}`, ...args], {
    stdio: ["ignore", stdio, stdio],
  });
  running.add(child);
  const texts = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ""));
  const [status] = await once(child, "exit");
  running.delete(child);
  return { status, printed: (await Promise.all(texts)).join("") };
}

async function check(name, tool, ...args) {
  const { status, printed } = await beside(tool, args);
  console.log(`\n== ${name}\n${printed}`);
  return { passed: 0, skipped: 0, failures: status === 0 ? [] : [`${name}: see above`] };
}

async function serverTests() {
  const reporters = ["--reporter=default", "--reporter=json"];
  const file = `--outputFile.json=${REPORTS}/vitest.json`;
  const projects = ["--project", "unit", "--project", "service"];
  const args = ["run", ...projects, ...reporters, file];
  const { status } = await beside("vitest/vitest.mjs", args, "inherit");
  return judged("unit and service tests", status, ofVitest(report("vitest.json")));
}

async function browserTests() {
  const { status, printed } = await beside("@playwright/test/cli.js", ["test"]);
  console.log(`\n== browser tests\n${printed}`);
  return judged("browser tests", status, ofPlaywright(report("browser.json")));
}

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
process.env.IDLE_CORES ??= String(await idleCores());
// Packing the product keeps one core busy.
const checks = [
  check("lint", "@biomejs/biome/bin/biome", "check", "."),
  check("types", "typescript/bin/tsc", "--noEmit"),
];
unpackProduct();
// In CI they run, and fail, without a browser.
const runsBrowser = bringChromium() !== null || process.env.CI;
const tallies = await Promise.all([
  serverTests(),
  ...(runsBrowser ? [browserTests()] : []),
  ...checks,
]);
const left = await endRun();
if (isInterrupted) process.exit(1);

const passedOver = existsSync(PASSED_OVER) ? readFileSync(PASSED_OVER, "utf8").split("\n") : [];
if (!runsBrowser) passedOver.push("the browser tests: for want of Chromium");
for (const one of new Set(passedOver.filter(Boolean))) console.warn(`PASSED OVER ${one}`);
const failures = tallies.flatMap((tally) => tally.failures);
failures.push(...left.map((name) => `the run left ${name} in the temporary folder`));
for (const failure of failures) console.error(`FAILED ${failure}`);
console.log(`\n${closingLine(tallies)}`);
process.exit(failures.length > 0 ? 1 : 0);
