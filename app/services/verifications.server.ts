import type { Evidence, EvidenceSummary } from "#app/dns/observation.ts";
import type { Context } from "./context.server.ts";
import type { Attempt, Verification } from "./resources.ts";

/** Throws verification_not_found. */
export async function readVerification(
  _ctx: Context,
  _accountId: string,
  _id: string,
): Promise<Verification> {
  throw new Error("unwritten");
}
/** Newest first, every read made. Throws verification_not_found. */
export async function listAttempts(
  _ctx: Context,
  _accountId: string,
  _id: string,
): Promise<Attempt[]> {
  throw new Error("unwritten");
}
/** Attempts with the evidence of each, newest first, at most `limit`, for the claim screen. */
export async function listEvidence(
  _ctx: Context,
  _accountId: string,
  _id: string,
  _limit: number,
): Promise<(Attempt & { evidence: Evidence | EvidenceSummary | null })[]> {
  throw new Error("unwritten");
}
/** Reads DNS now; two at once share one read. Throws verification_not_found, verification_not_running. */
export async function runVerification(
  _ctx: Context,
  _accountId: string,
  _id: string,
  _signal: AbortSignal,
): Promise<Verification> {
  throw new Error("unwritten");
}
