import { statSync } from "node:fs";
import { durationInWords } from "@deed/dns/words/wording.ts";
import { readInfo, readLag, readPosition } from "#app/cluster/litefs.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { damageOf } from "#db/damage.ts";
import { RefusedDatabase } from "#db/migrate.ts";
import { checkDatabase, checkNotLost, traceFile } from "#db/open-own.ts";
import { about, type Finding, withAdvice } from "./finding.ts";

const { ok, broken } = about("Database");

export function examineDatabase({ DATABASE_PATH: path, DATA_DIR, cluster }: Env): Finding[] {
  // Unlike existsSync, statSync throws if the folder is closed to this user.
  if (cluster && !statSync(path, { throwIfNoEntry: false }))
    return broken(`${path} is missing`, "Start LiteFS: it mounts the folder and fetches the copy.");
  try {
    checkNotLost(path, traceFile({ DATA_DIR }));
    const schema = checkDatabase(path, true);
    if (!schema) return ok(`${path} does not exist yet: the first start creates it`);
    const { number, newest } = schema;
    const damage = cluster ? null : damageOf(path);
    if (damage) throw new RefusedDatabase(`${path} is damaged: restore a backup (${damage})`);
    const text = `${path} has schema ${number}`;
    return number === newest
      ? ok(`${text}, this version's`)
      : ok(`${text}: the next start migrates it to ${newest}; back it up first`);
  } catch (error) {
    if (!(error instanceof RefusedDatabase)) throw error;
    return broken(...withAdvice(error.message, "restore a backup, or correct DATABASE_PATH"));
  }
}

const litefs = about("LiteFS");
/** After this time the service counts the primary as lost (app/cluster). */
const MAX_SILENCE_MS = 5_000;

export async function examineLitefs({ cluster, DATABASE_PATH }: Env): Promise<Finding[]> {
  if (!cluster) return [];
  const view = await readInfo(cluster.litefsUrl).catch((error: unknown) => error as Error);
  if (view instanceof Error)
    return litefs.broken(
      `${cluster.litefsUrl} does not answer: ${view.message}`,
      "Start LiteFS (`litefs mount`), or correct LITEFS_URL: it is LiteFS's own port, 20202 by default.",
    );
  const position = readPosition(DATABASE_PATH);
  const positionText = `at transaction ${position}`;
  if (view.isPrimary) return litefs.ok(`this machine is the primary, ${positionText}`);
  if (view.hostname === "")
    return litefs.broken(
      `this machine is a replica, ${positionText}, and there is no primary: nothing can be written`,
      "Start LiteFS on a machine that may become primary, and check that all reach the lease (Consul).",
    );
  const primary = view.hostname;
  const lagMs = readLag(DATABASE_PATH);
  if (position === 0n || lagMs === null || lagMs > MAX_SILENCE_MS)
    return litefs.warning(
      `this machine is a replica of ${primary}, ${positionText}, and ${lagMs === null ? "has heard nothing from it yet" : `last heard from it ${durationInWords(lagMs / 1_000)} ago`}`,
      "Check that this machine reaches the primary's LiteFS, and that the primary is not paused.",
    );
  return litefs.ok(`this machine is a replica of ${primary}, ${positionText}, ${lagMs} ms behind`);
}
