import { Link } from "@remix-run/react";
import { ActionButton } from "#app/ui/button.tsx";
import { Problem } from "#app/ui/notice.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { ProofLinks } from "./proof-links.tsx";
import { RecordOfProof } from "./record-use.tsx";

function StartAgain({ screen: { claim, archived } }: { screen: ClaimScreen }) {
  if (archived) return <Link to={`/domains/${claim.domainId}`}>This domain is archived</Link>;
  return (
    <ActionButton
      intent="claim"
      action={`/domains/${claim.domainId}`}
      kind="primary"
      busy="Starting…"
    >
      Start again
    </ActionButton>
  );
}

/** A claim that has ended: how, and what is possible now. Goes into a card. */
export function EndedCard({
  screen,
  problem,
}: {
  screen: ClaimScreen;
  /** Why the last form was rejected. */
  problem: string | null;
}) {
  const { claim, links, archived, heldBy, now, awaited, verification } = screen;
  const secondRead = verification.waitEstimate?.observed?.secondRead ? awaited : null;
  const ended = <Moment at={claim.endedAt ?? now} />;
  switch (claim.state) {
    case "proved":
      return (
        <>
          <h2>
            On {ended} you proved control of <bdi className="mono">{claim.unicodeDomain}</bdi>.
          </h2>
          <ProofLinks
            claimId={claim.id}
            links={links}
            archived={archived}
            heldBy={heldBy}
            at={now}
          />
          <Problem message={problem} />
          <RecordOfProof screen={screen} />
        </>
      );
    case "expired":
      return (
        <>
          {secondRead ? (
            <>
              <h2>The seven days ended on {ended}, before a second check could confirm it.</h2>
              <p>{secondRead}</p>
            </>
          ) : (
            <h2>The seven days ended on {ended}, and the record was not found.</h2>
          )}
          <p>Its value is no longer accepted. Starting again gives you a new one.</p>
          <StartAgain screen={screen} />
        </>
      );
    default:
      return (
        <>
          <h2>Canceled on {ended}.</h2>
          <p>Its value is no longer accepted. Starting again gives you a new one.</p>
          <StartAgain screen={screen} />
        </>
      );
  }
}
