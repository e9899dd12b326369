import { useEffect, useState } from "react";
import { ActionButton } from "#app/ui/button.tsx";
import { Countdown, durationText, Moment } from "#app/ui/time.tsx";
import type { ClaimView } from "./claim-screen.server.ts";

/** A check that was asked for too soon after the last: when the next one may be, as an instant. */
export type TooSoon = { retryAt: string };

/** When the next scheduled check is, and the last. */
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

const secondsFrom = (at: string, now: string) => (Date.parse(now) - Date.parse(at)) / 1000;

/** Why a check was not made, without blame: when the last was, and when the next may be. */
function Again({ retryAt, lastRunAt, now }: TooSoon & { lastRunAt: string | null; now: string }) {
  const waitMs = Math.max(0, Date.parse(retryAt) - Date.parse(now));
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    setIsOver(false);
    const timer = setTimeout(() => setIsOver(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  const checked = lastRunAt
    ? `Checked ${durationText(secondsFrom(lastRunAt, now))} ago; you`
    : "You";
  return (
    <p role="status">
      {isOver
        ? "You can check again now."
        : `${checked} can check again in ${durationText(waitMs / 1000)}.`}
    </p>
  );
}

/** The actions of an open claim: its provider's panel, a check now, and when the next check is. */
export function CheckNow({
  view,
  tooSoon,
  promise,
}: {
  view: ClaimView;
  /** Set after a check that was asked for too soon. */
  tooSoon: TooSoon | null;
  /** What happens if the person leaves, in a sentence. */
  promise: string;
}) {
  const { url, provider } = view.labels;
  return (
    <>
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
      {tooSoon ? (
        <Again
          key={tooSoon.retryAt}
          retryAt={tooSoon.retryAt}
          lastRunAt={view.verification.lastRunAt}
          now={view.now}
        />
      ) : null}
      <p className="soft small sans">
        <NextCheck view={view} /> {promise}
      </p>
    </>
  );
}
