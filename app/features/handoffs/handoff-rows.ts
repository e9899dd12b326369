import { and, eq, isNull, sql } from "drizzle-orm";
import type { TxContext } from "#app/core/context.server.ts";
import type { Handoff } from "#app/core/resources.ts";
import { iso } from "#app/core/time.ts";
import { prepared } from "#db/queries.ts";
import { handoffs } from "#db/schema.ts";

export type HandoffRow = typeof handoffs.$inferSelect;

/** The live hand-off of a claim. */
export const liveOfClaim = prepared((db) =>
  db
    .select()
    .from(handoffs)
    .where(and(eq(handoffs.claimId, sql.placeholder("claimId")), isNull(handoffs.revokedAt)))
    .prepare(),
);

/** `expiresAt`: when its claim ends at latest. */
export const toHandoff = (
  ctx: TxContext,
  { slug, claimId, createdAt }: HandoffRow,
  expiresAt: string,
): Handoff => ({
  slug,
  url: `${ctx.settings.baseUrl}/h/${slug}`,
  claimId,
  createdAt: iso(createdAt),
  expiresAt,
});
