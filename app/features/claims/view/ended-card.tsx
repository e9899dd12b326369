import { Link } from "@remix-run/react";
import { ActionButton } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { RecordOfProof } from "./record-use.tsx";

function ProofLinks({ screen: { claim, links, archived, heldBy, now } }: { screen: ClaimScreen }) {
  const live = links.find(({ standing }) => standing === "live");
  const revoked = links.filter(({ standing }) => standing === "revoked");
  return (
    <div className="stack-wide">
      {live ? (
        <div className="stack">
          <p>Anyone with this link sees the proof, and nothing else of your account.</p>
          <Value text={live.url} what="the link" />
          <div className="row">
            <a href={`/p/${live.slug}`} className="button">
              Open the proof page
            </a>{" "}
            <Link to={`/claims/${claim.id}/revoke`}>Revoke the link</Link>
          </div>
          <p className="soft">
            Published on <Moment at={live.issuedAt} />. Revoking cannot be undone. The proof keeps
            its date, receipts already downloaded stay true about it, and you can publish a new
            link.
          </p>
        </div>
      ) : archived ? (
        <p>This domain is archived: it publishes no link. Restore it to publish one.</p>
      ) : (
        <div className="stack">
          <p>
            Publish a page that states this proof. It shows the domain, the moment, the token and
            your address as <bdi>{heldBy}</bdi>. You can revoke the link at any time; receipts
            downloaded until then stay true about that moment.
          </p>
          <ActionButton intent="publish" kind="primary" busy="Publishing…" at={now}>
            Publish a link
          </ActionButton>
        </div>
      )}
      {revoked.length > 0 ? (
        <details>
          <summary>
            {revoked.length} revoked {revoked.length === 1 ? "link" : "links"}
          </summary>
          <ul className="plain stack">
            {revoked.map(({ slug, issuedAt, revokedAt }) => (
              <li key={slug}>
                <code>/p/{slug}</code>
                <div className="soft small sans">
                  published <Moment at={issuedAt} />
                  {revokedAt ? (
                    <>
                      , revoked <Moment at={revokedAt} />
                    </>
                  ) : null}
                </div>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

export function EndedCard({ screen, problem }: { screen: ClaimScreen; problem: string | null }) {
  const { claim, now, awaited, verification } = screen;
  const secondRead = verification.waitEstimate?.observed?.secondRead ? awaited : null;
  const ended = <Moment at={claim.endedAt ?? now} />;
  if (claim.state === "proved")
    return (
      <>
        <h2>
          On {ended} you proved control of <bdi className="mono">{claim.unicodeDomain}</bdi>.
        </h2>
        <ProofLinks screen={screen} />
        <Problem message={problem} />
        <RecordOfProof screen={screen} />
      </>
    );
  return (
    <>
      {claim.state === "canceled" ? (
        <h2>Canceled on {ended}.</h2>
      ) : secondRead ? (
        <>
          <h2>The seven days ended on {ended}, before a second check could confirm it.</h2>
          <p>{secondRead}</p>
        </>
      ) : (
        <h2>The seven days ended on {ended}, and the record was not found.</h2>
      )}
      <p>Its value is no longer accepted. Starting again gives you a new one.</p>
      {screen.archived ? (
        <Link to={`/domains/${claim.domainId}`}>This domain is archived</Link>
      ) : (
        <ActionButton
          intent="claim"
          action={`/domains/${claim.domainId}`}
          kind="primary"
          busy="Starting…"
        >
          Start again
        </ActionButton>
      )}
    </>
  );
}
