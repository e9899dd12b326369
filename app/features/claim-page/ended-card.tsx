import { claimPath } from "#app/core/names/prove-path.ts";
import type { Watch } from "#app/features/claims/watch.ts";
import { Watched } from "#app/features/watching/view/watched.tsx";
import type { RecordUse } from "#app/features/watching/watch-rows.server.ts";
import { Link } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { countText } from "#app/ui/confirm.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Reference } from "#app/ui/name.tsx";
import { Fold, Glyph, Notice, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimActionResult } from "./action-result.ts";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { PanelFields } from "./record-fields.tsx";
import type { ProviderLabels } from "./record-texts.ts";

function ProofLinks({ screen: { claim, links, archived, heldBy, now } }: { screen: ClaimScreen }) {
  const live = links.find(({ standing }) => standing === "live");
  const revoked = links.filter(({ standing }) => standing === "revoked");
  return (
    <div className="stack">
      {live ? (
        <>
          <p className="label">Share this link</p>
          <Value text={live.url} what="the link" />
          <p className="row sans">
            <a href={`/p/${live.slug}`}>Preview</a>{" "}
            <Link to={`/domains/${claim.domainId}/revoke?claim=${claim.id}`}>Revoke link</Link>
          </p>
        </>
      ) : archived ? (
        <p>
          This domain is archived: it publishes no link. Take it out of the archive to publish one.
        </p>
      ) : (
        <>
          <ActionButton
            intent="publish"
            kind="primary"
            busy="Publishing…"
            fields={{ claim: claim.id }}
            at={now}
          >
            Publish a link
          </ActionButton>
          <p className="soft small sans">
            It shows the domain, the date, the record and your address as <bdi>{heldBy}</bdi>. You
            can revoke it.
          </p>
        </>
      )}
      {revoked.length > 0 ? (
        <details>
          <summary>{countText(revoked.length, "revoked link")}</summary>
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

function StillNeeded({ others, hasMore }: Pick<RecordUse, "others" | "hasMore">) {
  if (others.length === 0) return null;
  const isOne = others.length === 1;
  return (
    <Notice
      tone="waiting"
      title={isOne ? "Keep the other value at this name" : "Keep the other values at this name"}
    >
      <ul className="plain stack">
        {others.map(({ claimId, domainId, isOpen, value, reference }) => (
          <li key={claimId}>
            <code>{value}</code> <Reference reference={reference} />
            <div>
              {isOpen ? "Your open claim needs it. " : "Deed watches it. "}
              <Link to={claimPath(domainId, claimId)}>See that claim</Link>
            </div>
          </li>
        ))}
      </ul>
      {hasMore ? <p>More claims of yours have values there.</p> : null}
    </Notice>
  );
}

type Trouble = Exclude<Watch["state"], "published" | "registered_again">;
const TROUBLES: Record<Trouble, [title: string, toDo: string]> = {
  missing: ["The record is missing", ""],
  lapsed: ["The record has been missing for seven days", ""],
  moved: [
    "The domain has moved to other nameservers",
    "If you did not move it, ask your registrar, or whoever runs the zone above it, at once who did. If you did, add the record there.",
  ],
  gone: [
    "The registry lists no nameservers for the domain",
    "Ask your registrar whether the domain has expired or is on hold.",
  ],
};

type WatchStateProps = { watch: Watch; fate: string; labels: ProviderLabels };

function WatchState({ watch, fate, labels }: WatchStateProps) {
  if (watch.state === "published") return <Watched watch={watch}>{fate}</Watched>;
  // The card says the rest, before anything else.
  if (watch.state === "registered_again") return <p>{fate}</p>;
  const [title, toDo] = TROUBLES[watch.state];
  return (
    <Notice tone="needs" title={title}>
      <Watched watch={watch}>
        {toDo} {fate} The proof keeps its date.
      </Watched>
      {watch.state === "gone" ? null : <PanelFields labels={labels} />}
    </Notice>
  );
}

/** What is to be done with the record of a proof. Open where something is. */
export function RecordFold({ screen }: { screen: ClaimScreen }) {
  const { claim, recordUse, archived, labels, now } = screen;
  if (claim.state !== "proved") return null;
  const { watch, fate, goneSince, others } = recordUse;
  const fields = { claim: claim.id };
  if (watch)
    return (
      <Fold title="The record is watched" id="record" open={watch.state !== "published"}>
        <WatchState watch={watch} fate={fate} labels={labels} />
        <ActionButton intent="unwatch" busy="Stopping…" fields={fields} at={now}>
          Stop watching
        </ActionButton>
      </Fold>
    );
  const title = goneSince ? "The record is gone" : "The record is no longer needed";
  return (
    <Fold title={title} id="record" open={!goneSince && others.length > 0}>
      {goneSince ? (
        <p>
          {fate} The check of <Moment at={goneSince} /> was the first without it. The proof keeps
          its date.
        </p>
      ) : (
        <>
          <p>{fate} The proof keeps its date.</p>
          <StillNeeded {...recordUse} />
        </>
      )}
      {archived ? null : (
        <>
          <p>
            {goneSince ? "Or add it again" : "Or keep it"}, and Deed checks once a day that it is
            still there. The proof page then says when it was last seen, and you get a notice if it
            goes missing.
          </p>
          {goneSince ? <PanelFields labels={labels} /> : null}
          <ActionButton intent="watch" busy="Starting…" fields={fields} at={now}>
            Watch the record
          </ActionButton>
        </>
      )}
    </Fold>
  );
}

export type EndedCardProps = {
  screen: ClaimScreen;
  result: ClaimActionResult;
  /** Whether it is the claim by which the domain stands. */
  isCurrent: boolean;
};

export function EndedCard({ screen, result, isCurrent }: EndedCardProps) {
  const { claim, now, awaited, verification } = screen;
  const isSecond = verification.waitEstimate?.observed?.secondRead && claim.state === "expired";
  const secondRead = isSecond ? awaited : null;
  const ended = <Moment at={claim.endedAt ?? now} />;
  const { watch, fate, loss } = screen.recordUse;
  const again = watch?.state === "registered_again" ? watch : null;
  const isLost = loss !== null;
  if (claim.state === "proved")
    return (
      <>
        <h2 className={`row ${isLost ? "needs" : "proved"}`}>
          <Glyph tone={isLost ? "needs" : "proved"} />
          <span>
            <bdi>{claim.unicodeDomain}</bdi>{" "}
            {again ? "was registered again" : isLost ? "no longer holds" : "is proved"}
          </span>
        </h2>
        {isLost ? <p>{loss}</p> : null}
        {again ? (
          <Watched watch={again}>
            If you did that, prove it again. If not, it is not yours any more: revoke the link and
            stop watching. The proof keeps its date.
          </Watched>
        ) : null}
        <p className="soft small sans">Proved on {ended}</p>
        <ProofLinks screen={screen} />
        <Problem message={result.problem?.message} />
      </>
    );
  return (
    <>
      {claim.state === "canceled" ? (
        <h2>Canceled on {ended}.</h2>
      ) : (
        <h2>
          The seven days ended on {ended},{" "}
          {secondRead ? "before a second check could confirm it" : "and the record was not found"}.
        </h2>
      )}
      {secondRead ? <p>{secondRead}</p> : null}
      <p>
        Its value is no longer accepted. {fate}
        {isCurrent ? " Starting again gives you a new value." : null}
      </p>
      <Problem message={result.problem?.message} />
      {isCurrent ? (
        <ActionButton intent="claim" kind="primary" busy="Starting…">
          Start again
        </ActionButton>
      ) : null}
    </>
  );
}
