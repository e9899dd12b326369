import { Link, useSearchParams } from "@remix-run/react";
import { Fragment } from "react";
import type { Attempt } from "#app/features/claims/resources.ts";
import { Fold, StateWord } from "#app/ui/page.tsx";
import { clockText, dayText, Moment } from "#app/ui/time.tsx";
import type { ClaimView } from "./claim-screen.server.ts";
import type { ReadGroup } from "./claim-screen-reads.ts";
import { Evidence } from "./evidence.tsx";

const TRIGGERS: Record<Attempt["trigger"], string> = {
  first_check: "first read",
  scheduled: "on schedule",
  requested: "asked for",
  deadline: "last read",
};

/** "320 ms, 140 to 2,400": the median of several, then the shortest and the longest. */
export function latencyText(latency: ReadGroup["latency"]): string {
  if (latency === null) return "";
  const [median, min, max] = [latency.median, latency.min, latency.max].map((ms) =>
    ms.toLocaleString("en"),
  );
  return latency.min === latency.max ? `${median} ms` : `${median} ms, ${min} to ${max}`;
}

/** The outcomes of a group of reads, with a count of each if they differ. */
function Findings({ results }: Pick<ReadGroup, "results">) {
  return results.map(({ says, tone, count }) => (
    <Fragment key={says}>
      <StateWord tone={tone} word={`${says}${results.length > 1 ? ` (${count})` : ""}`} />{" "}
    </Fragment>
  ));
}

/** When and why a single read was made; for a group, its newest read and the number and start of those before it. */
function When({ group: { at, since, trigger, results } }: { group: ReadGroup }) {
  const earlier = results.reduce((sum, { count }) => sum + count, 0) - 1;
  if (earlier === 0)
    return (
      <>
        <Moment at={at} />
        <span className="soft">, {TRIGGERS[trigger]}</span>
      </>
    );
  const isSameDay = dayText(at) === dayText(since);
  return (
    <>
      <Moment at={at} />
      <span className="soft">
        {" "}
        and {earlier} {earlier === 1 ? "read" : "reads"} before, since{" "}
        {isSameDay ? <time dateTime={since}>{clockText(since)}</time> : <Moment at={since} />}
      </span>
    </>
  );
}

/** The reads as a list, newest first. */
function ReadList({ groups, shown }: { groups: ReadGroup[]; shown: string | null }) {
  return (
    <ul className="plain reads">
      {groups.map((group) => (
        <li key={group.id}>
          <div>
            <Findings results={group.results} />
          </div>
          <div>
            <When group={group} />
          </div>
          <div className="soft">{latencyText(group.latency)}</div>
          <div>
            {group.id === shown ? (
              <a href="#evidence">below</a>
            ) : (
              <Link to={`?read=${group.id}#evidence`} preventScrollReset>
                evidence
              </Link>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Every check of a claim, and what each nameserver answered in one of them. */
export function HistoryFold({
  view: { claim, reads, shown },
  allReadsUrl,
}: {
  view: ClaimView;
  /** URL of the full list of checks as JSON, for users who may see it. */
  allReadsUrl?: string;
}) {
  const isReadSelected = useSearchParams()[0].has("read");
  const count = `${reads.count.toLocaleString("en")} ${reads.count === 1 ? "check" : "checks"}`;
  return (
    <Fold title={`History: ${count}`} id="reads" open={isReadSelected}>
      {reads.count > 0 ? (
        <ReadList groups={reads.groups} shown={shown?.id ?? null} />
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
