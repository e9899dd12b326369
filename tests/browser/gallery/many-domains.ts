import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { newId } from "#app/core/ids.server.ts";
import type { Db } from "#db/client.ts";
import { claims, domains, verifications } from "#db/schema.ts";
import { DAY } from "./simulation.ts";

export const DOMAIN_COUNT = 10_000;
const WINDOW = 7 * DAY;

const KINDS = [
  "proved",
  "unclaimed",
  "proved",
  "expired",
  "proved",
  "canceled",
  "archived",
  "proved",
] as const;

/** Creates ten thousand domains for one account, each with the claim its state requires. */
export function insertManyDomains(db: Db, accountId: string, now: number): void {
  db.transaction((tx) => {
    for (let index = 0; index < DOMAIN_COUNT; index++) {
      const kind = KINDS[index % KINDS.length] ?? "unclaimed";
      const createdAt = now - 390 * DAY + index * 3_000_000;
      const domainId = newId("dom", createdAt);
      const name = `name-${String(index).padStart(5, "0")}.crowd.example`;
      const row = { id: domainId, accountId, name, unicodeName: name, createdAt };
      const archived = kind === "archived";
      tx.insert(domains).values(row).run();
      if (kind === "unclaimed") continue;
      const state = archived ? "proved" : kind;
      const claimId = newId("clm", createdAt);
      const expiresAt = createdAt + WINDOW;
      tx.insert(claims)
        .values({
          id: claimId,
          accountId,
          domainId,
          name,
          state,
          token: `service_v1_${randomBytes(20).toString("hex")}`,
          challengeLabel: "_service-challenge",
          createdAt,
          expiresAt,
          endedAt: state === "expired" ? expiresAt : createdAt + DAY,
        })
        .run();
      tx.insert(verifications)
        .values({
          id: newId("ver", createdAt),
          claimId,
          accountId,
          status: VERIFICATION_STATUSES[state],
          waitReason: state === "proved" ? null : "first_check",
          waitUntil: state === "proved" ? null : createdAt,
          deadline: expiresAt,
          createdAt,
        })
        .run();
      tx.update(domains)
        .set({ status: state, claimId, archived })
        .where(eq(domains.id, domainId))
        .run();
    }
  });
}

const VERIFICATION_STATUSES = {
  proved: "proved",
  expired: "exhausted",
  canceled: "stopped",
} as const;
