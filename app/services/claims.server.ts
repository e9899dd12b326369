import type { Context } from "./context.server.ts";
import type { Claim, ClaimDetail } from "./resources.ts";

/** Opens a claim. Throws domain_not_found, domain_archived, already_claimed (with `claim` in extra). */
export async function openClaim(
  _ctx: Context,
  _accountId: string,
  _domainId: string,
): Promise<Claim> {
  throw new Error("unwritten");
}
/** Newest first, every state. Throws domain_not_found for a domainId that is not the account's. */
export async function listClaims(
  _ctx: Context,
  _accountId: string,
  _domainId?: string,
): Promise<Claim[]> {
  throw new Error("unwritten");
}
/** Throws claim_not_found. An overdue claim is expired before it is shown. */
export async function readClaim(
  _ctx: Context,
  _accountId: string,
  _id: string,
): Promise<ClaimDetail> {
  throw new Error("unwritten");
}
/** Throws claim_not_found, claim_ended. */
export async function cancelClaim(_ctx: Context, _accountId: string, _id: string): Promise<Claim> {
  throw new Error("unwritten");
}
