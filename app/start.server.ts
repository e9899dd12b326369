import { randomInt } from "node:crypto";
import { uptime } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import { timeSources } from "@deed/dns/resolve/https-time.ts";
import { codeOf } from "@deed/dns/verdict/evidence.ts";
import { provideEndpoints } from "#app/api/dispatch.server.ts";
import { Subscribers } from "#app/api/subscribers.server.ts";
import { hasAccounts } from "#app/core/accounts/accounts.server.ts";
import { resolveSignUp } from "#app/core/accounts/sign-up.server.ts";
import { createTimekeeper } from "#app/core/clock/timekeeper.server.ts";
import { createMailer } from "#app/core/mail/mail.server.ts";
import { createOutbound } from "#app/core/outbound/outbound.server.ts";
import { settingsOf } from "#app/core/settings.server.ts";
import { readDotEnv } from "#app/environment/dot-env.server.ts";
import { type Env, EnvironmentError, parseEnvironment } from "#app/environment/env.server.ts";
import { prepareDataFolder } from "#app/environment/paths.server.ts";
import { unknownNames, warningsOf } from "#app/environment/warnings.ts";
import { metricsText } from "#app/features/admin/metrics-text.server.ts";
import { withGate } from "#app/features/gate/api.server.ts";
import { loadSigner } from "#app/features/receipts/signer.server.ts";
import { createOidcClient } from "#app/features/sign-in/oidc.server.ts";
import { cachedList } from "#app/features/zones/registry/registries.server.ts";
import { type App, provideApp } from "#app/http/app.server.ts";
import { loadSecrets } from "#app/http/caller/cookies.server.ts";
import { accountOfCookies } from "#app/http/caller/session.server.ts";
import { createIntake, forwardingWatch } from "#app/http/connection.server.ts";
import { beginInstance, SHUTDOWN_MS, stopWith } from "#app/http/instance.server.ts";
import { Limiter, withTurns } from "#app/http/limits.server.ts";
import { createLog, redirectOutput, withRequestLog } from "#app/http/log.server.ts";
import { count, listenForMetrics } from "#app/http/metrics.server.ts";
import { serveFilesFrom, wrapListener } from "#app/http/remix-serve.server.ts";
import { createSite, withProofMemory } from "#app/http/site.server.ts";
import { startProblems } from "#app/ops/checks/checks.ts";
import { examineFiles } from "#app/ops/checks/disk.ts";
import { warnOfShutPort } from "#app/ops/checks/root-servers.ts";
import { warnOfUnreachable } from "#app/ops/checks/servers.ts";
import { examineAddress, examineSignUp } from "#app/ops/checks/sign-up.ts";
import { firstLinkCommand } from "#app/ops/first-link.server.ts";
import { readerSettings, registrySettings, stamperOf } from "#app/ops/settings.server.ts";
import type { ServerBuild } from "#app/remix/node.server.ts";
import { DatabaseInUse } from "#db/lock.ts";
import { RefusedDatabase } from "#db/migrate.ts";
import { leaveTrace, traceFile } from "#db/open-own.ts";
import { packageFile } from "#db/package-file.ts";
import { createLeaderWorker, EVERY_SECOND } from "#worker/index.ts";
import { startJob } from "#worker/job.ts";
import { createContext } from "./create-context.server.ts";
import { clusterDeployment, type Deployment, singleNodeDeployment } from "./deployment.server.ts";
import { ENDPOINTS } from "./endpoints.server.ts";
import { createTestWorlds } from "./test-worlds.server.ts";

/** The time that the start waits for earlier versions' receipts to be signed again; the rest follow later. */
const SIGNING_MS = 10_000;

/** Starts the service: remix-serve listens once this resolves. A second call stops the first instance. */
export async function start(build: () => ServerBuild): Promise<void> {
  try {
    const env = parseEnvironment(process.env);
    const isFirst = await beginInstance();
    const deployment = env.cluster
      ? await clusterDeployment(env, env.cluster)
      : singleNodeDeployment(env);
    const machine = await prepareMachine(env, isFirst, deployment);
    await listen(makeApp(machine), machine, deployment, build);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // A supervisor may try again once the other process has ended.
    process.exit(error.cause instanceof DatabaseInUse ? 1 : EnvironmentError.exitCode);
  }
}

type Machine = Awaited<ReturnType<typeof prepareMachine>>;

/** The first stage prepares what the machine provides, and checks everything before opening the database. */
async function prepareMachine(env: Env, isFirst: boolean, { check, reserve, open }: Deployment) {
  process.umask(0o077);
  throwIfAny(await startProblems(env, isFirst ? [] : ["Port"]));
  await withDatabaseProblem(check);
  throwIfAny(prepareDataFolder(env));
  const log = createLog(env.LOG_LEVEL);
  if (isFirst) redirectOutput(log, env, settingsOf(env).version);
  if (isFirst) await withDatabaseProblem(() => reserve(log));
  const dnsSettings = readerSettings(env);
  const timekeeper = createTimekeeper({
    wall: Date.now,
    elapsed: () => performance.now(),
    uptime,
    isTrusted: env.CLOCK_TRUSTED === "on",
    otherSources: timeSources(dnsSettings),
    log,
  });
  const database = await withDatabaseProblem(() => open(log));
  leaveTrace(traceFile(env));
  const signUp = await resolveSignUp(env, database.db);
  const warnings = [...warningsOf(env), ...unknownNames(process.env, readDotEnv())];
  for (const { code, variable, message } of warnings)
    log.warn({ warning: code, variable }, message);
  for (const { text, advice } of examineAddress(env))
    log.warn({ warning: "settings_not_read", variable: "BASE_URL" }, `${text}: ${advice}`);
  for (const { text, advice } of examineFiles(env).filter(({ status }) => status === "broken"))
    log.warn({ warning: "data_folder_files", variable: "DATA_DIR" }, `${text}: ${advice}`);
  for (const { status, text, advice } of examineSignUp(env))
    if (status === "ok") log.info(text);
    else log.warn({ warning: "open_sign_up", variable: "SIGN_UP" }, `${text}: ${advice}`);
  if (isFirst && !env.SMTP_URL && !env.cluster && !hasAccounts(database.db))
    log.info(`No account yet. For a link that opens the first, run: ${firstLinkCommand()}`);
  return { env, isFirst, log, dnsSettings, timekeeper, signUp, ...database };
}

/** The second stage makes the context, the site and the worker, but starts none. */
function makeApp({ env, log, dnsSettings, timekeeper, signUp, db, node, nodeFacts }: Machine) {
  const clock = timekeeper.now;
  const [allowed, denied] = [env.WEBHOOK_ALLOW_ADDRESSES, env.DNS_DENY_ADDRESSES];
  const reader = createReader({
    ...dnsSettings,
    clock,
    onPackets: (packets) => {
      for (const { transport, result } of packets)
        count("deed_dns_packets_total", { transport, result });
    },
  });
  const mailer = createMailer(env, log, clock, (result) => count("deed_mails_total", { result }));
  const context = createContext({
    db,
    clock,
    timekeeper,
    // Not Math.random: the jitter of other reads could reveal the time of a second read (C8.10).
    random: () => randomInt(2 ** 47) / 2 ** 47,
    settings: settingsOf(env, signUp),
    reader,
    mailer,
    outbound: createOutbound({ allowed, denied }),
    registry: registrySettings(env, (outbound) =>
      cachedList(join(env.DATA_DIR, "rdap-dns.json"), outbound, (problem) =>
        log.warn({ problem }, "IANA's list of RDAP servers could not be renewed"),
      ),
    ),
    stamper: stamperOf(env),
    log,
    signer: loadSigner(env),
    onRead: (decision) =>
      count("deed_reads_total", { outcome: decision.outcome, code: codeOf(decision) }),
    onWatchRead: (finding) => count("deed_watch_reads_total", { finding }),
    onReceiptTested: (isGood) =>
      count("deed_receipts_tested_total", { result: isGood ? "good" : "bad" }),
  });
  const worker = createLeaderWorker(context);
  const closing = new AbortController();
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
    isWorkerRunning: () => worker.running(),
    mailHealth: mailer.health,
    ...(nodeFacts && { nodeFacts }),
  };
  return { app, worker, closing };
}

/** In the last stage, everything listens and works until the process is asked to end. */
async function listen(
  { app, worker, closing }: ReturnType<typeof makeApp>,
  { env, isFirst, log, dnsSettings, timekeeper, node }: Machine,
  { route, work }: Deployment,
  build: () => ServerBuild,
) {
  const { db, reader, database } = app;
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
  if (isFirst) {
    void warnOfUnreachable(env, log);
    void warnOfShutPort(dnsSettings, log, closing.signal);
    serveFilesFrom(packageFile("."), join(env.DATA_DIR, "clients"));
  }
  const accountOf = (cookies: string) => accountOfCookies(app, cookies);
  wrapListener(env, (remixServe) => {
    const site = withTurns(app, accountOf, createSite(build, remixServe, log));
    return route(app, receive, withRequestLog(log, withGate(app, withProofMemory(app, site))));
  });
  await work(app, worker);
  const everySecond = (fault: string, job: () => Promise<void>) =>
    startJob(EVERY_SECOND, job, (error) => log.error({ err: error }, fault));
  const jobs = [
    everySecond("other time sources could not be asked", () =>
      timekeeper.askOtherSources(closing.signal),
    ),
    everySecond("the worker could not be stopped", async () => {
      if (!database.isInPlace()) await worker.stop(0);
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
    database.isInPlace();
    db.$client.close();
  });
  await Promise.race([worker.receiptsSigned(), sleep(SIGNING_MS, undefined, { ref: false })]);
}

const throwIfAny = (problems: string[]) => {
  if (problems.length > 0) throw new EnvironmentError(problems);
};

async function withDatabaseProblem<T>(work: () => T | Promise<T>): Promise<T> {
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
