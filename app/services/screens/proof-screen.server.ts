import type { Context } from "../context.server.ts";
import { type Lookalike, lookalikeOf } from "../names/lookalike.ts";
import { type AddressVouching, addressVouching } from "../proofs/address-vouching.server.ts";
import { type ProofWitness, proofWitness, readProof } from "../proofs/proofs.server.ts";
import { type ReceiptSummary, receiptOfLink } from "../proofs/receipt-summary.server.ts";
import type { ProofWatch, PublishedProof } from "../resources.ts";
import { watchOfProof } from "../watching/watches.server.ts";

/** What the page of a published proof shows. */
export type ProofScreen = {
  proof: PublishedProof;
  witness: ProofWitness | null;
  /** What daily reads of the record show; null if it is not watched. */
  watch: ProofWatch | null;
  /** Null if the proof is older than receipts. */
  receipt: ReceiptSummary | null;
  vouching: AddressVouching | null;
  /** Why the name may be mistaken for another; null if it may not. */
  lookalike: Lookalike | null;
  tokenPrefix: string;
  renderedAt: string;
};

/** The page of a published proof. Throws proof_not_found, proof_revoked. */
export function proofScreen(ctx: Context, slug: string): ProofScreen {
  const proof = readProof(ctx, slug);
  return {
    proof,
    witness: proofWitness(ctx, slug),
    watch: watchOfProof(ctx, slug),
    receipt: receiptOfLink(ctx, slug),
    vouching: addressVouching(ctx, slug),
    lookalike: lookalikeOf(proof.unicodeDomain),
    tokenPrefix: ctx.settings.tokenPrefix,
    renderedAt: new Date(ctx.clock()).toISOString(),
  };
}
