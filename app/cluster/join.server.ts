import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "#app/core/context.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { ClusterNode } from "./node.server.ts";
import { Terms } from "./terms.server.ts";

/** Resolves once the node's role is known. */
export async function joinCluster(
  env: Env,
  { litefsUrl, address, nodes, litefsData, secret }: NonNullable<Env["cluster"]>,
  localTerm: () => number,
  log: Log,
): Promise<ClusterNode> {
  if (litefsData) makePrivate(litefsData, log);
  const node = new ClusterNode({
    litefsUrl,
    databasePath: env.DATABASE_PATH,
    terms: new Terms({
      otherNodes: nodes.filter((other) => other !== address),
      port: env.PORT,
      secret,
      localTerm,
      file: join(env.DATA_DIR, "cluster-terms.json"),
      log,
    }),
    log,
    onGone() {
      log.error({ litefs: litefsUrl }, "LiteFS has ended, and the database with it");
      process.exit(1);
    },
  });
  await node.start();
  return node;
}

/** The umask sets the modes of LiteFS's folder and files, which contain the database. */
export function makePrivate(folder: string, log: Pick<Log, "warn">): void {
  try {
    if ((statSync(folder).mode & 0o077) === 0) return;
    chmodSync(folder, 0o700);
    const message = "LITEFS_DATA could be read by other users of this machine; it is closed now";
    log.warn({ folder }, message);
  } catch (error) {
    log.warn({ err: error, folder }, "LITEFS_DATA must be closed to other users: chmod 700");
  }
}
