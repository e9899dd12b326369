import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { LoaderFunctionArgs } from "@remix-run/node";
import pino from "pino";
import { createMailer } from "#app/auth/mail.server.ts";
import { createReader } from "#app/dns/create-reader.ts";
import { IANA_ROOT_HINTS, parseRootHints } from "#app/dns/root-hints.ts";
import { type App, getApp, provideApp } from "#app/http/app.server.ts";
import { watchConnections } from "#app/http/connection.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { startWorker } from "#worker/index.ts";
import { type Env, EnvironmentError, parseEnvironment } from "./env.server.ts";

/** Longest a stop may take before open connections are cut. */
const SHUTDOWN_MS = 5_000;

/** The build is imported anew on every rebuild in development; the one before must let go first. */
const RUNNING = Symbol.for("deed.running");
const registry = globalThis as { [RUNNING]?: () => Promise<void> };

function environmentOrExit(): Env {
  try {
    return parseEnvironment(process.env);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const rootHints = (env: Env) =>
  env.DNS_ROOT_HINTS ? parseRootHints(readFileSync(env.DNS_ROOT_HINTS, "utf8")) : IANA_ROOT_HINTS;

const version = (): string => JSON.parse(readFileSync("package.json", "utf8")).version;

/**
 * The composition root: environment, database, reader, mail, worker, shutdown, in this order.
 * A bad environment variable ends the process with one line that names it.
 */
export function start(): void {
  const env = environmentOrExit();
  const before = registry[RUNNING]?.();

  process.umask(0o077);
  mkdirSync(env.DATA_DIR, { recursive: true });
  mkdirSync(dirname(env.DATABASE_PATH), { recursive: true });
  const log = pino({ level: env.LOG_LEVEL, base: null });
  const db = openDatabase(env.DATABASE_PATH);
  migrateDatabase(db);
  const reader = createReader({
    rootHints: rootHints(env),
    witnesses: env.DNS_RESOLVERS,
    allowAddresses: env.DNS_ALLOW_ADDRESSES,
    port: env.DNS_PORT,
  });
  const closing = new AbortController();
  const context = {
    db,
    clock: Date.now,
    random: Math.random,
    settings: {
      version: version(),
      baseUrl: env.BASE_URL,
      docsUrl: env.DOCS_URL,
      challengeLabel: env.CHALLENGE_LABEL,
      tokenPrefix: env.TOKEN_PREFIX,
      witnesses: env.DNS_RESOLVERS.map((witness) => witness.name),
    },
    reader,
    mailer: createMailer(env, log, Date.now),
    log,
  };

  let worker: ReturnType<typeof startWorker> | null = null;
  let stopped = false;
  const app: App = {
    ...context,
    env,
    closing: closing.signal,
    workerRunning: () => worker?.running() ?? false,
  };
  provideApp(app);
  watchConnections(env);
  const starting = Promise.resolve(before).then(() => {
    if (!stopped) worker = startWorker(context);
  });

  const stop = async () => {
    if (stopped) return;
    stopped = true;
    closing.abort();
    await starting;
    await worker?.stop(SHUTDOWN_MS / 2);
    reader.close();
  };
  registry[RUNNING] = stop;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      if (registry[RUNNING] !== stop) return;
      // remix-serve stops listening by itself; what is still open after the grace is cut, with exit code 0.
      setTimeout(() => process.exit(0), SHUTDOWN_MS - 500).unref();
      void stop();
    });
  }
  process.once("exit", () => db.$client.close());
}

/** Logs what a page threw, without the request's query; errors of the contract are answers, not faults. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs): void {
  if (request.signal.aborted || error instanceof DeedError || error instanceof Response) return;
  const { pathname } = new URL(request.url);
  getApp().log.error({ err: error, method: request.method, path: pathname }, "request failed");
}
