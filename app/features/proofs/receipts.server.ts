import type { Report } from "@deed/receipt/report.ts";
import { RECEIPT_FORMAT, type Receipt, type Statement } from "@deed/receipt/statement.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { eq } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";
import type { Db } from "#db/client.ts";
import { claims, receipts } from "#db/schema.ts";
import { getClaim } from "../claims/claim-rows.server.ts";
import { jwkSet, listKeys } from "../receipts/keys.server.ts";
import { payloadOf } from "../receipts/signer.server.ts";
import { linkBySlug, liveOf, requireLive, summaryOfReceipt } from "./proofs.server.ts";

/** Reads a receipt, if any. `opening` is base64url; null for an earlier version's receipt until it is signed again. */
function receiptOfClaim(db: Db, claimId: string) {
  const row = db
    .select({ receipt: receipts, salt: claims.salt })
    .from(receipts)
    .innerJoin(claims, eq(claims.id, receipts.claimId))
    .where(eq(receipts.claimId, claimId))
    .get();
  return row && { ...row.receipt, opening: row.salt?.toString("base64url") ?? null };
}

/** Reads a receipt. Throws receipt_not_found, and unavailable for an earlier version's until it is signed again. */
function receiptRow(db: Db, claimId: string) {
  const row = orThrow(receiptOfClaim(db, claimId), "receipt_not_found");
  const { opening } = row;
  if (opening !== null) return { ...row, opening };
  throw new DeedError("unavailable", {
    message: "This receipt is being signed again after an upgrade. Try again in a minute.",
    retryAfter: 60,
  });
}

/** Returns a receipt in its format. `slug` is that of its live link. */
function toReceipt({ test }: Context, row: typeof receipts.$inferSelect, slug = ""): Receipt {
  const { statement, chain, stamp } = row;
  const facts: Statement = payloadOf(statement);
  return {
    about: test
      ? `TEST. This shows how a receipt looks, and proves nothing about ${facts.sub}: no verifier accepts it.`
      : `A signed receipt: ${facts.iss} says that control of ${facts.sub} was proved at ${facts.provedAt}. Check it at ${facts.iss}/verify, or at any other installation of Deed. ${facts.iss}/docs/how-to-check has the steps, in a browser and in a shell.${slug && ` Its link: ${facts.iss}/p/${slug}`}`,
    format: RECEIPT_FORMAT,
    statement,
    dnssec: chain && { chain: chain.toString("base64") },
    stamp: stamp && { token: stamp.toString("base64") },
  };
}

/** Returns a receipt for its holder, with what opens the commitment to the address; null without a receipt. */
export function receiptForHolder(ctx: Context, claimId: string) {
  const { statement, opening } = receiptOfClaim(ctx.db, claimId) ?? {};
  return statement && opening ? { ...summaryOfReceipt(statement), opening } : null;
}

const fileStem = (name: string, provedAt: number) => `${name}-${iso(provedAt).slice(0, 10)}`;

/** Reads the receipt of a published proof, for anyone. Throws proof_not_found, proof_revoked, receipt_not_found. */
export function readReceipt(ctx: Context, slug: string) {
  const { claim } = requireLive(linkBySlug(ctx.db, slug));
  return {
    content: toReceipt(ctx, receiptRow(ctx.db, claim.id), slug),
    fileStem: fileStem(claim.name, claim.endedAt ?? claim.expiresAt),
  };
}

/** Reads a receipt and its evidence. Throws claim_not_found, claim_not_proved, receipt_not_found, unavailable. */
export function readHolderReceipt(ctx: Context, accountId: string, claimId: string) {
  const { state, name, endedAt } = getClaim(ctx.db, accountId, claimId).claim;
  if (state !== "proved" || endedAt === null) throw new DeedError("claim_not_proved");
  const row = receiptRow(ctx.db, claimId);
  return {
    receipt: toReceipt(ctx, row, liveOf(ctx.db, claimId)?.link.slug),
    opening: row.opening,
    evidence: row.evidence,
    fileStem: fileStem(name, endedAt),
  };
}

/** Checks like a stranger who knows this installation's keys. */
function check(ctx: Context, receipt: Receipt): Promise<Report> {
  const { keys, "deed:history": history } = jwkSet(ctx);
  const anchors = ctx.settings.trustAnchors;
  return verifyReceipt(JSON.stringify(receipt), { keys, ...(history && { history }), anchors });
}

/** Checks a proof for browsers without script. Throws proof_not_found, proof_revoked, receipt_not_found. */
export const checkProof = async (ctx: Context, slug: string): Promise<Report> =>
  check(ctx, readReceipt(ctx, slug).content);

/** Checks a receipt whose key was replaced or stolen, and returns the report if the receipt is not good. */
export async function doubtOf(ctx: Context, slug: string): Promise<Report | null> {
  const row = receiptOfClaim(ctx.db, requireLive(linkBySlug(ctx.db, slug)).claim.id);
  // A receipt without an opening is being signed again.
  if (!row?.opening) return null;
  const { thumbprint } = summaryOfReceipt(row.statement);
  const [current] = listKeys(ctx.db);
  if (current?.kid === thumbprint && !current.compromisedSince) return null;
  const report = await check(ctx, toReceipt(ctx, row, slug));
  return report.verdict === "good" ? null : report;
}

/** Lists what a stranger finds wrong with a receipt; empty if it is sound. */
async function faultsOf(ctx: Context, receipt: Receipt): Promise<string[]> {
  const { parts, statement } = await check(ctx, receipt);
  const wrong = parts.filter(({ state }) => state === "wrong");
  if (wrong.length > 0) return wrong.map(({ part, code }) => `${part}: ${code}`);
  const isDnssecShown = parts.some(({ part, state }) => part === "dnssec" && state === "shown");
  return isDnssecShown === (statement?.dnssec !== "indeterminate") ? [] : ["dnssec"];
}

/** Checks each receipt once, as a stranger would. A bad receipt is logged as an error for the operator; the proof stays. */
export async function testReceipts(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const claimId of [...ctx.untestedReceipts]) {
    if (signal.aborted) return;
    ctx.untestedReceipts.delete(claimId);
    const row = receiptOfClaim(ctx.db, claimId);
    if (!row?.opening) continue;
    const faults = await faultsOf(ctx, toReceipt(ctx, row));
    ctx.onReceiptTested?.(faults.length === 0);
    if (faults.length > 0)
      ctx.log.error({ claimId, faults }, "a receipt just issued does not verify");
  }
}
