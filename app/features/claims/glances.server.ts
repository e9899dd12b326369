import { eq } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { verifications } from "#db/schema.ts";
import { getClaim } from "./claim-rows.server.ts";
import { type GlanceTurn, RECHECK_MS } from "./glances.ts";
import { rowsOfClaim, rowsOfVerification } from "./outcome.server.ts";
import { startRead } from "./runs.server.ts";
import { afterWaitingNoted, mayGlance } from "./transition.ts";

/** Notes that somebody waits for an open claim. Throws claim_not_found and claim_ended. */
export async function noteWaiting(ctx: Context, accountId: string, claimId: string): Promise<void> {
  getClaim(ctx.db, accountId, claimId);
  await commit(ctx, (tx, ctx, now) => {
    const { verification } = rowsOfClaim(tx).get({ id: claimId }) ?? {};
    if (!verification?.nextRunAt) throw new DeedError("claim_ended");
    // A test world has no glances, because its clock does not run.
    if (!ctx.test) ctx.glances.noteWaiting(verification, now);
    const plan = afterWaitingNoted(verification, now, ctx.random());
    if (plan) tx.update(verifications).set(plan).where(eq(verifications.claimId, claimId)).run();
  });
}

async function glanceAt(ctx: Context, { id, awaited, server }: GlanceTurn, signal: AbortSignal) {
  const rows = rowsOfVerification(ctx.db).get({ id });
  if (!rows || rows.verification.nextRunAt === null) return ctx.glances.drop(id);
  if (!mayGlance(rows.verification, ctx.clock())) {
    awaited.nextAt = ctx.clock() + RECHECK_MS;
    return;
  }
  const { name: domain, challengeLabel: label, token } = rows.claim;
  const question = { domain, label, token, zone: awaited.zone, server };
  const glance = await ctx.reader.glance(question, signal);
  const hasToken = glance.type === "answered" && glance.hasToken;
  if (awaited.deservesRead(server, glance, ctx.clock()) && startRead(ctx, rows))
    awaited.countRead(hasToken, ctx.clock());
}

export async function glanceRound(ctx: Context, signal: AbortSignal): Promise<void> {
  const turns = ctx.glances.nextRound(ctx.clock(), ctx.reader.mayGlance);
  await Promise.all(turns.map((turn) => glanceAt(ctx, turn, signal)));
}
