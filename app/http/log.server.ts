import { format } from "node:util";
import morgan from "morgan";
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from "pino";
import { escapePrinted } from "#app/dns/verdict/escape-untrusted.ts";
import type { Env } from "#app/env.server.ts";
import { version } from "../../package.json";
import { Repeats } from "./repeats.ts";

const ERROR = 50;
const STDOUT = 1;

const isError = (value: unknown): value is Error => value instanceof Error;

/** What makes two errors the same line: the message, and where the error came from. Null for any other line. */
function repeatKey([fields, message]: unknown[], level: number): string | null {
  const { err } = (typeof fields === "object" && fields ? fields : {}) as { err?: unknown };
  if (level < ERROR && err === undefined) return null;
  const cause = isError(err) ? (err.stack ?? err.message).slice(0, 500) : String(err);
  return `${level} ${String(message)} ${cause}`;
}

/**
 * The service's log: one JSON object a line, on standard output. The same error is printed at most once a minute, with
 * `repeated`, how often it was left out since. What is held back is printed at the end of the process, unless `stream`
 * takes the lines.
 */
export function createLog(level: LevelWithSilent, stream?: DestinationStream): Logger {
  const repeats = new Repeats();
  if (!stream) process.once("exit", () => repeats.flush());
  const options: pino.LoggerOptions = {
    level,
    base: null,
    hooks: {
      streamWrite: escapePrinted,
      logMethod(args, method, level) {
        const key = repeatKey(args, level);
        if (key === null) return method.apply(this, args);
        const [fields, ...rest] = args as [object, string];
        repeats.pass(key, (repeated) =>
          method.apply(this, [repeated > 0 ? { ...fields, repeated } : fields, ...rest]),
        );
      },
    },
  };
  return pino(options, stream ?? pino.destination(STDOUT));
}

/** Logs what a call of console would have printed. */
const logged =
  (log: Logger, level: "debug" | "info" | "warn" | "error") =>
  (...args: unknown[]): void => {
    const text = format(...args.map((arg) => (isError(arg) ? arg.message : arg)));
    const err = args.find(isError);
    // remix-serve reports its end with an empty line.
    if (args.length > 0 && text !== "undefined") log[level](err ? { err } : {}, text);
  };

/**
 * Moves all other output of the process to the log: what remix-serve, React and Node print, and an error that nothing
 * caught, which ends the process. remix-serve's line becomes "listening"; morgan's lines, which show addresses
 * with their secrets, are dropped in favour of the request log.
 */
export function redirectOutput(
  log: Logger,
  { HOST: host, PORT: port }: Pick<Env, "HOST" | "PORT">,
): void {
  morgan.format("tiny", () => null);
  for (const level of ["debug", "info", "warn", "error"] as const)
    console[level] = logged(log, level);
  console.log = (...args) => {
    if (String(args[0]).startsWith("[remix-serve]")) log.info({ version, host, port }, "listening");
    else console.info(...args);
  };
  // Node's own listener prints to standard error.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => log.warn({ warning: name }, message));
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "the process ends by an error that nothing caught");
    process.exit(1);
  });
}
