import type { TroubleWords } from "#app/features/watching/trouble.ts";
import { DnsText } from "#app/ui/name.tsx";
import { capitalised, Fold, Glyph, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimActionResult } from "./action-result.ts";
import { hasAdvice } from "./open-card.tsx";
import {
  type ClaimScreenProps,
  ProofLines,
  ProveAgain,
  RevokeLink,
  WatchButton,
} from "./proof-lines.tsx";
import { GuideLink, PanelFields, PanelLink } from "./record-fields.tsx";
import { Retry } from "./retry.tsx";

export type EndedCardProps = ClaimScreenProps & { result: ClaimActionResult };

const AdviceText = ({ when, act }: TroubleWords["toDo"][number]) => (
  <>
    {when ? <h3>If {when}</h3> : null}
    <p>{capitalised(act)}</p>
  </>
);

function TroubleCard({ screen, trouble, isCurrent }: ClaimScreenProps & { trouble: TroubleWords }) {
  const { archived, labels, recordUse } = screen;
  const mayAct = trouble.kind !== "registration_expiring" && !archived;
  const state = recordUse.watch?.state ?? "registered_again";
  const mayAdd = ["missing", "lapsed", "moved"].includes(state);
  const hasPanel = mayAdd && labels.url !== null;
  const ends = [screen.live && "revoke the link", recordUse.watch && "stop watching"];
  const ending = ends.filter(Boolean).join(" and ");
  const leaving = ending ? { when: "the domain is no longer yours", act: `${ending}.` } : null;
  const [mine, otherwise = leaving] = trouble.toDo;
  const mayCheck = state !== "registered_again";
  const givingUp =
    mayAct && otherwise ? (
      <>
        <AdviceText {...otherwise} />
        <div className="row">
          <RevokeLink screen={screen} className="button quiet" />{" "}
          {recordUse.watch ? <WatchButton screen={screen} to="unwatch" /> : null}
        </div>
      </>
    ) : null;
  // Whoever did not move the domain has no time to lose.
  const isUrgent = trouble.kind === "moved";
  return (
    <>
      {screen.live && trouble.tone === "needs" ? (
        <p>
          Readers of the proof are told{" "}
          {trouble.isLost ? "not to rely on it now" : "to be careful with it now"}.
        </p>
      ) : null}
      {isUrgent ? givingUp : null}
      {mine ? <AdviceText {...mine} /> : null}
      {mayAdd ? <PanelFields labels={labels} /> : null}
      {mayAct ? (
        <div className="row">
          {hasPanel ? <PanelLink labels={labels} /> : null}{" "}
          {mayCheck ? (
            <WatchButton screen={screen} to="check" kind={hasPanel ? "plain" : "primary"} />
          ) : null}{" "}
          {isCurrent ? (
            <ProveAgain claim={screen.claim} kind={mayCheck ? "plain" : "primary"} />
          ) : null}
        </div>
      ) : null}
      {mayAdd ? (
        <>
          <GuideLink labels={labels} />
          <Fold title="Someone else manages DNS">
            <p>
              Send them the name and the value above. Or prove the domain again: the new record has
              a page that you can send them.
            </p>
          </Fold>
        </>
      ) : null}
      {isUrgent ? null : givingUp}
    </>
  );
}

export function EndedCard({ screen, result: { problem, tooSoon }, isCurrent }: EndedCardProps) {
  const { claim, now, verification } = screen;
  const { diagnosis, waitEstimate } = verification;
  const isSecond = waitEstimate?.observed?.secondRead && claim.state === "expired";
  // Of a record that was never there, the map says it all.
  const lastFound = isSecond
    ? screen.awaited
    : hasAdvice(screen) && !screen.isPlain && diagnosis?.cause;
  const ended = <Moment at={claim.endedAt ?? now} />;
  const { fate, trouble } = screen.recordUse;
  const tone = trouble?.tone ?? (screen.isDoubted ? "waiting" : "proved");
  if (claim.state === "proved")
    return (
      <>
        <h2 className={`row ${tone}`}>
          <Glyph tone={tone} />
          <span>
            <bdi>{claim.unicodeDomain}</bdi>
            {trouble?.says ??
              ` is proved${screen.isDoubted ? ", but readers see “Not confirmed”" : ""}`}
          </span>
        </h2>
        {trouble ? <TroubleCard screen={screen} trouble={trouble} isCurrent={isCurrent} /> : null}
        <Problem message={problem?.message} />
        {tooSoon && tooSoon.retryAt > now ? (
          <p role="status">
            <Retry {...tooSoon} now={now} />
          </p>
        ) : null}
        <ProofLines screen={screen} isCurrent={isCurrent} />
      </>
    );
  return (
    <>
      {claim.state === "canceled" ? (
        <h2>Canceled on {ended}</h2>
      ) : (
        <h2>
          The seven days ended on {ended},{" "}
          {isSecond ? "before a second check of the record" : "and the record was not found"}
        </h2>
      )}
      {lastFound ? (
        <>
          <p className="label">At the last check</p>
          <p>
            <DnsText text={lastFound} />
          </p>
        </>
      ) : null}
      <p>
        {fate}
        {isCurrent ? " Starting again gives you a new value." : null}
      </p>
      <Problem message={problem?.message} />
      {isCurrent ? <ProveAgain claim={claim} kind="primary" /> : null}
    </>
  );
}
