import { Link } from "@remix-run/react";
import type { ClaimScreen } from "#app/services/screens/claim-screen.server.ts";
import type { ShownRehearsal } from "#app/services/screens/rehearsal.server.ts";
import { PathSection } from "../path/path-section.tsx";
import { ActionButton } from "../ui/button.tsx";
import { DomainName } from "../ui/name.tsx";
import { Problem } from "../ui/notice.tsx";
import { Entry, Page } from "../ui/page.tsx";
import { StateWord, stateLabel } from "../ui/state.tsx";
import { Moment } from "../ui/time.tsx";
import { CheckNow } from "./check-now.tsx";
import { ClaimStatus } from "./claim-now.tsx";
import { ClaimScope } from "./claim-scope.tsx";
import { HandoffEntry } from "./handoff-entry.tsx";
import { ProofLinks } from "./proof-links.tsx";
import { ReadsEntry } from "./reads-entry.tsx";
import { RecordCard, RecordSnippets } from "./record-card.tsx";
import { Rehearsal } from "./rehearsal.tsx";

/** The result of the last form submitted on the page. `typed` is the rehearsal's text; null for any other form. */
export type ClaimActionResult = {
  problem: { message: string } | null;
  typed: string | null;
  outcome: ShownRehearsal | null;
};

/** The page of one claim, from its opening to its proof and beyond. */
export function ClaimPage({
  screen,
  result,
}: {
  screen: ClaimScreen;
  result: ClaimActionResult | undefined;
}) {
  const { claim, verification } = screen;
  const isOpen = claim.state === "pending";
  const isRehearsal = typeof result?.typed === "string";
  const message = result?.problem?.message ?? null;
  return (
    <Page
      above={
        <>
          <span role="status">
            <StateWord {...stateLabel(claim.state, screen.open)} />
          </span>
          <span>
            claimed <Moment at={claim.createdAt} form="day" />
            {isOpen ? (
              <>
                , open until <Moment at={claim.expiresAt} form="day" />
              </>
            ) : null}
          </span>
        </>
      }
      title={
        <Link to={`/domains/${claim.domainId}`} className="bare">
          <DomainName ascii={claim.domain} unicode={claim.unicodeDomain} />
        </Link>
      }
    >
      <Entry title="Now">
        <ClaimStatus screen={screen} />
        <Problem message={isRehearsal ? null : message} />
        {isOpen ? <CheckNow view={screen} /> : null}
      </Entry>
      {isOpen ? (
        <>
          <Entry title="The record">
            <RecordCard labels={screen.labels} />
            <RecordSnippets snippets={screen.snippets} />
          </Entry>
          <Entry title="Before you save" id="rehearse">
            <Rehearsal
              claimId={claim.id}
              record={screen.record}
              typed={result?.typed ?? ""}
              error={isRehearsal ? message : null}
              outcome={result?.outcome ?? null}
            />
          </Entry>
        </>
      ) : null}
      {claim.state === "proved" ? (
        <Entry title="Share it" id="share">
          <ProofLinks
            claimId={claim.id}
            links={screen.links}
            archived={screen.archived}
            heldBy={screen.heldBy}
          />
        </Entry>
      ) : null}
      <PathSection view={screen} />
      <ReadsEntry view={screen} allReadsUrl={`/api/verifications/${verification.id}/attempts`} />
      <Entry title="Scope">
        <ClaimScope claim={claim} isPublicSuffix={screen.isPublicSuffix} />
      </Entry>
      {isOpen ? (
        <>
          <HandoffEntry handoff={screen.handoff} heldBy={screen.heldBy} />
          <CancelEntry />
        </>
      ) : null}
    </Page>
  );
}

function CancelEntry() {
  return (
    <Entry title="End it">
      <details>
        <summary>Cancel this claim</summary>
        <div className="stack">
          <p>
            The token stops being accepted and nothing is read any more. The claim stays in the
            history of the domain. Claiming the name again issues another token.
          </p>
          <ActionButton intent="cancel" kind="danger" busy="Canceling…">
            Cancel the claim
          </ActionButton>
        </div>
      </details>
    </Entry>
  );
}
