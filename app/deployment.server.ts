import type { RequestListener } from "node:http";
import type { ClusterNode } from "#app/cluster/node.server.ts";
import type { Log } from "#app/core/context.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { hasOverdue } from "#app/features/claims/expiry.server.ts";
import type { App, NodeFacts } from "#app/http/app.server.ts";
import type { Intake, Site } from "#app/http/connection.server.ts";
import { type Db, write } from "#db/client.ts";
import { reserveDatabase } from "#db/lock.ts";
import type { Migration } from "#db/migrate.ts";
import {
  checkDatabase,
  checkNotLost,
  openOwnDatabase,
  openReplicated,
  traceFile,
} from "#db/open-own.ts";
import { beginTerm, readTerm, termOf } from "#db/term.ts";
import type { createLeaderWorker } from "#worker/index.ts";

/** A supervisor may start the next server before the last one has ended. */
const RESERVE_TIMEOUT_MS = 15_000;

type OpenedDatabase = { db: Db; node: ClusterNode | null; nodeFacts?: () => NodeFacts };

const migrationLogger = (log: Log) => (migration: Migration) =>
  log.info(migration, "database migrated");

/** Makes the parts of a start that differ in a cluster, for an installation without one. */
export const singleNodeDeployment = (env: Env) => ({
  /** Throws a RefusedDatabase, before making anything, if Deed must leave the file as it is. */
  check() {
    checkDatabase(env.DATABASE_PATH);
    checkNotLost(env.DATABASE_PATH, traceFile(env));
  },
  reserve(log: Log) {
    const warn = (message: string) => log.warn({ warning: "no_locks" }, message);
    return reserveDatabase(env.DATABASE_PATH, RESERVE_TIMEOUT_MS, warn);
  },
  async open(log: Log): Promise<OpenedDatabase> {
    return { db: openOwnDatabase(env.DATABASE_PATH, migrationLogger(log)), node: null };
  },
  route:
    (_: App, receive: Intake, site: Site): RequestListener =>
    (request, response) =>
      site(request, response, receive(request, response)),
  /** Runs the worker while this process is the one that writes. */
  work: async (_: App, worker: ReturnType<typeof createLeaderWorker>) => worker.setActive(true),
});

export type Deployment = ReturnType<typeof singleNodeDeployment>;

/** LiteFS has the database, and only the primary writes: other nodes forward to it, and their workers rest. */
export async function clusterDeployment(
  env: Env,
  cluster: NonNullable<Env["cluster"]>,
): Promise<Deployment> {
  const { joinCluster } = await import("#app/cluster/join.server.ts");
  const { forwardWrites } = await import("#app/cluster/write-forwarding.server.ts");
  const { DATABASE_PATH: path } = env;
  const { address, secret } = cluster;
  let openedDb: Db | null = null;
  const localTerm = () => (openedDb ? termOf(openedDb) : readTerm(path));
  /** Returns null if the copy cannot be read, because health must still answer. */
  const shownTerm = () => {
    try {
      return localTerm() || null;
    } catch {
      return null;
    }
  };
  let node: ClusterNode;
  const state = () => ({ ...node.facts(), term: shownTerm() });
  return {
    check() {},
    async reserve() {},
    async open(log) {
      node = await joinCluster(env, cluster, localTerm, log);
      if (node.isWritable()) checkNotLost(path, traceFile(env));
      openedDb = await openReplicated(path, node, migrationLogger(log));
      return { db: openedDb, node, nodeFacts: state };
    },
    route(app, receive, site) {
      const { log } = app;
      const options = { node, env, address, secret, state, hasOverdue: () => hasOverdue(app), log };
      return forwardWrites(options, receive, site);
    },
    async work({ db, feed, log }, worker) {
      const recordTerm = () =>
        write(db, (tx) => beginTerm(tx, address, Date.now())).catch((error) =>
          log.error({ err: error }, "the promotion of this node could not be recorded"),
        );
      if (node.role === "primary") await recordTerm();
      node.on("role", (role) => {
        if (role === "primary") void recordTerm();
        worker.setActive(role === "primary");
      });
      node.on("transaction", () => feed.announce());
      worker.setActive(node.role === "primary");
    },
  };
}
