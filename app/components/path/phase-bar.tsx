import { Fragment } from "react";
import type { ClaimLife } from "#app/services/screens/claim-phases.ts";
import { durationText, Moment } from "../ui/time.tsx";

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** The phases of a claim as one bar over its life, and as the list below it. */
export function PhaseBar({ life: { phases, end } }: { life: ClaimLife }) {
  return (
    <>
      <svg className="phase-bar" width="100%" height="14" aria-hidden="true">
        {phases.map(({ tone, from, width }) => (
          <rect
            key={from}
            className={tone}
            x={percent(from)}
            width={percent(width)}
            y="0"
            height="14"
          />
        ))}
      </svg>
      <div className="phase-ends">
        <ol className="phases">
          {phases.map(({ says, tone, seconds, from }) => (
            <Fragment key={from}>
              <li className={tone}>
                {says}
                {tone === "proved" ? null : `, ${durationText(seconds)}`}
              </li>{" "}
            </Fragment>
          ))}
        </ol>
        <p>
          {end.says} <Moment at={end.at} form="day" />
        </p>
      </div>
    </>
  );
}
