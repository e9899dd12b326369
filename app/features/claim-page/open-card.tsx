import type { ReactNode } from "react";
import { DAY, iso, SECOND } from "#app/core/time.ts";
import { PathSection } from "#app/features/zones/view/record-path.tsx";
import { ActionButton } from "#app/ui/button.tsx";
import { DnsText } from "#app/ui/name.tsx";
import { Fold, Problem, StateWord } from "#app/ui/page.tsx";
import { durationText, Moment, Ticking, WaitBar } from "#app/ui/time.tsx";
import type { WaitEstimate } from "../claims/resources.ts";
import type { ClaimActionResult, TooSoon } from "./action-result.ts";
import type { ClaimView } from "./claim-screen.server.ts";
import { DiagnosisFix } from "./fix-and-details.tsx";
import { GuideLink, PanelFields, PanelLink } from "./record-fields.tsx";
import { Retry } from "./retry.tsx";
import { stateLabel } from "./state-label.ts";

type Words = { title: string; body: string };
/** Before the first check, the page shows the record instead. */
const WORDS = {
  negative_cache: {
    title: "Your record is there, but public resolvers still have the old answer cached",
    body: "They were asked before you added it. There is nothing to do.",
  },
  resolvers_next: {
    title: "Your record is there, but a public resolver does not have it yet",
    body: "The resolver without it may have asked a nameserver that was not up to date yet. There is nothing to do.",
  },
  old_delegation: {
    title: "Your record is there, but public resolvers still use the old nameservers or keys",
    body: "They keep the registry’s earlier answer for a while. There is nothing to do.",
  },
  nameserver_sync: {
    title: "Your record is on some nameservers; others are still catching up",
    body: "Your DNS provider is copying it to its other servers. There is nothing to do.",
  },
  too_few_answers: {
    title: "Your record is there, but too few of your nameservers answer",
    body: "Deed waits for the other nameservers. If they do not answer, it tells you whom to ask.",
  },
  /** All nameservers that answer have the record, but a silent one might deny it. */
  second_read: {
    title: "Your record is there, but not every nameserver answers",
    body: "To be sure, Deed checks a second time before this wait is over. There is nothing to do.",
  },
  retry: {
    title: "Deed could not reach DNS",
    body: "Nothing is known about your record. If you have not added it yet, add this:",
  },
} satisfies Record<string, Words>;

/** Whether nameservers have shown the record, so that only time is missing. */
const isSeen = ({ verification: { waitEstimate } }: ClaimView): boolean =>
  waitEstimate?.reason === "negative_cache" || waitEstimate?.reason === "nameserver_sync";

const TXT_EXPLANATION =
  "A TXT record is text in your domain’s settings. It does not affect your website or email.";

const wordsOf = ({ observed, unasked, held }: WaitEstimate, reason: keyof typeof WORDS): Words => {
  if (held) return WORDS.old_delegation;
  if (unasked) return WORDS.resolvers_next;
  if (observed?.secondRead) return WORDS.second_read;
  return WORDS[observed?.nameservers.length === 0 ? "too_few_answers" : reason];
};

/** The latest end of a wait: not before the next check, which tells. Of the second read, only the wait bounds it. */
export function waitEnd({ open, now, verification: { nextRunAt, waitEstimate } }: ClaimView) {
  const end = iso(Date.parse(now) + (waitEstimate?.secondsRemaining ?? 0) * SECOND);
  return nextRunAt && nextRunAt > end && open !== "confirming" ? nextRunAt : end;
}

/** Whether the last read gives advice: to act, or to wait without a known end. */
export const hasAdvice = ({ open, verification: { diagnosis, waitEstimate } }: ClaimView) =>
  diagnosis !== null && waitEstimate === null && open !== "waiting_for_record";

function CurrentTask({ view }: { view: ClaimView }) {
  const { labels, verification, headline, awaited, now } = view;
  const { diagnosis, waitEstimate } = verification;
  if (hasAdvice(view))
    return (
      <>
        <h2 data-code={diagnosis?.code}>{headline}</h2>
        <DiagnosisFix view={view} />
      </>
    );
  const reason = waitEstimate?.reason;
  if (reason && reason !== "first_check") {
    const { title, body } = wordsOf(waitEstimate, reason);
    return (
      <>
        <h2 data-code={reason}>{title}</h2>
        <p>
          <DnsText text={awaited ?? ""} /> {body}
        </p>
        {reason === "retry" ? null : (
          <WaitBar
            since={verification.lastRunAt ?? view.claim.createdAt}
            until={waitEnd(view)}
            servedAt={now}
          />
        )}
      </>
    );
  }
  // With a record of its own, the name would lose those of the wildcard.
  const isByWildcard = diagnosis && "wildcardName" in diagnosis.observed;
  return (
    <>
      <h2 data-code={reason}>
        Add this{" "}
        {labels.provider === null ? (
          <>
            where the DNS of <bdi className="mono">{labels.zone}</bdi> is managed
          </>
        ) : (
          `at ${labels.provider}`
        )}
      </h2>
      {isByWildcard ? <DiagnosisFix view={view} /> : null}
    </>
  );
}

/** Changes with every check. If only the time changes, it is not announced. */
function StatusLine({ view, tooSoon }: { view: ClaimView; tooSoon: TooSoon | null | undefined }) {
  const { verification, open, labels, now, isTimeKnown } = view;
  const { lastRunAt, nextRunAt } = verification;
  const publishing =
    open === "waiting_for_record" && labels.publishingMinutes !== null
      ? `${labels.provider} can take ${durationText(labels.publishingMinutes * 60)}. `
      : null;
  const nextAt = nextRunAt && nextRunAt > now ? nextRunAt : now;
  // A second read comes at a secret moment, which the card's sentence bounds.
  const hasNext = nextRunAt && isTimeKnown && open !== "confirming";
  return (
    <p role="status" className="small sans">
      {lastRunAt ? (
        <>
          {view.isReached ? "Checked" : "Tried"} <Ticking at={lastRunAt} servedAt={now} />
          {view.isReached || verification.waitEstimate?.reason === "retry"
            ? "."
            : ": DNS could not be reached."}
        </>
      ) : (
        "Not checked yet."
      )}{" "}
      {publishing}
      {isTimeKnown ? null : " Deed does not check until it is sure of the time."}
      {tooSoon && tooSoon.retryAt > now ? (
        <Retry {...tooSoon} now={now} />
      ) : hasNext ? (
        <>
          {lastRunAt ? "Next" : "First"} check <Ticking at={nextAt} servedAt={now} />.
        </>
      ) : null}
    </p>
  );
}

const isEditorsTurn = ({ open, verification: { diagnosis, registry } }: ClaimView): boolean =>
  open === "waiting_for_record" ||
  (open === "needs_you" && diagnosis?.awaits === "claimant" && !registry?.fix);

/** Whether the record is folded: DNS has shown it, or the fix is elsewhere. */
const isRecordFolded = (view: ClaimView): boolean =>
  isSeen(view) || (hasAdvice(view) && view.pastes.length === 0);

/** `handoffFold`: forms to hand the record off, null on the hand-off page; `handedOffAt`: when the reader handed it off. */
export type OpenCardProps = {
  view: ClaimView;
  result: ClaimActionResult;
  handoffFold: ReactNode;
  handedOffAt?: string | null | undefined;
};

export function OpenCard({ view, result, handoffFold, handedOffAt }: OpenCardProps) {
  const { problem, tooSoon, shared } = result;
  const { labels, verification, now, reloads } = view;
  const isTurn = isEditorsTurn(view);
  const url = isTurn || verification.waitEstimate?.reason === "retry" ? labels.url : null;
  const kind = isTurn ? "primary" : "plain";
  // Whoever handed the record off can only check.
  const panel = url ? <PanelLink labels={labels} kind={handedOffAt ? "plain" : kind} /> : null;
  // If a record has to be fixed, somebody has already added one.
  const means = hasAdvice(view) ? view.isPlain && verification.diagnosis?.cause : TXT_EXPLANATION;
  const notes = [labels.hostHint, means].filter(Boolean).join(" ");
  return (
    <>
      {Date.parse(view.claim.expiresAt) - Date.parse(now) < DAY ? (
        <p>
          <StateWord tone="needs" word="Less than a day left" />
        </p>
      ) : null}
      {handedOffAt ? (
        <p>
          Handed off on <Moment at={handedOffAt} form="day" />, with{" "}
          <a href="#handoff">the link below</a>.
        </p>
      ) : null}
      <CurrentTask view={view} />
      {view.shut ? <p>{view.shut}</p> : null}
      {isRecordFolded(view) ? (
        <>
          <StatusLine view={view} tooSoon={tooSoon} />
          <PathSection title={PATH_TITLE} path={view.path} tone={toneOf(view)} />
        </>
      ) : (
        <>
          <PanelFields
            labels={labels}
            changed={
              hasAdvice(view) && view.pastes.length === 1
                ? view.pastes.map(({ field }) => field)
                : []
            }
          />
          {notes ? (
            <p className="soft small sans">
              <DnsText text={notes} />
            </p>
          ) : null}
          <StatusLine view={view} tooSoon={tooSoon} />
        </>
      )}
      <Problem message={shared ? null : problem?.message} />
      {view.open === "confirming" ? null : (
        <div className="row">
          {handedOffAt ? null : panel}{" "}
          <ActionButton
            intent="check"
            kind={url && !handedOffAt ? "plain" : kind}
            busy="Checking DNS…"
            at={now}
          >
            Check now
          </ActionButton>{" "}
          {handedOffAt ? panel : null}
        </div>
      )}
      {isRecordFolded(view) ? null : <GuideLink labels={labels} />}
      {isRecordFolded(view) ? (
        <Fold title="The record">
          <PanelFields labels={labels} />
        </Fold>
      ) : null}
      {reloads === null || handoffFold === null ? (
        handoffFold
      ) : (
        <p className="sans" id="handoff">
          <a href="?#handoff">Someone else manages DNS</a>
        </p>
      )}
    </>
  );
}

const PATH_TITLE = "Where the record is";
const toneOf = ({ open }: ClaimView) => stateLabel("pending", open).tone;

/** The path of the record, below the card; inside the card if there is nothing to do but wait. */
export const OpenPath = ({ view }: { view: ClaimView }) =>
  isRecordFolded(view) ? null : (
    <PathSection
      title={PATH_TITLE}
      path={view.path}
      tone={toneOf(view)}
      isFolded={view.open === "waiting_for_record"}
    />
  );

type RecordUseProps = { view: ClaimView; watchProof: boolean | null };

/** Whether an open claim's record may be removed later. `watchProof`: the holder's wish; null if the page cannot ask. */
export const RecordUse = ({ view: { recordUse, now }, watchProof }: RecordUseProps) => (
  <div className="row small sans">
    <span className="soft">{recordUse.fate}</span>{" "}
    {watchProof !== null ? (
      <ActionButton intent={watchProof ? "let-go" : "keep"} kind="linkish" at={now}>
        {watchProof ? "Do not watch it" : "Or have Deed check it daily"}
      </ActionButton>
    ) : null}
  </div>
);

/** For browsers without script: links to the page that reloads itself, and back. A page with a text field never reloads. */
export function ReloadLinks({ view: { reloads: every } }: { view: ClaimView }) {
  if (every !== null)
    return (
      <p className="small sans">
        This page reloads every {every < 120 ? `${every} s` : durationText(every)}.{" "}
        <a href="?">Stop reloading</a>
      </p>
    );
  return (
    <noscript>
      <p className="small sans">
        <a href="?live">Live status</a> on a page that reloads.
      </p>
    </noscript>
  );
}
