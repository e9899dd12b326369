import { useEffect, useState } from "react";

const LONG_DATE = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "long" });

/** "12 March 2026", in UTC. */
export const dayText = (at: string): string => LONG_DATE.format(new Date(at));
const clock = (at: string) => new Date(at).toISOString().slice(-13, -5);
/** "12 March 2026 at 14:03:22 UTC". */
export const fullText = (at: string): string => `${dayText(at)} at ${clock(at)} UTC`;

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** "4 minutes", "2 hours", "30 seconds": one unit, rounded, at least one second. */
export function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size * 0.99) ?? UNITS[3];
  const count = Math.max(1, Math.round(seconds / size));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** "in 4 minutes" or "4 minutes ago"; "now" within the second. */
export function relativeText(at: string, now: string): string {
  const seconds = (Date.parse(at) - Date.parse(now)) / 1000;
  if (Math.abs(seconds) < 1) return "now";
  return seconds > 0 ? `in ${durationText(seconds)}` : `${durationText(-seconds)} ago`;
}

/** No line ends between a time and its zone. */
const withItsZone = (text: string) => text.replace(/ (?=\S+$)/, "\u00a0");

type MomentProps = { at: string; now?: string; form?: "day" | "full" | "ago" };

/** A point in time. "ago" is relative to `now`, with the exact time on hover. */
export function Moment({ at, now = at, form = "full" }: MomentProps) {
  const text = { day: dayText, full: fullText, ago: relativeText }[form](at, now);
  return (
    <time
      dateTime={at}
      title={form === "full" ? undefined : fullText(at)}
      className={form === "full" ? undefined : "whole"}
    >
      {form === "full" ? withItsZone(text) : text}
    </time>
  );
}

export const LastSeen = ({ at, now }: { at: string | null; now: string }) =>
  at ? <Moment at={at} now={now} form="ago" /> : "not yet";

/** The server's current time, advanced locally: the browser's clock may be wrong. */
function useNow(servedAt: string, everyMs: number): string {
  const [now, setNow] = useState(servedAt);
  useEffect(() => {
    const skew = Date.parse(servedAt) - Date.now();
    const tick = () => setNow(new Date(Date.now() + skew).toISOString());
    setNow(servedAt);
    const timer = setInterval(tick, everyMs);
    return () => clearInterval(timer);
  }, [servedAt, everyMs]);
  return now;
}

/** "11:08 GMT+1" by the reader's clock, with the day if it is not near. */
export function localText(at: string, now: string): string {
  const isFar = Date.parse(at) - Date.parse(now) > 20 * 3_600_000;
  const form = new Intl.DateTimeFormat(undefined, {
    ...(isFar && { weekday: "long" }),
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" },
  });
  return form.format(new Date(at));
}

type TickingProps = { at: string; servedAt: string; over?: string };

/** "3 seconds ago", or "in 4 minutes, 11:08 GMT+1", then `over`; script updates it without announcing it. */
export function Ticking({ at, servedAt, over = "any moment now" }: TickingProps) {
  const now = useNow(servedAt, 1_000);
  const [local, setLocal] = useState("");
  // Only the browser knows the reader's time zone.
  useEffect(() => setLocal(`, ${withItsZone(localText(at, servedAt))}`), [at, servedAt]);
  const isAhead = at > servedAt;
  const isOver = isAhead && at <= now;
  return (
    <time dateTime={at} title={fullText(at)} className="figures" aria-live="off">
      {isOver ? over : relativeText(at, now)}
      {isAhead && !isOver ? local : null}
    </time>
  );
}

type WaitBarProps = { since: string; until: string; servedAt: string };

export function WaitBar({ since, until, servedAt }: WaitBarProps) {
  const now = useNow(servedAt, 5_000);
  const totalMs = Math.max(1, Date.parse(until) - Date.parse(since));
  const elapsedMs = Math.max(0, Date.parse(now) - Date.parse(since));
  if (elapsedMs >= totalMs)
    return <p className="small sans soft">This wait should be over: the next check will tell.</p>;
  return (
    <div className="stack">
      <progress aria-label="the wait" max={100} value={Math.round((elapsedMs / totalMs) * 100)} />
      <p className="small sans soft">
        Should be done at the latest <Ticking at={until} servedAt={servedAt} />
      </p>
    </div>
  );
}
