import { Fragment, type ReactNode } from "react";
import { Dotted } from "./name.tsx";
import { Facts } from "./page.tsx";

/** `what`: "name", "value" or "type". */
type ComparedProps = { found: ReactNode; expected: ReactNode; what?: string };

export const FoundAndExpected = ({ found, expected, what = "" }: ComparedProps) => (
  <Facts
    className="facts diff"
    rows={[
      [`Found ${what}`.trim(), found],
      [`Expected ${what}`.trim(), expected],
    ]}
  />
);

export const Mark = ({ as, children }: { as: "wrong" | "missing"; children: ReactNode }) => (
  <mark className={as === "missing" ? as : undefined}>
    <span className="unseen">[{as}: </span>
    {children}
    <span className="unseen">]</span>
  </mark>
);

type Run = { as: "same" | "wrong" | "missing"; text: string };

/** Found text and expected text, with the differences marked in both. `odd`: its invisible characters. */
export function TextDiff({ runs, what, odd }: { runs: Run[]; what: string; odd: string[] }) {
  const side = (other: Run["as"]) => (
    <bdi>
      {runs.map(({ as, text }, index) => {
        if (as === other) return null;
        const dotted = <Dotted name={text} />;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs have no other order
          <Fragment key={index}>{as === "same" ? dotted : <Mark as={as}>{dotted}</Mark>}</Fragment>
        );
      })}
    </bdi>
  );
  const found = (
    <>
      {side("missing")}
      {odd.length > 0 ? <div className="sans">with {odd.join(", ")}</div> : null}
    </>
  );
  return <FoundAndExpected what={what} found={found} expected={side("wrong")} />;
}
