import { existsSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import Database from "better-sqlite3";
import type { Command } from "commander";
import { packageFile } from "#db/package-file.ts";
import { loadEnvironment } from "../support/environment.ts";
import { CommandError } from "../support/output.ts";

export const HELP = `
Stops within five seconds of SIGTERM or SIGINT, with exit code 0. A bad setting ends it with one line and code 78.

Examples:
  deed serve
  PORT=8080 DATA_DIR=/var/lib/deed deed serve`;

export const register = (command: Command) =>
  command.description("run the service until SIGTERM or SIGINT").action(serve);

async function serve(): Promise<void> {
  const build = packageFile("build/commands/index.js");
  if (!existsSync(build)) throw new CommandError(`${build} is missing: install Deed again`);
  limitHeap();
  // If SQLite's library does not load on this system, this says so in one line.
  new Database(":memory:").close();
  // NODE_ENV is set before remix-serve starts, which treats any value as production.
  loadEnvironment();
  // If 3000 is in use, remix-serve would take a random port, and the links in mails would be wrong.
  process.env.PORT ||= "3000";
  process.argv.splice(2, Number.POSITIVE_INFINITY, build);
  await import("@remix-run/serve/dist/cli.js");
}

/** V8's default is 128 MB, which it fills with requests' garbage before it collects any. */
const MIN_YOUNG_BYTES = 16 * 1024 * 1024;

const isGenerationSmall = () =>
  getHeapSpaceStatistics().some(
    ({ space_name, space_size }) => space_name === "new_space" && space_size < MIN_YOUNG_BYTES,
  );

/** Makes V8 collect garbage earlier. Both flags can be set while it runs, unlike --max-semi-space-size. */
export function limitHeap(): void {
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--semi-space-growth-factor=1");
  // An idle V8 also shrinks the young generation, so let it grow again.
  new PerformanceObserver(() =>
    setFlagsFromString(`--semi-space-growth-factor=${isGenerationSmall() ? 2 : 1}`),
  ).observe({ type: "gc" });
}
