import { mkdirSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { dirname } from "node:path";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse } from "@remix-run/react";
import pino from "pino";
import { createMailer } from "#app/auth/mail.server.ts";
import { openGate } from "#app/cluster/gate.server.ts";
import { joinCluster } from "#app/cluster/join.server.ts";
import { createReader } from "#app/dns/create-reader.ts";
import { IANA_ROOT_HINTS, parseRootHints } from "#app/dns/root-hints.ts";
import { type App, getApp, provideApp } from "#app/http/app.server.ts";
import { watchConnections } from "#app/http/connection.server.ts";
import { loggedTarget, logRequests } from "#app/http/request-log.server.ts";
import { answerUnreadable } from "#app/http/unreadable.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { announce } from "#app/services/events.server.ts";
import { hasOverdue } from "#app/services/overdue.server.ts";
import { steadyClock } from "#app/services/steady-clock.ts";
import { type Db, openDatabase } from "#db/client.ts";
import { scrub } from "#db/erase.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { openReplicated } from "#db/replicated.ts";
import { createShift } from "#worker/shift.ts";
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
export async function start(): Promise<void> {
  const env = environmentOrExit();
  const previous = registry[RUNNING];
  const before = previous?.();
  if (!previous) endOnSignals();
  // A replica that waits for its schema has nothing to put away.
  registry[RUNNING] = async () => process.exit(0);

  process.umask(0o077);
  mkdirSync(env.DATA_DIR, { recursive: true });
  const log = pino({ level: env.LOG_LEVEL, base: null });
  logRequests(log);
  const clock = steadyClock({
    wall: Date.now,
    elapsed: () => performance.now(),
    uptime,
    onStep: (byMs, isFollowed) =>
      log.warn(
        { byMs, isFollowed },
        "the system's clock was set; a step is followed once it stands",
      ),
  });
  const node = env.cluster && (await joinCluster(env.DATABASE_PATH, env.cluster.litefsUrl, log));
  const db = node ? await openReplicated(env.DATABASE_PATH, node) : openOwn(env.DATABASE_PATH);
  const reader = createReader({
    rootHints: rootHints(env),
    witnesses: env.DNS_RESOLVERS,
    allowAddresses: env.DNS_ALLOW_ADDRESSES,
    port: env.DNS_PORT,
    packetsPerAddress: env.RATE_LIMIT_DNS_ADDRESS,
    clock,
  });
  const closing = new AbortController();
  const context = {
    db,
    clock,
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
    mailer: createMailer(env, log, clock),
    log,
  };

  const shift = createShift(context, before);
  const app: App = {
    ...context,
    env,
    closing: closing.signal,
    workerRunning: () => shift.running(),
    ...(node ? { nodeFacts: () => node.facts() } : {}),
  };
  provideApp(app);
  answerUnreadable(env.DOCS_URL);
  if (node && env.cluster) {
    const { secret } = env.cluster;
    const gate = openGate({ node, env, secret, hasOverdue: () => hasOverdue(context), log });
    watchConnections(env, gate.addressOf);
    node.onRole((role) => shift.onDuty(role === "primary"));
    node.onTransaction(() => announce(db));
    shift.onDuty(node.role === "primary");
  } else {
    watchConnections(env);
    shift.onDuty(true);
  }

  let stopped = false;
  registry[RUNNING] = async () => {
    if (stopped) return;
    stopped = true;
    closing.abort();
    await shift.end(SHUTDOWN_MS / 2);
    node?.stop();
    reader.close();
  };
  process.once("exit", () => db.$client.close());
}

/** The database of the only node. */
function openOwn(path: string): Db {
  mkdirSync(dirname(path), { recursive: true });
  const db = openDatabase(path);
  migrateDatabase(db);
  // Before anybody is served, however long it takes.
  scrub(db, Number.POSITIVE_INFINITY);
  return db;
}

function endOnSignals(): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      // remix-serve stops listening by itself; what is still open after the grace is cut, with exit code 0.
      setTimeout(() => process.exit(0), SHUTDOWN_MS - 1_000).unref();
      void registry[RUNNING]?.();
    });
  }
}

/** Logs what a page threw, without the request's query; errors of the contract are answers, not faults. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs): void {
  const isAnswer =
    error instanceof DeedError ||
    error instanceof Response ||
    (isRouteErrorResponse(error) && error.status < 500);
  if (request.signal.aborted || isAnswer) return;
  const path = loggedTarget(new URL(request.url).pathname);
  getApp().log.error({ err: error, method: request.method, path }, "request failed");
}
