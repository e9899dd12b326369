import type { Command } from "commander";
import { withFile } from "#db/client.ts";
import { newestSchema } from "#db/migrate.ts";
import { buildFacts } from "#db/package-file.ts";
import { printJson, printTable } from "../support/output.ts";

export const HELP = `
The schema is the number of the newest migration this version applies to a database.

Examples:
  deed version
  deed version --json`;

export const register = (command: Command) =>
  command
    .description("print the versions of Deed and of what it runs on")
    .option("--json", "print JSON")
    .action(printVersions);

const sqliteVersion = (): string =>
  withFile(":memory:", {}, (db) => String(db.prepare("select sqlite_version()").pluck().get()));

function printVersions({ json }: { json?: true }): void {
  const facts = {
    ...buildFacts(),
    node: process.versions.node,
    sqlite: sqliteVersion(),
    schema: newestSchema(),
  };
  const { version: deed, ...others } = facts;
  if (json) printJson(facts);
  else printTable(Object.entries({ deed, ...others }).map(([name, value]) => [name, `${value}`]));
}
