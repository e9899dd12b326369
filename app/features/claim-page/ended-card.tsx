import { claimPath } from "#app/core/names/prove-path.ts";
import type { TroubleWords } from "#app/features/watching/trouble.ts";
import { Watched } from "#app/features/watching/view/watched.tsx";
import type { RecordUse } from "#app/features/watching/watch-rows.server.ts";
import { Link } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Reference } from "#app/ui/name.tsx";
import { Fold, Glyph, Notice, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimActionResult } from "./action-result.ts";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { PanelFields } from "./record-fields.tsx";

const RevokeLink = ({ claim, className }: { claim: ClaimScreen["claim"]; className?: string }) => (
  <Link to={`/domains/${claim.domainId}/revoke?claim=${claim.id}`} className={className}>
    Revoke link
  </Link>
);

const liveOf = ({ links }: Pick<ClaimScreen, "links">) =>
  links.find(({ standing }) => standing === "live");

function ProofLinks({ screen }: { screen: ClaimScreen }) {
  const { claim, archived, heldBy, now, recordUse } = screen;
  const { trouble } = recordUse;
  const live = liveOf(screen);
  return (
    <div className="stack">
      {live ? (
        <>
          <p className="label">{trouble ? "Link of the proof" : "Share this link"}</p>
          <Value text={live.url} what="the link" />
          <p className="row sans">
            <a href={`/p/${live.slug}`}>Preview</a> {trouble ? null : <RevokeLink claim={claim} />}
          </p>
        </>
      ) : archived ? (
        <p>
          This domain is archived: it publishes no link. Take it out of the archive to publish one.
        </p>
      ) : trouble?.isLost ? null : (
        <>
          <ActionButton
            intent="publish"
            kind={trouble ? "plain" : "primary"}
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

/** What is to be done with the record of a proof. Open where something is. */
export function RecordFold({ screen }: { screen: ClaimScreen }) {
  const { claim, recordUse, archived, labels, now } = screen;
  if (claim.state !== "proved") return null;
  const { watch, fate, goneSince, others, trouble } = recordUse;
  const mayAdd = watch && ["missing", "lapsed", "moved"].includes(watch.state);
  const fields = { claim: claim.id };
  if (watch)
    return (
      <Fold title="The record is watched" id="record" open={watch.state !== "published"}>
        {trouble ? <p>{fate}</p> : <Watched watch={watch}>{fate}</Watched>}
        {mayAdd ? <PanelFields labels={labels} /> : null}
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

type InTroubleProps = { screen: ClaimScreen; trouble: TroubleWords; isCurrent: boolean };

/** What speaks against a proof, and what to do now. */
function InTrouble({ screen, trouble, isCurrent }: InTroubleProps) {
  const { claim, archived, recordUse } = screen;
  const { watch } = recordUse;
  const mayAct = trouble.kind !== "registration_expiring" && !archived;
  return (
    <>
      {trouble.isLost ? <p>Do not rely on this proof now.</p> : null}
      {watch ? <Watched watch={watch} /> : null}
      <p>{trouble.toDo}</p>
      {mayAct ? (
        <div className="row">
          {isCurrent ? (
            <ActionButton
              intent="claim"
              fields={watch ? { every: watch.every } : {}}
              kind="primary"
              busy="Opening…"
            >
              Prove it again
            </ActionButton>
          ) : null}{" "}
          {liveOf(screen) ? <RevokeLink claim={claim} className="button" /> : null}
        </div>
      ) : null}
    </>
  );
}

export function EndedCard({ screen, result, isCurrent }: EndedCardProps) {
  const { claim, now, awaited, verification } = screen;
  const isSecond = verification.waitEstimate?.observed?.secondRead && claim.state === "expired";
  const secondRead = isSecond ? awaited : null;
  const ended = <Moment at={claim.endedAt ?? now} />;
  const { fate, trouble } = screen.recordUse;
  const tone = trouble?.tone ?? "proved";
  if (claim.state === "proved")
    return (
      <>
        <h2 className={`row ${tone}`}>
          <Glyph tone={tone} />
          <span>
            <bdi>{claim.unicodeDomain}</bdi>
            {trouble?.says ?? " is proved"}
          </span>
        </h2>
        {trouble ? <InTrouble screen={screen} trouble={trouble} isCurrent={isCurrent} /> : null}
        <p className="soft small sans">
          Proved on {ended}
          {trouble ? ". The proof keeps its date." : null}
        </p>
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
