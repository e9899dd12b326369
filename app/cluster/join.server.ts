import type { Log } from "#app/services/context.server.ts";
import { ClusterNode } from "./node.server.ts";

/** Follows this machine's LiteFS. Resolves once the node's role is known. */
export async function joinCluster(
  databasePath: string,
  litefsUrl: string,
  log: Log,
): Promise<ClusterNode> {
  const node = new ClusterNode({
    litefsUrl,
    databasePath,
    log,
    onGone() {
      log.error({ litefs: litefsUrl }, "LiteFS has ended, and the database with it");
      process.exit(1);
    },
  });
  await node.start();
  return node;
}
