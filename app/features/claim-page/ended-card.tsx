import type { TroubleWords } from "#app/features/watching/trouble.ts";
import { Link } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Glyph, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimActionResult } from "./action-result.ts";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { ProofLines, WatchButton } from "./proof-lines.tsx";
import { PanelFields, PanelLink } from "./record-fields.tsx";
import { Retry } from "./retry.tsx";

const RevokeLink = ({ claim, className }: { claim: ClaimScreen["claim"]; className?: string }) => (
  <Link to={`/domains/${claim.domainId}/revoke?claim=${claim.id}`} className={className}>
    Revoke link
  </Link>
);

function ProofLinks({ screen }: { screen: ClaimScreen }) {
  const { claim, archived, heldBy, now, live } = screen;
  const { trouble } = screen.recordUse;
  const isLink = !trouble || trouble.kind === "registration_expiring";
  return (
    <div className="stack">
      {live ? (
        <>
          <p className="label">{trouble ? "Proof link" : "Share this link"}</p>
          <Value text={live.url} what="the link" />
          <p className="row sans">
            <a href={`/p/${live.slug}`}>Preview</a> {isLink ? <RevokeLink claim={claim} /> : null}
          </p>
        </>
      ) : archived ? (
        <p>
          This domain is archived, so it has no link. Take it out of the archive to publish one.
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
            Whoever opens it sees the domain, the date, the record and <bdi>{heldBy}</bdi>. You can
            revoke it.
          </p>
        </>
      )}
    </div>
  );
}

/** `isCurrent`: whether the domain's state comes from this claim. */
type ClaimScreenProps = { screen: ClaimScreen; isCurrent: boolean };
export type EndedCardProps = ClaimScreenProps & { result: ClaimActionResult };

function TroubleCard({ screen, trouble, isCurrent }: ClaimScreenProps & { trouble: TroubleWords }) {
  const { claim, archived, labels } = screen;
  const mayAct = trouble.kind !== "registration_expiring" && !archived;
  const state = screen.recordUse.watch?.state ?? "registered_again";
  const mayAdd = ["missing", "lapsed", "moved"].includes(state);
  const hasPanel = mayAdd && labels.url !== null;
  const [mine, otherwise] = trouble.toDo;
  const revoke = mayAct && screen.live ? <RevokeLink claim={claim} className="button" /> : null;
  const mayCheck = state !== "registered_again";
  return (
    <>
      {trouble.isLost ? <p>Readers of the proof are told not to rely on it now.</p> : null}
      <p>{mine}</p>
      {mayAdd ? <PanelFields labels={labels} /> : null}
      {mayAct ? (
        <div className="row">
          {hasPanel ? <PanelLink labels={labels} /> : null}{" "}
          {mayCheck ? (
            <WatchButton screen={screen} to="check" kind={hasPanel ? "plain" : "primary"} />
          ) : null}{" "}
          {isCurrent ? (
            <ActionButton intent="claim" kind={mayCheck ? "plain" : "primary"} busy="Opening…">
              Prove it again
            </ActionButton>
          ) : null}{" "}
          {otherwise ? null : revoke}
        </div>
      ) : null}
      {otherwise ? <p>{otherwise}</p> : null}
      {otherwise ? revoke : null}
    </>
  );
}

export function EndedCard({ screen, result: { problem, tooSoon }, isCurrent }: EndedCardProps) {
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
        {trouble ? <TroubleCard screen={screen} trouble={trouble} isCurrent={isCurrent} /> : null}
        <Problem message={problem?.message} />
        {tooSoon ? <Retry key={tooSoon.retryAt} retryAt={tooSoon.retryAt} now={now} /> : null}
        <ProofLines screen={screen} />
        <ProofLinks screen={screen} />
        {screen.receipt ? (
          <p className="row small sans">
            <a href={`/api/claims/${claim.id}/receipt`} download>
              Download the signed receipt
            </a>{" "}
            <a href="/verify">Check it</a>
          </p>
        ) : null}
      </>
    );
  return (
    <>
      {claim.state === "canceled" ? (
        <h2>Canceled on {ended}.</h2>
      ) : (
        <h2>
          The seven days ended on {ended},{" "}
          {secondRead
            ? "before a second check could confirm the record"
            : "and the record was not found"}
          .
        </h2>
      )}
      {secondRead ? <p>The last check found this: {secondRead}</p> : null}
      <p>
        Its value is no longer accepted. {fate}
        {isCurrent ? " Starting again gives you a new value." : null}
      </p>
      <Problem message={problem?.message} />
      {isCurrent ? (
        <ActionButton intent="claim" kind="primary" busy="Starting…">
          Start again
        </ActionButton>
      ) : null}
    </>
  );
}
