import { Link } from "@remix-run/react";
import {
  grouped,
  type Mark,
  marksOf,
  position,
  type Read,
  readText,
  toneOf,
  triggerText,
} from "./reads.ts";
import { StateWord } from "./state.tsx";
import { Moment } from "./time.tsx";

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

function MarkOf({ mark: { x: share, tone, stem, count } }: { mark: Mark }) {
  const x = percent(share);
  const y = Math.round(BASE - 10 - stem * TALLEST);
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
 * Every read since the claim opened, on a logarithmic axis of time; a stem is as tall as the read
 * took long, a number says how many reads one mark stands for. The same stands beneath as a list, which is what a screen reader gets.
 */
export function ReadStrip({
  reads,
  from,
  until,
  next,
}: {
  reads: readonly Read[];
  from: string;
  until: string;
  next: string | null;
}) {
  const x = (at: string) => percent(position(at, from, until));
  const after = (ms: number) => x(new Date(Date.parse(from) + ms).toISOString());
  const late = (at: string) => position(at, from, until) > 0.75;
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
            dx={late(next) ? -6 : 6}
            y="9"
            textAnchor={late(next) ? "end" : "start"}
          >
            next read
          </text>
        </>
      ) : null}
      {marksOf(reads, from, until).map((mark) => (
        <MarkOf key={mark.id} mark={mark} />
      ))}
    </svg>
  );
}

/** The reads as a list, newest first: those that came to the same one after another make one line. */
export function ReadList({ reads, shown }: { reads: readonly Read[]; shown: string | null }) {
  return (
    <table className="folds">
      <thead>
        <tr>
          <th scope="col">What a read came to</th>
          <th scope="col">When</th>
          <th scope="col">Took</th>
          <th scope="col">Evidence</th>
        </tr>
      </thead>
      <tbody>
        {grouped(reads).map(({ first, last, count }) => (
          <tr key={last.id}>
            <th scope="row">
              <StateWord tone={toneOf(last)} word={readText(last)} />
            </th>
            <td>
              <Moment at={last.at} />
              <span className="soft">
                {count > 1 ? (
                  <>
                    {" "}
                    and {count - 1} {count === 2 ? "read" : "reads"} before, since{" "}
                    <Moment at={first.at} form="clock" />
                  </>
                ) : (
                  `, ${triggerText(last.trigger)}`
                )}
              </span>
            </td>
            <td className="figures">{last.latencyMs === null ? "" : `${last.latencyMs} ms`}</td>
            <td>
              {last.id === shown ? (
                <a href="#evidence">below</a>
              ) : (
                <Link to={`?read=${last.id}#evidence`} preventScrollReset>
                  show<span className="unseen"> that of this read</span>
                </Link>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
