import { Link, useSearchParams } from "@remix-run/react";
import type { ClaimScreen } from "#app/services/claim-screen.server.ts";
import type { ShownRehearsal } from "#app/services/rehearsal.server.ts";
import { Act } from "./button.tsx";
import { ClaimNow } from "./claim-now.tsx";
import { ClaimScope } from "./claim-scope.tsx";
import { Evidence } from "./evidence.tsx";
import { DomainName } from "./name.tsx";
import { Problem } from "./notice.tsx";
import { Entry, Page } from "./page.tsx";
import { ProofLinks } from "./proof-links.tsx";
import { ReadList, ReadStrip } from "./read-strip.tsx";
import { RecordByHand, RecordCard } from "./record-card.tsx";
import { Rehearsal } from "./rehearsal.tsx";
import { claimStanding, StateWord } from "./state.tsx";
import { Countdown, Moment } from "./time.tsx";

/** What the last form on the page came to; `typed` is the rehearsal's text, null for any other form. */
export type ClaimDone = {
  problem: { message: string } | null;
  typed: string | null;
  outcome: ShownRehearsal | null;
};

/** The screen of one claim, from its opening to its proof and after. */
export function ClaimPage({ screen, done }: { screen: ClaimScreen; done: ClaimDone | undefined }) {
  const { claim, verification, now } = screen;
  const isOpen = claim.state === "pending";
  const isRehearsal = typeof done?.typed === "string";
  const message = done?.problem?.message ?? null;
  return (
    <Page
      above={
        <>
          <span role="status">
            <StateWord {...claimStanding(claim.state, verification.status)} />
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
        <ClaimNow screen={screen} />
        <Problem message={isRehearsal ? null : message} />
        {isOpen ? <CheckNow verification={verification} now={now} /> : null}
      </Entry>
      {isOpen ? (
        <>
          <Entry title="The record">
            <RecordCard words={screen.words} />
            <RecordByHand hands={screen.hands} />
          </Entry>
          <Entry title="Before you save" id="rehearse">
            <Rehearsal
              claimId={claim.id}
              record={screen.record}
              typed={done?.typed ?? ""}
              error={isRehearsal ? message : null}
              outcome={done?.outcome ?? null}
            />
          </Entry>
        </>
      ) : null}
      {claim.state === "proved" ? (
        <Entry title="Share it" id="share">
          <ProofLinks links={screen.links} archived={screen.archived} />
        </Entry>
      ) : null}
      <Reads screen={screen} />
      <Entry title="Scope">
        <ClaimScope claim={claim} isPublicSuffix={screen.isPublicSuffix} />
      </Entry>
      {isOpen ? <CancelEntry /> : null}
    </Page>
  );
}

function CheckNow({ verification, now }: Pick<ClaimScreen, "verification" | "now">) {
  return (
    <div className="row">
      <Act intent="check" kind="primary" busy="Reading DNS…">
        Check now
      </Act>
      {verification.nextRunAt ? (
        <p className="soft">
          It also checks by itself <Countdown until={verification.nextRunAt} served={now} />.
        </p>
      ) : null}
      <noscript>
        <p className="soft">
          This page reads itself again from time to time. <a href="?still">Stop that.</a>
        </p>
      </noscript>
    </div>
  );
}

function Reads({ screen: { claim, verification, reads, shown } }: { screen: ClaimScreen }) {
  const wasAsked = useSearchParams()[0].has("read");
  return (
    <Entry title="Reads" id="reads">
      {claim.state === "pending" || reads.length > 0 ? (
        <ReadStrip
          reads={reads}
          from={claim.createdAt}
          until={claim.expiresAt}
          next={verification.nextRunAt}
        />
      ) : null}
      {reads.length > 0 ? (
        <details open={wasAsked}>
          <summary>
            {reads.length} {reads.length === 1 ? "read" : "reads"} so far, as a list
          </summary>
          <ReadList reads={reads} shown={shown?.id ?? null} />
        </details>
      ) : (
        <p className="soft">Nothing was read{claim.state === "pending" ? " yet" : ""}.</p>
      )}
      {shown ? <Evidence shown={shown} open={wasAsked} /> : null}
    </Entry>
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
          <Act intent="cancel" kind="danger" busy="Canceling…">
            Cancel the claim
          </Act>
        </div>
      </details>
    </Entry>
  );
}
