import { inspect } from "node:util";
import { Command, CommanderError } from "commander";
import { buildFacts } from "#db/package-file.ts";
import { CommandError, EXIT } from "./support/output.ts";

export { guardTerminal } from "./support/output.ts";

type Module = { HELP: string; register(command: Command): unknown };

/** The commands, in the order of the help. Only the requested one is loaded. */
const COMMANDS: Record<string, () => Promise<Module>> = {
  serve: () => import("./commands/serve.ts"),
  demo: () => import("./commands/demo.ts"),
  check: () => import("./commands/check.ts"),
  doctor: () => import("./commands/doctor.ts"),
  verify: () => import("./commands/verify.ts"),
  backup: () => import("./commands/backup.ts"),
  restore: () => import("./commands/restore.ts"),
  keys: () => import("./commands/keys.ts"),
  users: () => import("./commands/users.ts"),
  config: () => import("./commands/config.ts"),
  health: () => import("./commands/health.ts"),
  version: () => import("./commands/version.ts"),
};

const AFTER_HELP = `
Settings are environment variables, also read from .env in the working directory. Relative paths, such as ./data, start at the working directory.

Exit codes: 0 success, 1 failure, 2 wrong usage, 78 a bad setting. A command with further codes lists them in its help.`;

async function createProgram(name: string | undefined, version: string): Promise<Command> {
  const program = new Command("deed")
    .description("Proves control of a domain name with one TXT record.")
    .version(version)
    // Without this, a value that begins with -V, as one key in 4,096 does, would print the version.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("Run with --help for usage.")
    .helpCommand(false)
    .addHelpText("after", AFTER_HELP);
  const all = Object.entries(COMMANDS);
  const requested = all.filter(([command]) => command === name);
  for (const [command, load] of requested.length > 0 ? requested : all) {
    const { HELP, register } = await load();
    register(program.command(command).addHelpText("after", HELP));
  }
  return program;
}

/** Explains an error of SQLite's library, which is compiled for one system; null for any other error. */
function libraryFault(error: unknown): string | null {
  const { code, message = "" } = error as NodeJS.ErrnoException;
  const isMissing = code === "MODULE_NOT_FOUND" && message.includes("better_sqlite3");
  if (!(error instanceof Error) || (code !== "ERR_DLOPEN_FAILED" && !isMissing)) return null;
  const { platform, arch, versions } = process;
  const [reason] = message.split("\n");
  return `SQLite's library does not load on ${platform}-${arch} with Node ${versions.node}: ${reason}`;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CommandError) {
    console.error(error.message);
    return error.exitCode;
  }
  console.error(libraryFault(error) ?? inspect(error));
  return EXIT.failure;
}

export async function run(args: string[], version = buildFacts().version): Promise<void> {
  try {
    await (await createProgram(args[0], version)).parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}
