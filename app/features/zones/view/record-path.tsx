import { Fragment } from "react";
import type { Answer, PathStep, RecordPath, Stop } from "#app/features/zones/record-path.ts";
import { Dotted } from "#app/ui/name.tsx";
import { Fold, type Tone } from "#app/ui/page.tsx";

const GLYPHS: Record<Answer, React.ReactNode> = {
  has: <path d="M2 8.5 6.2 13 14 3.5" />,
  lacks: <circle cx="8" cy="8" r="5.5" />,
  old: <path d="M8 1.8a6.2 6.2 0 1 0 6.2 6.2M8 4.5V8.5l2.8 1.8" />,
  wrong: <path d="M8 1.5v8.5M8 12.6v2" />,
  silent: <path d="M3 3l10 10M13 3 3 13" />,
  unasked: <path d="M2.5 8h11" />,
};

const TONES: Partial<Record<Answer, Tone>> = { has: "proved", unasked: "ended" };

const StopItem = ({ stop: { names, isHost, answer, says } }: { stop: Stop }) => (
  <li className={`stop ${TONES[answer] ?? ""} ${answer}`}>
    {isHost ? (
      names.map((name) => (
        <span key={name} className="who mono">
          <bdi dir="ltr">
            <Dotted name={name} />
          </bdi>{" "}
        </span>
      ))
    ) : (
      <span className="who">{names.join(", ")} </span>
    )}
    <span className="says">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {GLYPHS[answer]}
      </svg>
      <span>{says}</span>
    </span>
  </li>
);

const Step = ({ step: { title, stops, isReached } }: { step: PathStep }) => (
  <li className={isReached ? "step reached" : "step"}>
    <h3>{title}</h3>{" "}
    <ul className="plain">
      {stops.map((stop) => (
        <Fragment key={stop.names[0]}>
          <StopItem stop={stop} />{" "}
        </Fragment>
      ))}
    </ul>
  </li>
);

/** A list of lists, which CSS draws as a path. `tone`: the page's state; what lacks the record gets its colour. */
export function PathSection({ title, path, tone, isFolded = false }: PathSectionProps) {
  if (path.length === 0) return null;
  const steps = (
    <ol className={`plain path ${tone}`}>
      {path.map((step) => (
        <Fragment key={step.title}>
          <Step step={step} />{" "}
        </Fragment>
      ))}
    </ol>
  );
  return (
    <section className="path-section">
      {isFolded ? (
        <Fold title={title}>{steps}</Fold>
      ) : (
        <>
          <h2>{title}</h2>
          {steps}
        </>
      )}
    </section>
  );
}
type PathSectionProps = { title: string; path: RecordPath; tone: Tone; isFolded?: boolean };
