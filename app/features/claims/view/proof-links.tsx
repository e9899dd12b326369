import { Link } from "@remix-run/react";
import type { ProofLink } from "#app/core/resources.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Moment } from "#app/ui/time.tsx";

/** The links of a proved claim: the live one to share, the revoked ones as history, and the actions on them. */
export function ProofLinks({
  claimId,
  links,
  archived,
  heldBy,
  at,
}: {
  claimId: string;
  links: ProofLink[];
  archived: boolean;
  /** The account's address as the proof page shows it. */
  heldBy: string;
  /** When the page was served. */
  at: string;
}) {
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
            <Link to={`/claims/${claimId}/revoke`}>Revoke the link</Link>
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
          <ActionButton intent="publish" kind="primary" busy="Publishing…" at={at}>
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
