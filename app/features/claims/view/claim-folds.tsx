import { Link } from "@remix-run/react";
import { ActionButton } from "#app/ui/button.tsx";
import { Fold } from "#app/ui/fold.tsx";
import { ClaimReceipt } from "./claim-receipt.tsx";
import { ClaimScope } from "./claim-scope.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { DiagnosisDetails } from "./diagnosis.tsx";
import { HistoryFold } from "./history-fold.tsx";
import { RecordForms } from "./record-fields.tsx";

type Props = {
  screen: ClaimScreen;
  /** Whom to share an open claim's task with. */
  sharing: React.ReactNode;
};

/** What is wrong in detail, and whom to share the task with. */
function OpenFolds({ screen, sharing }: Props) {
  const { verification, open } = screen;
  return (
    <>
      {open === "needs_you" && verification.diagnosis ? (
        <Fold title="What the check found">
          <DiagnosisDetails diagnosis={verification.diagnosis} />
        </Fold>
      ) : null}
      {sharing}
    </>
  );
}

function Cancel({ at }: { at: string }) {
  return (
    <Fold title="Cancel">
      <p>
        The value stops being accepted and Deed stops checking. The claim stays in the history of
        the domain. Starting again gives you a new value.
      </p>
      <ActionButton intent="cancel" kind="danger" busy="Canceling…" at={at}>
        Cancel the claim
      </ActionButton>
    </Fold>
  );
}

/** Everything on a claim that its card does not need, folded away. */
export function ClaimFolds({ screen, sharing }: Props) {
  const { claim, verification, receipt, labels, snippets, isPublicSuffix, now } = screen;
  const isOpen = claim.state === "pending";
  return (
    <section className="more">
      <h2>More</h2>
      {isOpen ? <OpenFolds screen={screen} sharing={sharing} /> : null}
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
      {isOpen ? <Cancel at={now} /> : null}
      <p className="row sans">
        <Link to={`/domains/${claim.domainId}`}>All claims of this domain</Link>{" "}
        {screen.archived ? null : (
          <Link to={`/domains/${claim.domainId}/archive`}>Archive it…</Link>
        )}{" "}
        <Link to={`/domains/${claim.domainId}/delete`}>Delete it…</Link>
      </p>
    </section>
  );
}
