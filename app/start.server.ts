import { randomInt } from "node:crypto";
import { uptime } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import { timeSources } from "@deed/dns/resolve/https-time.ts";
import { codeOf } from "@deed/dns/verdict/evidence.ts";
import type { ServerBuild } from "@remix-run/node";
import { provideEndpoints } from "#app/api/dispatch.server.ts";
import { Subscribers } from "#app/api/subscribers.server.ts";
import { createTimekeeper } from "#app/core/clock/timekeeper.server.ts";
import { createMailer } from "#app/core/mail/mail.server.ts";
import { createOutbound } from "#app/core/outbound/outbound.server.ts";
import { readDotEnv } from "#app/environment/dot-env.server.ts";
import { EnvironmentError, parseEnvironment } from "#app/environment/env.server.ts";
import { takePlaces } from "#app/environment/places.server.ts";
import { unknownNames, warningsOf } from "#app/environment/warnings.ts";
import { metricsText } from "#app/features/admin/metrics-text.server.ts";
import { hasOverdue } from "#app/features/claims/expiry.server.ts";
import { loadSigner } from "#app/features/receipts/signer.server.ts";
import { createOidcClient } from "#app/features/sign-in/oidc.server.ts";
import { keptList } from "#app/features/zones/registry/registries.server.ts";
import { type App, provideApp } from "#app/http/app.server.ts";
import { loadSecrets } from "#app/http/caller/cookies.server.ts";
import { accountOfCookies } from "#app/http/caller/session.server.ts";
import { createIntake, forwardingWatch } from "#app/http/connection.server.ts";
import { beginInstance, SHUTDOWN_MS, stopWith } from "#app/http/instance.server.ts";
import { Limiter, withTurns } from "#app/http/limits.server.ts";
import { createLog, redirectOutput, withRequestLog } from "#app/http/log.server.ts";
import {
  listenForMetrics,
  mails,
  packets,
  reads,
  receiptTests,
  watchReads,
} from "#app/http/metrics.server.ts";
import { serveFilesFrom, wrapListener } from "#app/http/remix-serve.server.ts";
import { createSite, withProofMemory } from "#app/http/site.server.ts";
import { startProblems } from "#app/ops/checks/checks.ts";
import { examineFiles } from "#app/ops/checks/disk.ts";
import { warnOfShutPort } from "#app/ops/checks/root-servers.ts";
import { warnOfUnreachable } from "#app/ops/checks/servers.ts";
import {
  readerSettings,
  registrySettings,
  settingsOf,
  stamperOf,
} from "#app/ops/settings.server.ts";
import { type Db, write } from "#db/client.ts";
import { DatabaseInUse, takeDatabase } from "#db/lock.ts";
import { type Migration, RefusedDatabase } from "#db/migrate.ts";
import {
  checkDatabase,
  checkNotLost,
  leaveTrace,
  openOwnDatabase,
  openReplicated,
  traceFile,
} from "#db/open-own.ts";
import { packageFile } from "#db/package-file.ts";
import { beginTerm, readTerm, termOf } from "#db/term.ts";
import { createLeaderWorker } from "#worker/index.ts";
import { startJob } from "#worker/job.ts";
import { createContext } from "./create-context.server.ts";
import { ENDPOINTS } from "./endpoints.server.ts";
import { createTestWorlds } from "./test-worlds.server.ts";

/** A supervisor may start the next server before the last has ended. */
const OTHER_SERVER_MS = 15_000;
/** The receipts of an earlier version that are not signed again by then follow later. */
const SIGNING_MS = 10_000;

/** remix-serve listens once this resolves; `build` must not be called before. A second call stops the first. */
export async function start(build: () => ServerBuild): Promise<void> {
  try {
    await startInstance(build);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // A supervisor may try again once the other process has ended.
    process.exit(error.cause instanceof DatabaseInUse ? 1 : EnvironmentError.exitCode);
  }
}

async function startInstance(build: () => ServerBuild): Promise<void> {
  const env = parseEnvironment(process.env);
  const isFirst = await beginInstance();
  process.umask(0o077);
  throwIfAny(await startProblems(env, isFirst ? [] : ["Port"]));
  const trace = traceFile(env);
  if (!env.cluster)
    await refusing(() => {
      checkDatabase(env.DATABASE_PATH);
      checkNotLost(env.DATABASE_PATH, trace);
    });
  throwIfAny(takePlaces(env));
  const log = createLog(env.LOG_LEVEL);
  if (isFirst) redirectOutput(log, env, settingsOf(env).version);
  const warnOfLocks = (message: string) => log.warn({ warning: "no_locks" }, message);
  if (isFirst && !env.cluster)
    await refusing(() => takeDatabase(env.DATABASE_PATH, OTHER_SERVER_MS, warnOfLocks));
  const resolving = readerSettings(env);
  const timekeeper = createTimekeeper({
    wall: Date.now,
    elapsed: () => performance.now(),
    uptime,
    isTrusted: env.CLOCK_TRUSTED === "on",
    others: timeSources(resolving),
    log,
  });
  const clock = timekeeper.now;
  const cluster = env.cluster && {
    ...env.cluster,
    ...(await import("#app/cluster/join.server.ts")),
    ...(await import("#app/cluster/write-forwarding.server.ts")),
  };
  let opened: Db | null = null;
  const ownTerm = () => (opened ? termOf(opened) : readTerm(env.DATABASE_PATH));
  /** Null if the copy cannot be read: health has to answer then too. */
  const shownTerm = () => {
    try {
      return ownTerm() || null;
    } catch {
      return null;
    }
  };
  const node = cluster && (await cluster.joinCluster(env, cluster, ownTerm, log));
  if (node?.isWritable()) await refusing(() => checkNotLost(env.DATABASE_PATH, trace));
  const reportMigration = (done: Migration) => log.info(done, "database migrated");
  const db = await refusing(() =>
    node
      ? openReplicated(env.DATABASE_PATH, node, reportMigration)
      : openOwnDatabase(env.DATABASE_PATH, reportMigration),
  );
  opened = db;
  leaveTrace(trace);
  const warnings = [...warningsOf(env), ...unknownNames(process.env, readDotEnv())];
  for (const { code, variable, message } of warnings)
    log.warn({ warning: code, variable }, message);
  for (const { text, advice } of examineFiles(env).filter(({ status }) => status === "broken"))
    log.warn({ warning: "data_folder_files", variable: "DATA_DIR" }, `${text}: ${advice}`);
  const reader = createReader({
    ...resolving,
    clock,
    onPackets: (sent) => {
      for (const { transport, result } of sent) packets.add({ transport, result });
    },
  });
  const closing = new AbortController();
  const mailer = createMailer(env, log, clock, (result) => mails.add({ result }));
  const signer = loadSigner(env);
  const context = createContext({
    db,
    clock,
    timekeeper,
    // Not Math.random: from the jitter of other reads a second read (C8.10) could be foreseen.
    random: () => randomInt(2 ** 47) / 2 ** 47,
    settings: settingsOf(env),
    reader,
    mailer,
    outbound: createOutbound({
      allowed: env.WEBHOOK_ALLOW_ADDRESSES,
      denied: env.DNS_DENY_ADDRESSES,
    }),
    registry: registrySettings(env, (outbound) =>
      keptList(join(env.DATA_DIR, "rdap-dns.json"), outbound, (problem) =>
        log.warn({ problem }, "IANA's list of RDAP servers could not be renewed"),
      ),
    ),
    stamper: stamperOf(env),
    log,
    signer,
    onRead: (decision) => reads.add({ outcome: decision.outcome, code: codeOf(decision) }),
    onWatchRead: (finding) => watchReads.add({ finding }),
    onReceiptTested: (isGood) => receiptTests.add({ result: isGood ? "good" : "bad" }),
  });

  const nodeFacts = node && (() => ({ ...node.facts(), term: shownTerm() }));
  const worker = createLeaderWorker(context);
  const secrets = loadSecrets(env);
  const app: App = {
    ...context,
    env,
    limiter: new Limiter(env),
    secrets,
    streams: new Subscribers(context, secrets, closing.signal),
    testWorlds: createTestWorlds(() => app, node),
    oidcClient: createOidcClient(env, log),
    closing: closing.signal,
    workerRunning: () => worker.running(),
    mailHealth: mailer.health,
    ...(nodeFacts && { nodeFacts }),
  };
  provideApp(app);
  provideEndpoints(ENDPOINTS);
  const metrics =
    typeof env.METRICS === "object" ? await listenForMetrics(env.METRICS, metricsText) : null;
  const watch = forwardingWatch(env.TRUSTED_PROXIES, (neighbour) =>
    log.warn(
      { warning: "untrusted_forwarded_for", variable: "TRUSTED_PROXIES", neighbour },
      "X-Forwarded-For is ignored, because its sender is not in TRUSTED_PROXIES: add it there if it is your proxy",
    ),
  );
  const receive = createIntake(env, watch);
  if (isFirst) void warnOfUnreachable(env, log);
  if (isFirst) void warnOfShutPort(resolving, log, closing.signal);
  if (isFirst) serveFilesFrom(packageFile("."));
  const accountOf = (cookies: string) => accountOfCookies(app, cookies);
  wrapListener(env, (remixServe) => {
    const inTurn = withTurns(app, accountOf, createSite(build, remixServe, log));
    const site = withRequestLog(log, withProofMemory(app, inTurn));
    if (!node || !nodeFacts)
      return (request, response) => site(request, response, receive(request, response));
    const { address, secret, forwardWrites } = cluster;
    const overdue = () => hasOverdue(context);
    const options = { node, env, address, secret, state: nodeFacts, hasOverdue: overdue, log };
    return forwardWrites(options, receive, site);
  });
  const lead = () =>
    write(db, (tx) => beginTerm(tx, cluster?.address ?? "", Date.now())).catch((error) =>
      log.error({ err: error }, "the promotion of this node could not be recorded"),
    );
  if (node?.role === "primary") await lead();
  node?.onRole((role) => {
    if (role === "primary") void lead();
    worker.setActive(role === "primary");
  });
  node?.onTransaction(() => context.feed.announce());
  worker.setActive(!node || node.role === "primary");
  const everySecond = (fault: string, work: () => Promise<void>) =>
    startJob("* * * * * *", work, (error) => log.error({ err: error }, fault));
  const jobs = [
    everySecond("other time sources could not be asked", () =>
      timekeeper.askOthers(closing.signal),
    ),
    everySecond("the worker could not be stopped", async () => {
      if (!context.database.isInPlace()) await worker.stop(0);
    }),
  ];

  stopWith(async () => {
    closing.abort();
    metrics?.end();
    for (const job of jobs) void job.stop();
    await worker.stop(SHUTDOWN_MS / 2);
    node?.stop();
    reader.close();
  });
  process.once("exit", () => {
    context.database.isInPlace();
    db.$client.close();
  });
  await Promise.race([worker.receiptsSigned(), sleep(SIGNING_MS, undefined, { ref: false })]);
}

const throwIfAny = (problems: string[]) => {
  if (problems.length > 0) throw new EnvironmentError(problems);
};

async function refusing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedDatabase)) throw error;
    throw new EnvironmentError(
      [`DATABASE_PATH must be a database that this version can use: ${error.message}`],
      { cause: error },
    );
  }
}
