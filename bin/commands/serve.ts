import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { Command } from "commander";
import { packageFile } from "#db/package-file.ts";
import { boundHeap } from "../support/bounded-heap.ts";
import { loadDotEnv } from "../support/environment.ts";
import { CommandError } from "../support/output.ts";

export const register = (program: Command): void => {
  program
    .command("serve")
    .description("run the service until SIGTERM or SIGINT")
    .addHelpText(
      "after",
      `
Stops within five seconds of SIGTERM or SIGINT, with exit code 0. A bad setting ends it with one line and code 1.

Examples:
  deed serve
  PORT=8080 DATA_DIR=/var/lib/deed deed serve`,
    )
    .action(serve);
};

/** Starts the built service on remix-serve. Resolves when remix-serve has been loaded; the server keeps running. */
async function serve(): Promise<void> {
  const build = packageFile("build/commands/index.js");
  if (!existsSync(build)) throw new CommandError(`${build} is missing: install Deed again`);
  boundHeap();
  // If SQLite's library does not load on this system, says so now, in one line.
  new Database(":memory:").close();
  loadDotEnv();
  process.env.NODE_ENV ||= "production";
  // If 3000 is in use, remix-serve would take a random port, and links in mails would lead nowhere.
  process.env.PORT ||= "3000";
  process.argv.splice(2, Number.POSITIVE_INFINITY, build);
  await import("@remix-run/serve/dist/cli.js");
}
