import { Link } from "@remix-run/react";
import { Fragment } from "react";
import type { ReadGroup, ReadHistory } from "#app/services/screens/claim-screen-reads.ts";
import { StateWord } from "../ui/state.tsx";
import { clockText, dayText, Moment } from "../ui/time.tsx";
import { latencyText, outcomeText, toneOf, triggerText } from "./reads.ts";

/** The outcomes of a group of reads, with a count of each if they differ. */
function Findings({ results }: Pick<ReadGroup, "results">) {
  return results.map((result) => (
    <Fragment key={`${result.outcome} ${result.code}`}>
      <StateWord
        tone={toneOf(result)}
        word={`${outcomeText(result)}${results.length > 1 ? ` (${result.count})` : ""}`}
      />{" "}
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
        <span className="soft">, {triggerText(trigger)}</span>
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
export function ReadList({
  groups,
  shown,
}: {
  groups: ReadHistory["groups"];
  shown: string | null;
}) {
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
