import { AsyncResource } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { format } from "node:util";
import { escapePrinted, escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";
import morgan from "morgan";
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from "pino";
import type { Log } from "#app/core/context.server.ts";
import { maskKeys } from "#app/core/ids.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { connections, type Site } from "./connection.server.ts";
import { observeRequest } from "./metrics.server.ts";

const REPEAT_EVERY_MS = 60_000;
const MAX_LINES = 100;

/** `repeated` is the number of repeats not printed since the last line; 0 the first time. */
type Print = (repeated: number) => void;

/** Prints a line at once, and its repeats within a minute as one line; after 100 lines the oldest is printed early. */
class Repeats {
  readonly #lines = new Map<string, { repeated: number; print: Print; timer: NodeJS.Timeout }>();

  /** If several lines wait under one key, only the newest is printed. */
  printOnce(key: string, print: Print): void {
    const line = this.#lines.get(key);
    if (line) {
      line.repeated += 1;
      line.print = print;
      return;
    }
    const [oldest] = this.#lines.keys();
    if (oldest !== undefined && this.#lines.size >= MAX_LINES) this.#printRepeats(oldest);
    print(0);
    this.#remember(key, print);
  }

  flush(): void {
    for (const key of [...this.#lines.keys()]) this.#printRepeats(key);
  }

  #remember(key: string, print: Print): void {
    const timer = setTimeout(() => {
      if (this.#printRepeats(key)) this.#remember(key, print);
    }, REPEAT_EVERY_MS).unref();
    this.#lines.set(key, { repeated: 0, print, timer });
  }

  #printRepeats(key: string): boolean {
    const line = this.#lines.get(key);
    if (!line) return false;
    this.#lines.delete(key);
    clearTimeout(line.timer);
    if (line.repeated > 0) line.print(line.repeated);
    return line.repeated > 0;
  }
}

const isError = (value: unknown): value is Error => value instanceof Error;

/** Returns one key for all errors with the same message and place; null for lines that are always printed. */
function repeatKey([fields, message]: unknown[], level: number): string | null {
  const { err } = (typeof fields === "object" && fields ? fields : {}) as { err?: unknown };
  if (level < 50 && err === undefined) return null;
  const cause = isError(err) ? (err.stack ?? err.message).slice(0, 500) : String(err);
  return `${level} ${String(message)} ${cause}`;
}

/**
 * Logs one JSON object per line to standard output. The same error is printed at most once a minute; `repeated` counts those not
 * printed. Without `stream`, waiting lines are printed when the process ends.
 */
export function createLog(level: LevelWithSilent, stream?: DestinationStream): Logger {
  const repeats = new Repeats();
  if (!stream) process.once("exit", () => repeats.flush());
  const hooks: pino.LoggerOptions["hooks"] = {
    streamWrite: escapePrinted,
    logMethod(args, method, level) {
      const key = repeatKey(args, level);
      if (key === null) return method.apply(this, args);
      const [fields, ...rest] = args as [object, string];
      const print: Print = (repeated) =>
        method.apply(this, [repeated > 0 ? { ...fields, repeated } : fields, ...rest]);
      // The line may be printed later, during another request.
      repeats.printOnce(key, AsyncResource.bind(print));
    },
  };
  const mixin = () => ({ requestId: connections.getStore()?.requestId });
  return pino({ level, base: null, hooks, mixin }, stream ?? pino.destination(1));
}

const logFunction =
  (log: Logger, level: "debug" | "info" | "warn" | "error") =>
  (...args: unknown[]): void => {
    const text = format(...args.map((arg) => (isError(arg) ? arg.message : arg)));
    const err = args.find(isError);
    // When remix-serve ends, it prints an empty line.
    if (args.length > 0 && text !== "undefined") log[level](err ? { err } : {}, text);
  };

/** Also logs what remix-serve, React and Node print. Drops morgan's lines, which show secrets in URLs. */
export function redirectOutput(
  log: Logger,
  { HOST: host, PORT: port }: Pick<Env, "HOST" | "PORT">,
  version: string,
): void {
  morgan.format("tiny", () => null);
  for (const level of ["debug", "info", "warn", "error"] as const)
    console[level] = logFunction(log, level);
  console.log = (...args) => {
    if (String(args[0]).startsWith("[remix-serve]")) log.info({ version, host, port }, "listening");
    else console.info(...args);
  };
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => log.warn({ warning: name }, message));
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "the process ends because of an error that nothing caught");
    process.exit(1);
  });
}

const BEFORE_SLUG = /(\/(?:p|h|w|m|gate|proofs|handoffs|proof_links)\/)[^/?#]+/gi;
/** Matches slugs, but not ids, which have a prefix; the digits of a token; and the value of a record to check. */
const SECRET = /(?<![0-9a-z_])[0-9a-hjkmnp-tv-z]{16,}|[0-9a-f]{40}|(?<=[?&]value=).+/gis;
const MAX_TARGET_LENGTH = 512;

/** Decodes a URL, or returns it unchanged if it has a broken escape. */
export const decodeIfPossible = (url: string) => {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
};

/** Writes "*" in a URL for each slug, token, value and secret of an API key. A URL with secrets is decoded. Cuts it at 512 characters. */
export function loggedTarget(url: string): string {
  const decodedUrl = decodeIfPossible(url);
  const maskedUrl = maskKeys(decodedUrl).replace(BEFORE_SLUG, "$1*").replace(SECRET, "*");
  return escapeUntrusted(maskedUrl === decodedUrl ? url : maskedUrl, MAX_TARGET_LENGTH);
}

const FILE_PATH = /^\/(?:build\/|favicon|preview\.png|robots\.txt)/;

const isStream = (response: ServerResponse) =>
  String(response.getHeader("Content-Type")).startsWith("text/event-stream");

/** Logs requests in place of morgan, except for files that were found. */
export const withRequestLog =
  (log: Log, site: Site): Site =>
  (request, response, connection) => {
    const startedAt = performance.now();
    const { requestId, sent } = connection;
    const { method, url } = sent;
    response.once("close", () => {
      if (FILE_PATH.test(url) && response.headersSent && response.statusCode < 400) return;
      // The status is null if the client left before an answer.
      const status = response.headersSent ? response.statusCode : null;
      const ms = Math.round(1_000 * (performance.now() - startedAt)) / 1_000;
      if (!isStream(response)) observeRequest(connection.api ? "api" : "page", status, ms);
      log.info({ requestId, method, path: loggedTarget(url), status, ms }, "request");
    });
    site(request, response, connection);
  };
