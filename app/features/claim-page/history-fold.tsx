import { Fragment } from "react";
import { Link, useSearchParams } from "#app/remix/react.ts";
import { Fold, StateWord } from "#app/ui/page.tsx";
import { clockText, dayText, Moment } from "#app/ui/time.tsx";
import type { Attempt } from "../claims/resources.ts";
import type { ClaimView } from "./claim-screen.server.ts";
import type { ReadGroup } from "./claim-screen-reads.ts";
import { Evidence } from "./evidence.tsx";

const TRIGGERS: Record<Attempt["trigger"], string> = {
  first_check: "first check",
  scheduled: "on schedule",
  requested: "by hand",
  deadline: "last check",
};

/** "320 ms, 140 to 2,400": the median of several, then the shortest and the longest. */
export function latencyText(latency: ReadGroup["latency"]): string {
  if (latency === null) return "";
  const [median, min, max] = [latency.median, latency.min, latency.max].map((ms) =>
    ms.toLocaleString("en"),
  );
  return latency.min === latency.max ? `${median} ms` : `${median} ms, ${min} to ${max}`;
}

function ReadItem({ group, isShown }: { group: ReadGroup; isShown: boolean }) {
  const claim = useSearchParams()[0].get("claim");
  const { id, at, since, trigger, results, latency } = group;
  const earlier = results.reduce((sum, { count }) => sum + count, 0) - 1;
  const isSameDay = dayText(at) === dayText(since);
  return (
    <li>
      <div>
        {results.map(({ says, tone, count }) => (
          <Fragment key={says}>
            <StateWord
              tone={tone}
              word={`${says}${results.length > 1 ? ` (${count})` : ""}`}
            />{" "}
          </Fragment>
        ))}
      </div>
      <div>
        <Moment at={at} />
        {earlier === 0 ? (
          <span className="soft">, {TRIGGERS[trigger]}</span>
        ) : (
          <span className="soft">
            {" "}
            and {earlier} earlier {earlier === 1 ? "check" : "checks"}, since{" "}
            {isSameDay ? <time dateTime={since}>{clockText(since)}</time> : <Moment at={since} />}
          </span>
        )}
      </div>
      <div className="soft">{latencyText(latency)}</div>
      <div>
        <Link
          to={`?${claim ? `claim=${claim}&` : ""}read=${id}#evidence`}
          aria-current={isShown ? "true" : undefined}
          preventScrollReset
        >
          evidence
        </Link>
      </div>
    </li>
  );
}

/** `allReadsUrl`: URL of the full list of checks as JSON, for users who may see it. */
type HistoryFoldProps = { view: ClaimView; allReadsUrl?: string };

export function HistoryFold({ view, allReadsUrl }: HistoryFoldProps) {
  const { claim, reads, shown } = view;
  const isReadSelected = useSearchParams()[0].has("read");
  const count = `${reads.count.toLocaleString("en")} ${reads.count === 1 ? "check" : "checks"}`;
  return (
    <Fold title={`History: ${count}`} id="reads" open={isReadSelected}>
      {reads.count > 0 ? (
        <ul className="plain reads">
          {reads.groups.map((group) => (
            <ReadItem key={group.id} group={group} isShown={group.id === shown?.id} />
          ))}
        </ul>
      ) : (
        <p>Nothing was checked{claim.state === "pending" ? " yet" : ""}.</p>
      )}
      {allReadsUrl && reads.groups.length < reads.count ? (
        <p className="small sans">
          <a href={allReadsUrl}>Each check on its own, as JSON</a>
        </p>
      ) : null}
      {shown ? <Evidence shown={shown} open={isReadSelected} /> : null}
    </Fold>
  );
}
