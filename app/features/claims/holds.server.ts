import { eq, sql } from "drizzle-orm";
import { writeFeedEvent } from "#app/core/feed/feed.server.ts";
import { prepared, type Tx } from "#db/client.ts";
import { domains } from "#db/schema.ts";

const hasId = eq(domains.id, sql.placeholder("id"));
export const domainById = prepared((db) => db.select().from(domains).where(hasId));

/** Runs `change`, and sends an event if it changed whether the domain holds (`domains.holds` is a computed column). */
export function notifyHolds(tx: Tx, id: string, now: number, change: () => void): void {
  const before = domainById(tx).get({ id })?.holds;
  change();
  const after = domainById(tx).get({ id });
  if (!after || after.holds === before) return;
  const type = after.holds ? "domain.holds" : "domain.no_longer_holds";
  writeFeedEvent(tx, after.accountId, type, { domainId: id }, now);
}
