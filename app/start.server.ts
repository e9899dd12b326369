import { subscribe } from "node:diagnostics_channel";
import { mkdirSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { dirname } from "node:path";
import type { LoaderFunctionArgs, ServerBuild } from "@remix-run/node";
import { isRouteErrorResponse } from "@remix-run/react";
import pino from "pino";
import { Subscribers } from "#app/api/subscribers.server.ts";
import { createMailer } from "#app/auth/mail.server.ts";
import { createOidcClient } from "#app/auth/oidc-client.server.ts";
import { loadSecrets } from "#app/auth/secrets.server.ts";
import { createReader } from "#app/dns/resolve/create-reader.ts";
import { httpsTime } from "#app/dns/resolve/https-time.ts";
import { IANA_ROOT_HINTS, parseRootHints } from "#app/dns/resolve/root-hints.ts";
import { rootTime } from "#app/dns/resolve/root-time.ts";
import { type App, getApp, provideApp } from "#app/http/app.server.ts";
import { createIntake } from "#app/http/connection.server.ts";
import { Limiter } from "#app/http/limits.server.ts";
import { withProofMemory } from "#app/http/proof-memory.server.ts";
import { redirectOutput, wrapListener } from "#app/http/remix-serve.server.ts";
import { loggedTarget, withRequestLog } from "#app/http/request-log.server.ts";
import { createSite } from "#app/http/site.server.ts";
import { hasOverdue } from "#app/services/claims/expiry.server.ts";
import { createTimekeeper } from "#app/services/clock/timekeeper.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { feedChanged } from "#app/services/feed/events.server.ts";
import { type Db, openDatabase } from "#db/client.ts";
import { scrub } from "#db/erase.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { openReplicated } from "#db/replicated.ts";
import { startJob } from "#worker/job.ts";
import { createLeaderWorker } from "#worker/leader-worker.ts";
import { type Env, EnvironmentError, parseEnvironment } from "./env.server.ts";

/** Longest a stop may take before open connections are cut. */
const SHUTDOWN_MS = 5_000;
const EVERY_SECOND = "* * * * * *";

/** Stops the running instance. On globalThis: in development every change imports the build again. */
const RUNNING = Symbol.for("deed.running");
const registry = globalThis as { [RUNNING]?: () => void | Promise<void> };

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

/** Each witness over HTTPS says in its answers what time it is. */
const witnessTimes = (env: Env) =>
  env.DNS_RESOLVERS.flatMap(({ secure, ...witness }) =>
    secure?.transport === "https" ? [httpsTime({ ...witness, secure })] : [],
  );

const version = (): string => JSON.parse(readFileSync("package.json", "utf8")).version;

/**
 * The composition root: environment, database, reader, mail, worker, shutdown, in this order; remix-serve listens once
 * it resolves. A bad environment variable ends the process with one line that names it. A second call stops the
 * previous instance. `build` must not be called before this resolves.
 */
export async function start(build: () => ServerBuild): Promise<void> {
  const env = environmentOrExit();
  const previous = registry[RUNNING];
  await previous?.();
  // A replica that waits for its schema has nothing to put away.
  registry[RUNNING] = () => process.exit(0);
  if (!previous) {
    onSignal(() => void registry[RUNNING]?.());
    endIfNotListening();
  }

  process.umask(0o077);
  mkdirSync(env.DATA_DIR, { recursive: true });
  const log = pino({ level: env.LOG_LEVEL, base: null });
  const resolving = {
    rootHints: rootHints(env),
    allowAddresses: env.DNS_ALLOW_ADDRESSES,
    denyAddresses: env.DNS_DENY_ADDRESSES,
    port: env.DNS_PORT,
  };
  const timekeeper = createTimekeeper({
    wall: Date.now,
    elapsed: () => performance.now(),
    uptime,
    isTrusted: env.CLOCK_TRUSTED === "on",
    others: [...witnessTimes(env), rootTime(resolving)],
    log,
  });
  const clock = timekeeper.now;
  const cluster = env.cluster && { ...env.cluster, ...(await loadCluster()) };
  const node = cluster && (await cluster.joinCluster(env.DATABASE_PATH, cluster.litefsUrl, log));
  const db = node ? await openReplicated(env.DATABASE_PATH, node) : openOwn(env.DATABASE_PATH);
  const reader = createReader({
    ...resolving,
    witnesses: env.DNS_RESOLVERS,
    packetsPerAddress: env.RATE_LIMIT_DNS_ADDRESS,
    clock,
  });
  const closing = new AbortController();
  const mailer = createMailer(env, log, clock);
  const context = {
    db,
    clock,
    timekeeper,
    random: Math.random,
    settings: {
      version: version(),
      baseUrl: env.BASE_URL,
      docsUrl: env.DOCS_URL,
      challengeLabel: env.CHALLENGE_LABEL,
      tokenPrefix: env.TOKEN_PREFIX,
      witnesses: env.DNS_RESOLVERS.map((witness) => witness.name),
      firstReadAfterMs: env.FIRST_READ_SECONDS * 1_000,
      openClaims: env.LIMIT_OPEN_CLAIMS,
    },
    reader,
    mailer,
    log,
  };

  const worker = createLeaderWorker(context);
  const app: App = {
    ...context,
    env,
    limiter: new Limiter(env),
    secrets: loadSecrets(env),
    streams: new Subscribers(context, closing.signal),
    oidcClient: createOidcClient(env, log),
    closing: closing.signal,
    workerRunning: () => worker.running(),
    mailHealth: mailer.health,
    ...(node ? { nodeFacts: () => node.facts() } : {}),
  };
  provideApp(app);
  const receive = createIntake(env);
  if (!previous) redirectOutput(log, env);
  wrapListener(env, (remixServe) => {
    const site = withRequestLog(log, withProofMemory(app, createSite(build, remixServe, log)));
    if (!node) return (request, response) => site(request, response, receive(request, response));
    const { secret, forwardWrites } = cluster;
    const overdue = () => hasOverdue(context);
    return forwardWrites({ node, env, secret, hasOverdue: overdue, log }, receive, site);
  });
  node?.onRole((role) => worker.setActive(role === "primary"));
  node?.onTransaction(() => feedChanged(db));
  worker.setActive(!node || node.role === "primary");
  const keepTime = startJob(
    EVERY_SECOND,
    () => timekeeper.askOthers(closing.signal),
    (error) => log.error({ err: error }, "other time sources could not be asked"),
  );

  registry[RUNNING] = async () => {
    closing.abort();
    void keepTime.stop();
    await worker.stop(SHUTDOWN_MS / 2);
    node?.stop();
    reader.close();
  };
  process.once("exit", () => db.$client.close());
}

/** Ends the process with one line if remix-serve cannot listen. */
function endIfNotListening(): void {
  subscribe("tracing:net.server.listen:error", (message) => {
    console.error((message as { error: Error }).error.message);
    process.exit(1);
  });
}

/** What a single node does without. */
const loadCluster = async () => ({
  ...(await import("#app/cluster/join.server.ts")),
  ...(await import("#app/cluster/write-forwarding.server.ts")),
});

/** The database of the only node. */
function openOwn(path: string): Db {
  mkdirSync(dirname(path), { recursive: true });
  const db = openDatabase(path);
  migrateDatabase(db);
  // Before anybody is served, however long it takes.
  scrub(db, Number.POSITIVE_INFINITY);
  return db;
}

/** Ends once, whichever signals come. What is still open after the grace is cut, with exit code 0. */
function onSignal(end: () => void): void {
  let isEnding = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      if (isEnding) return;
      isEnding = true;
      setTimeout(() => process.exit(0), SHUTDOWN_MS - 1_000).unref();
      end();
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
