import { Link } from "@remix-run/react";
import { Fragment } from "react";
import {
  type ReadGroup,
  type ReadHistory,
  type ReadMark,
  timelinePosition,
} from "#app/services/screens/claim-screen-reads.ts";
import { StateWord } from "../ui/state.tsx";
import { clockText, dayText, Moment } from "../ui/time.tsx";
import { latencyText, markHeight, outcomeText, toneOf, triggerText } from "./reads.ts";

const BASE = 86;
const TALLEST = 44;
const TICKS = [
  ["1 min", 60_000],
  ["10 min", 600_000],
  ["1 h", 3_600_000],
  ["6 h", 21_600_000],
  ["1 d", 86_400_000],
] as const;

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

function Mark({ mark, x }: { mark: ReadMark; x: string }) {
  const { count, latencyMs } = mark;
  const tone = toneOf(mark);
  const y = Math.round(BASE - 10 - markHeight(latencyMs) * TALLEST);
  return (
    <g className={tone}>
      <line x1={x} x2={x} y1={BASE} y2={y} />
      {tone === "ended" ? (
        <text x={x} y={y + 5} textAnchor="middle">
          ×
        </text>
      ) : (
        <circle cx={x} cy={y} r="4.5" />
      )}
      {count > 1 ? (
        <text className="tally" x={x} y={y - 9} textAnchor="middle">
          {count}
        </text>
      ) : null}
    </g>
  );
}

/**
 * Every read since the claim opened, on a logarithmic time axis. The height of a mark is the duration of the read; a
 * number counts the reads behind one mark. The list below has the same content and is what screen readers announce.
 */
export function ReadStrip({
  marks,
  from,
  until,
  next,
}: {
  marks: readonly ReadMark[];
  from: string;
  until: string;
  next: string | null;
}) {
  const x = (at: string) => percent(timelinePosition(at, from, until));
  const after = (ms: number) => x(new Date(Date.parse(from) + ms).toISOString());
  const isNearEnd = (at: string) => timelinePosition(at, from, until) > 0.75;
  return (
    <svg className="strip" aria-hidden="true">
      {TICKS.map(([label, ms]) => (
        <g key={label}>
          <line x1={after(ms)} x2={after(ms)} y1={BASE} y2={BASE + 6} />
          <text x={after(ms)} y={BASE + 20} textAnchor="middle" stroke="none">
            {label}
          </text>
        </g>
      ))}
      <line className="base" x1="0" x2="100%" y1={BASE} y2={BASE} />
      <line className="deadline" x1="100%" x2="100%" y1={BASE - 24} y2={BASE + 6} />
      <text x="100%" y={BASE + 20} textAnchor="end">
        7 d
      </text>
      {next ? (
        <>
          <line className="next" x1={x(next)} x2={x(next)} y1="0" y2={BASE} />
          <text
            className="next"
            x={x(next)}
            dx={isNearEnd(next) ? -6 : 6}
            y="9"
            textAnchor={isNearEnd(next) ? "end" : "start"}
          >
            next read
          </text>
        </>
      ) : null}
      {marks.map((mark) => (
        <Mark key={mark.at} mark={mark} x={x(mark.at)} />
      ))}
    </svg>
  );
}

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
