import type { ReactNode } from "react";
import type { OwnReceiptSummary } from "#app/features/proofs/receipts.server.ts";
import { PathSection } from "#app/features/zones/view/record-path.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Fold, Notice } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimActionResult } from "./action-result.ts";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { DiagnosisDetails } from "./diagnosis.tsx";
import { EndedCard } from "./ended-card.tsx";
import { HistoryFold } from "./history-fold.tsx";
import { OpenCard, Reloading } from "./open-card.tsx";
import { RecordForms } from "./record-fields.tsx";

const PATH_TITLES: Record<ClaimScreen["claim"]["state"], string> = {
  pending: "Where the record is",
  proved: "What the check that proved it saw",
  expired: "What the last check saw",
  canceled: "What the last check saw",
};

function ClaimReceipt({ claimId, receipt }: { claimId: string; receipt: OwnReceiptSummary }) {
  const { assurance, opening } = receipt;
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

function ClaimScope({ claim, isPublicSuffix }: Pick<ClaimScreen, "claim" | "isPublicSuffix">) {
  const { coexistence } = claim;
  return (
    <>
      <p>
        This claim covers exactly <strong className="mono">{claim.domain}</strong>. It says nothing
        about a name below or above it.
      </p>
      {isPublicSuffix ? (
        <Notice tone="waiting" title="This name is a public suffix">
          <p>
            Names directly below it belong to other people. Proving it says that you control its
            zone, not theirs.
          </p>
        </Notice>
      ) : null}
      {coexistence ? (
        <Notice title="Somebody else has proved this name too">
          {coexistence.type === "named" ? (
            <p>
              <bdi>{coexistence.maskedEmail}</bdi> did so on <Moment at={coexistence.provedAt} />.
              Both proofs stand; neither takes anything from the other.
            </p>
          ) : (
            <p>Their proof takes nothing from your claim. Prove the name to see who they are.</p>
          )}
        </Notice>
      ) : null}
    </>
  );
}

/** Everything that the card does not need, folded away. */
export function ClaimFolds({ screen, sharing }: { screen: ClaimScreen; sharing: ReactNode }) {
  const { claim, verification, receipt, labels, snippets, isPublicSuffix } = screen;
  const isOpen = claim.state === "pending";
  return (
    <>
      {screen.open === "needs_you" && verification.diagnosis ? (
        <Fold title="What the check found">
          <DiagnosisDetails diagnosis={verification.diagnosis} />
        </Fold>
      ) : null}
      {isOpen ? sharing : null}
      {receipt ? (
        <Fold title="The signed receipt" id="receipt" open>
          <ClaimReceipt claimId={claim.id} receipt={receipt} />
        </Fold>
      ) : null}
      <Fold title="The record for a panel, zone file, octoDNS, nsupdate and dig">
        <RecordForms labels={labels} snippets={snippets} />
      </Fold>
      <HistoryFold view={screen} allReadsUrl={`/api/verifications/${verification.id}/attempts`} />
      <Fold
        title={isOpen ? "What this will prove" : "What this covers"}
        open={claim.coexistence !== null || isPublicSuffix}
      >
        <ClaimScope claim={claim} isPublicSuffix={isPublicSuffix} />
      </Fold>
    </>
  );
}

/** Where the record of a claim is, and for an open one how its page keeps up without script. */
export function ClaimPath({ screen, reloads }: { screen: ClaimScreen; reloads: number | null }) {
  return (
    <>
      {screen.open === null ? null : <Reloading every={reloads} />}
      <PathSection title={PATH_TITLES[screen.claim.state]} path={screen.path} />
    </>
  );
}

type ClaimCardProps = {
  screen: ClaimScreen;
  result: ClaimActionResult;
  /** Whether it is the claim by which the domain stands. */
  isCurrent: boolean;
  /** Whether the person reading gets notices by mail. */
  isMailed: boolean;
  /** For the page without forms: every how many seconds it reloads. Null for the page with them. */
  reloads: number | null;
};

export function ClaimCard({ screen, result, isCurrent, isMailed, reloads }: ClaimCardProps) {
  if (screen.open === null)
    return <EndedCard screen={screen} result={result} isCurrent={isCurrent} />;
  return (
    <>
      <OpenCard
        view={screen}
        result={result}
        promise={`You can close this page: ${isMailed ? "we will email you" : "the checks go on"}.`}
        reloads={reloads}
      />
      <p className="soft small sans">
        Deed at <span className="mono">{screen.installation}</span> asks for the record.
      </p>
    </>
  );
}
