import { useEffect, useState } from "react";
import { ActionButton } from "#app/ui/button.tsx";
import { Problem } from "#app/ui/page.tsx";
import { Countdown, durationText, Moment, WaitBar } from "#app/ui/time.tsx";
import type { WaitEstimate } from "../resources.ts";
import type { ClaimActionResult, TooSoon } from "./action-result.ts";
import type { ClaimView } from "./claim-screen.server.ts";
import { DiagnosisFix } from "./diagnosis.tsx";
import { fieldsOf, PanelFields } from "./record-fields.tsx";

type Words = { title: string; body: string; barLabel: string };
/** While Deed cannot reach DNS, the record is still shown instead. */
const WORDS: Record<Exclude<WaitEstimate["reason"], "retry">, Words> = {
  first_check: {
    title: "Deed has not checked yet.",
    body: "The first check is about to happen.",
    barLabel: "until the first check",
  },
  negative_cache: {
    title: "Your record is there. Public resolvers still have the old answer cached.",
    body: "They were asked before you added it. There is nothing to do.",
    barLabel: "until resolvers ask again",
  },
  nameserver_sync: {
    title: "Your record is on some nameservers; others are still catching up.",
    body: "Your DNS provider copies it from one server to the next. There is nothing to do.",
    barLabel: "until the nameservers should agree",
  },
};

/** No server is lagging: all that answer have the record. */
const TOO_FEW_ANSWERS = {
  title: "Your record is there, but too few of your nameservers answer.",
  body: "Deed waits for the others; if they stay silent, it says whom to ask.",
  barLabel: "until they should answer",
};

/** All that answer have the record, and one that does not might say otherwise. */
const SECOND_READ = {
  title: "Your record is there, but not every nameserver answers.",
  body: "Deed checks a second time before it counts, in case the silent ones disagree. There is nothing to do.",
  barLabel: "until the second check",
};

const wordsOf = (reason: keyof typeof WORDS, observed: WaitEstimate["observed"]) => {
  if (observed?.secondRead) return SECOND_READ;
  return observed?.nameservers.length === 0 ? TOO_FEW_ANSWERS : WORDS[reason];
};

function Task({ view }: { view: ClaimView }) {
  const { open, labels, verification, headline, awaited, now } = view;
  const { diagnosis, waitEstimate } = verification;
  if (open === "needs_you" && diagnosis)
    return (
      <>
        <h2 data-code={diagnosis.code}>{headline}</h2>
        <DiagnosisFix diagnosis={diagnosis} view={view} />
      </>
    );
  const reason = waitEstimate?.reason;
  if (open === "waiting_for_dns" && reason && reason !== "retry") {
    const { title, body, barLabel } = wordsOf(reason, waitEstimate.observed);
    return (
      <>
        <h2 data-code={reason}>{title}</h2>
        {awaited ? <p>{awaited}</p> : null}
        <p>{body}</p>
        <WaitBar
          label={barLabel}
          since={verification.lastRunAt ?? view.claim.createdAt}
          until={new Date(Date.parse(now) + waitEstimate.secondsRemaining * 1000).toISOString()}
          servedAt={now}
        />
      </>
    );
  }
  return (
    <>
      <h2 data-code={reason}>
        Add this TXT record {labels.provider === null ? "" : `at ${labels.provider}, `}where{" "}
        <bdi className="mono">{labels.zone}</bdi>’s DNS is managed.
      </h2>
      <PanelFields fields={fieldsOf(labels)} />
      {labels.hostHint ? <p className="soft small sans">{labels.hostHint}</p> : null}
      {reason === "retry" ? (
        <p>Deed could not reach DNS. That is on our side, and Deed tries again automatically.</p>
      ) : null}
    </>
  );
}

function NextCheck({ view: { claim, verification, now, isTimeKnown } }: { view: ClaimView }) {
  if (!isTimeKnown) return <>Deed checks nothing until it is sure of the time.</>;
  if (!verification.nextRunAt) return null;
  return (
    <>
      Next automatic check <Countdown until={verification.nextRunAt} servedAt={now} />, then until{" "}
      <Moment at={claim.expiresAt} form="day" />.
    </>
  );
}

function Again({ retryAt, view: { now, verification } }: TooSoon & { view: ClaimView }) {
  const { lastRunAt } = verification;
  const waitMs = Math.max(0, Date.parse(retryAt) - Date.parse(now));
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    setIsOver(false);
    const timer = setTimeout(() => setIsOver(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  const checked = lastRunAt
    ? `Checked ${durationText((Date.parse(now) - Date.parse(lastRunAt)) / 1000)} ago; you`
    : "You";
  return (
    <p role="status">
      {isOver
        ? "You can check again now."
        : `${checked} can check again in ${durationText(waitMs / 1000)}.`}
    </p>
  );
}

type OpenCardProps = {
  view: ClaimView;
  result: ClaimActionResult;
  /** What happens if the person leaves, in a sentence. */
  promise: string;
  /** For the page without forms: every how many seconds it reloads. Null for the page with them. */
  reloads: number | null;
};

export function OpenCard({ view, result, promise, reloads }: OpenCardProps) {
  const { problem, tooSoon, shared } = result;
  const { url, provider } = view.labels;
  const task = (
    <>
      <Task view={view} />
      {view.shut ? <p>{view.shut}</p> : null}
    </>
  );
  if (reloads !== null) return task;
  return (
    <>
      {task}
      <Problem message={shared ? null : problem?.message} />
      <div className="row">
        {url ? (
          <a href={url} className="button primary" target="_blank" rel="noopener noreferrer">
            Open DNS at {provider} <span aria-hidden="true">↗</span>
            <span className="unseen"> (opens in a new tab)</span>
          </a>
        ) : null}{" "}
        <ActionButton
          intent="check"
          kind={url ? "plain" : "primary"}
          busy="Checking DNS…"
          at={view.now}
        >
          Check now
        </ActionButton>
      </div>
      {tooSoon ? <Again key={tooSoon.retryAt} retryAt={tooSoon.retryAt} view={view} /> : null}
      <p className="soft small sans">
        <NextCheck view={view} /> {promise}
      </p>
    </>
  );
}

/** Seconds until a browser without script reloads an open claim: just after its next read, which may take five. */
export function refreshAfter({ verification, now }: ClaimView): number {
  const untilNextMs = Date.parse(verification.nextRunAt ?? now) - Date.parse(now);
  return Math.min(300, Math.max(15, Math.ceil(untilNextMs / 1000) + 5));
}

/** For browsers without script: a way to the page that reloads, and back. A page with a form never reloads. */
export function Reloading({ every }: { every: number | null }) {
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
        <a href="?live">Live status</a>, on a page that reloads.
      </p>
    </noscript>
  );
}
