import type { OwnReceiptSummary } from "#app/features/proofs/receipts.server.ts";
import { Value } from "#app/ui/copy.tsx";

/** The receipt of a proved claim: how to get it, and what its holder alone may see. */
export function ClaimReceipt({
  claimId,
  receipt: { assurance, opening },
}: {
  claimId: string;
  receipt: OwnReceiptSummary;
}) {
  return (
    <div className="stack">
      <p>
        Anyone who has the receipt can check this proof without Deed, offline and years later. It
        rests on <a href={`/docs/assurance#${assurance}`}>{assurance}</a>.
      </p>
      <p className="row">
        <a href={`/api/claims/${claimId}/receipt`} className="button" download>
          Download the signed receipt
        </a>{" "}
        <a href="/verify">Check it</a>{" "}
        <a href={`/api/claims/${claimId}/evidence`} download>
          Download the evidence
        </a>
      </p>
      <p className="label">Opening</p>
      <Value text={opening} what="the opening" />
      <p className="soft">
        The receipt hides your address. Give the opening to a reader who must know that the proof is
        yours: with your address, it lets them check that, and nobody else can. The evidence is
        everything that the check saw.
      </p>
    </div>
  );
}
