import { Link } from "@remix-run/react";
import type { OwnReceiptSummary } from "#app/features/proofs/receipts.server.ts";
import { PathSection } from "#app/features/zones/view/record-path.tsx";
import { ActionButton } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { Fold, Notice, Page, StateWord } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import { WwwRemoved } from "#app/ui/www-removed.tsx";
import type { ClaimActionResult } from "./action-result.ts";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { DiagnosisDetails } from "./diagnosis.tsx";
import { EndedCard } from "./ended-card.tsx";
import { HistoryFold } from "./history-fold.tsx";
import { OpenCard, Reloading } from "./open-card.tsx";
import { RecordForms } from "./record-fields.tsx";
import { stateLabel } from "./state-label.ts";

const PATH_TITLES: Record<ClaimScreen["claim"]["state"], string> = {
  pending: "Where the record is",
  proved: "What the check that proved it saw",
  expired: "What the last check saw",
  canceled: "What the last check saw",
};

type ClaimPageProps = {
  screen: ClaimScreen;
  result: ClaimActionResult;
  /** Whether the person reading gets notices by mail. */
  isMailed: boolean;
  isWwwRemoved: boolean;
  /** For the page without forms: every how many seconds it reloads. Null for the page with them. */
  reloads: number | null;
  sharing: React.ReactNode;
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
function Folds({ screen, sharing }: Pick<ClaimPageProps, "screen" | "sharing">) {
  const { claim, verification, receipt, labels, snippets, isPublicSuffix, now } = screen;
  const isOpen = claim.state === "pending";
  return (
    <section className="more">
      <h2>More</h2>
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
      {isOpen ? (
        <Fold title="Cancel">
          <p>
            The value stops being accepted and Deed stops checking. The claim stays in the history
            of the domain. Starting again gives you a new value.
          </p>
          <ActionButton intent="cancel" kind="danger" busy="Canceling…" at={now}>
            Cancel the claim
          </ActionButton>
        </Fold>
      ) : null}
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

export function ClaimPage({ screen, result, reloads, sharing, ...page }: ClaimPageProps) {
  const { claim, open } = screen;
  const promise = page.isMailed ? "we will email you" : "the checks go on";
  return (
    <Page
      above={
        <>
          <span role="status">
            <StateWord {...stateLabel(claim.state, open)} />
          </span>
          <Reference reference={claim.reference} />
        </>
      }
      title={<DomainName ascii={claim.domain} unicode={claim.unicodeDomain} />}
    >
      {page.isWwwRemoved && reloads === null ? (
        <WwwRemoved
          domain={{ ...claim, name: claim.domain, unicodeName: claim.unicodeDomain }}
          intent="claim"
        />
      ) : null}
      <section className="card" id="share">
        {open === null ? (
          <EndedCard screen={screen} result={result} />
        ) : (
          <>
            <OpenCard
              view={screen}
              result={result}
              promise={`You can close this page: ${promise}.`}
              reloads={reloads}
            />
            <p className="soft small sans">
              Deed at <span className="mono">{screen.installation}</span> asks for the record.
            </p>
          </>
        )}
      </section>
      {open === null ? null : <Reloading every={reloads} />}
      <PathSection title={PATH_TITLES[claim.state]} path={screen.path} />
      {reloads === null ? <Folds screen={screen} sharing={sharing} /> : null}
    </Page>
  );
}
