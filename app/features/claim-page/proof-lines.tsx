import { joinList } from "@deed/dns/words/wording.ts";
import { claimPath } from "#app/core/names/prove-path.ts";
import { CHECKED_BY } from "#app/features/proofs/view/proof-facts.tsx";
import { FindingText, Registration } from "#app/features/watching/view/watched.tsx";
import type { RecordUse } from "#app/features/watching/watch-rows.server.ts";
import { Link } from "#app/remix/react.ts";
import { ActionButton, type ButtonKind } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { DnsText, Reference } from "#app/ui/name.tsx";
import { type Fact, Facts, Fold, Notice } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { PanelFields } from "./record-fields.tsx";

function OtherNeededValues({ others, hasMore }: Pick<RecordUse, "others" | "hasMore">) {
  if (others.length === 0) return null;
  return (
    <Notice tone="waiting" title="Other values at this name">
      <ul className="plain stack">
        {others.map(({ claimId, domainId, isOpen, value, reference }) => (
          <li key={claimId}>
            <code>{value}</code>
            <Reference reference={reference} />
            <div>
              {isOpen ? "Your open claim needs it. " : "Deed watches it. "}
              <Link to={claimPath(domainId, claimId)}>See that claim</Link>
            </div>
          </li>
        ))}
      </ul>
      {hasMore ? <p>Other claims of yours have values there too.</p> : null}
    </Notice>
  );
}

const ACTS = {
  check: ["Checking DNS…", "Check now"],
  watch: ["Starting…", "Watch the record"],
  unwatch: ["Stopping…", "Stop watching"],
} as const;
type WatchButtonProps = { screen: ClaimScreen; kind?: ButtonKind; to: keyof typeof ACTS };

export function WatchButton({ screen: { claim, now: at }, kind = "quiet", to }: WatchButtonProps) {
  const [busy, words] = ACTS[to];
  return (
    <ActionButton intent={to} fields={{ claim: claim.id }} {...{ kind, busy, at }}>
      {words}
    </ActionButton>
  );
}

function RecordLine({ screen }: { screen: ClaimScreen }) {
  const { watch, finding, fate, goneSince, trouble } = screen.recordUse;
  const missingSince = watch?.missingSince;
  return (
    <div className="row">
      <span>
        {watch ? "Watched" : "Not watched"}
        {missingSince ? ", missing since " : watch ? ", seen " : null}
        {missingSince ? <Moment at={missingSince} /> : null}
        {watch && !missingSince ? <Moment at={watch.seenAt} now={screen.now} form="ago" /> : null}.{" "}
        {watch && finding ? <FindingText watch={watch} finding={finding} now={screen.now} /> : null}
        {fate}
        {watch || screen.archived
          ? null
          : ` Or ${goneSince ? "add it again, and " : ""}have Deed check it daily.`}
      </span>{" "}
      {watch && trouble?.tone !== "needs" ? (
        <>
          <WatchButton screen={screen} to="check" /> <WatchButton screen={screen} to="unwatch" />
        </>
      ) : null}
      {watch || screen.archived || goneSince ? null : <WatchButton screen={screen} to="watch" />}
    </div>
  );
}

type ProveAgainProps = Pick<ClaimScreen, "claim"> & { kind: ButtonKind };
/** Sends the claim that it follows, so that an old page opens none after a newer one. */
export const ProveAgain = ({ claim: { id, state }, kind }: ProveAgainProps) => (
  <ActionButton intent="claim" kind={kind} busy="Opening…" fields={{ claim: id }}>
    {state === "proved" ? "Prove it again" : "Start again"}
  </ActionButton>
);

type RevokeProps = { screen: ClaimScreen; className?: string };
export const RevokeLink = ({ screen: { claim, live }, className }: RevokeProps) =>
  live ? (
    <Link to={`/domains/${claim.domainId}/revoke?claim=${claim.id}`} className={className}>
      Revoke link
    </Link>
  ) : null;

/** `isCurrent`: whether the domain's state comes from this claim. */
export type ClaimScreenProps = { screen: ClaimScreen; isCurrent: boolean };

function ProofLinks({ screen, isCurrent }: ClaimScreenProps) {
  const { claim, archived, heldBy, now, live } = screen;
  const { trouble } = screen.recordUse;
  return (
    <div className="stack">
      {live ? (
        <>
          <p className="label">Proof link</p>
          {screen.isDoubted && trouble?.tone !== "needs" ? (
            <Notice tone="waiting" title="The receipt’s key was replaced">
              {isCurrent ? <ProveAgain claim={claim} kind="primary" /> : null}
            </Notice>
          ) : null}
          {trouble?.isLost ? null : <Value text={live.url} what="the link" />}
        </>
      ) : archived || trouble?.isLost ? null : (
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
            It shows the domain, the date, the record and <bdi>{heldBy}</bdi>. You can revoke it.
          </p>
        </>
      )}
      <div className="row small sans">
        {live ? <a href={`/p/${live.slug}`}>Preview</a> : null}{" "}
        {screen.receipt ? (
          <>
            <a href={`/api/claims/${claim.id}/receipt`} download>
              Download the signed receipt
            </a>{" "}
            <a href="/verify">Check a receipt</a>
          </>
        ) : null}{" "}
        {trouble?.tone === "needs" ? null : <RevokeLink screen={screen} />}
      </div>
    </div>
  );
}

export function ProofLines({ screen, isCurrent }: ClaimScreenProps) {
  const { claim, receipt, recordUse, labels, now } = screen;
  const { watch, goneSince, trouble } = recordUse;
  const askedWatch = watch?.registration || watch?.registryAskedAt ? watch : null;
  const unaskedText = watch && "Deed will ask its registry soon.";
  const isWrong = trouble?.tone === "needs";
  const other = claim.coexistence?.type === "named" ? claim.coexistence : null;
  const proof: Fact[] = [
    [
      "Proof",
      <>
        <Moment at={claim.endedAt ?? now} />
        {receipt ? (
          <>
            , <a href={`/docs/assurance#${receipt.assurance}`}>{CHECKED_BY[receipt.assurance]}</a>
          </>
        ) : (
          ", before Deed signed receipts"
        )}
      </>,
    ],
    other && [
      "Also proved",
      <>
        By <bdi>{other.maskedEmail}</bdi> on <Moment at={other.provedAt} form="day" />.
        {trouble ? null : " Both proofs are valid."}
      </>,
    ],
  ];
  const since: Fact[] = [
    ["Record", <RecordLine key="record" screen={screen} />],
    trouble?.kind === "moved" && [
      "Moved",
      <DnsText
        key="moved"
        text={`From ${joinList(recordUse.nameservers)}${recordUse.movedTo.length > 0 ? ` to ${joinList(recordUse.movedTo)}` : ""}`}
      />,
    ],
    [
      "Registration",
      askedWatch ? <Registration key="registration" watch={askedWatch} /> : unaskedText,
    ],
  ];
  const told = trouble?.kind === "registered_again" ? since.toReversed() : since;
  return (
    <>
      <Facts rows={isWrong ? [...told, ...proof] : [...proof, ...told]} />
      {watch ? null : <OtherNeededValues {...recordUse} />}
      {(goneSince || recordUse.finding) && !isWrong && !screen.archived ? (
        <Fold title="The record to add">
          <PanelFields labels={labels} />
          {goneSince ? <WatchButton screen={screen} to="watch" /> : null}
        </Fold>
      ) : null}
      <ProofLinks screen={screen} isCurrent={isCurrent} />
    </>
  );
}
