import type { Context } from "./context.server.ts";
import type { ProofLink, PublishedProof } from "./resources.ts";

/** Returns the live link, issuing one where there is none. Throws claim_not_found, claim_not_proved, domain_archived. */
export async function publishProof(
  _ctx: Context,
  _accountId: string,
  _claimId: string,
): Promise<ProofLink> {
  throw new Error("unwritten");
}
/** Newest first, revoked ones included. Throws claim_not_found. */
export function listProofLinks(_ctx: Context, _accountId: string, _claimId: string): ProofLink[] {
  throw new Error("unwritten");
}
/** Throws claim_not_found, proof_link_not_found. */
export async function revokeProofLink(
  _ctx: Context,
  _accountId: string,
  _claimId: string,
  _slug: string,
): Promise<ProofLink> {
  throw new Error("unwritten");
}
/** Public. Throws proof_not_found, proof_revoked. Reads no DNS. */
export function readProof(_ctx: Context, _slug: string): PublishedProof {
  throw new Error("unwritten");
}
/** How the proof was seen, for the proof page: counts only, from the evidence. Null once trimmed beyond it. */
export function proofWitness(
  _ctx: Context,
  _slug: string,
): {
  nameservers: number;
  nameserversWithToken: number;
  witnesses: number;
  witnessesWithToken: number;
  authenticated: boolean;
} | null {
  throw new Error("unwritten");
}
