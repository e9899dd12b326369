import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { accounts, claims, domains, notices } from "#db/schema.ts";
import { noteChange } from "./changes.server.ts";
import { newId } from "./ids.server.ts";
import type { NoticeKind } from "./notice-facts.ts";
import { DAY } from "./schedule.ts";

type Subject = { id: string; accountId: string; domainId: string };

/**
 * Tells the holder once: a row, its place in the change feed and, but for `expired`, a mail that is due.
 * Nothing where the same was told within a day or the domain is archived.
 */
export function createNotice(tx: Tx, kind: NoticeKind, claim: Subject, now: number): void {
  const holder = tx
    .select({ mailEnabled: accounts.mailEnabled, archived: domains.archived })
    .from(domains)
    .innerJoin(accounts, eq(accounts.id, domains.accountId))
    .where(eq(domains.id, claim.domainId))
    .get();
  if (!holder || holder.archived) return;
  const told = tx
    .select({ id: notices.id })
    .from(notices)
    .where(
      and(eq(notices.claimId, claim.id), eq(notices.kind, kind), gt(notices.createdAt, now - DAY)),
    )
    .get();
  if (told) return;
  const id = newId("ntc", now);
  tx.insert(notices)
    .values({
      id,
      kind,
      accountId: claim.accountId,
      domainId: claim.domainId,
      claimId: claim.id,
      createdAt: now,
      mailDueAt: kind !== "expired" && holder.mailEnabled ? now : null,
    })
    .run();
  const ids = { noticeId: id, domainId: claim.domainId, claimId: claim.id };
  noteChange(tx, claim.accountId, "notice.created", ids, now);
}

/** Tells every other account that has proved the name, on the newest of its proofs. */
export function tellOtherHolders(
  tx: Tx,
  proved: { accountId: string; name: string },
  now: number,
): void {
  const others = tx
    .select({ id: claims.id, accountId: claims.accountId, domainId: claims.domainId })
    .from(claims)
    .where(
      and(
        eq(claims.name, proved.name),
        eq(claims.state, "proved"),
        ne(claims.accountId, proved.accountId),
      ),
    )
    .orderBy(desc(claims.endedAt))
    .all();
  const told = new Set<string>();
  for (const other of others) {
    if (told.has(other.accountId)) continue;
    told.add(other.accountId);
    createNotice(tx, "coexistence", other, now);
  }
}
