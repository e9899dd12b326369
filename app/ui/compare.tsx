import { Fragment, type ReactNode } from "react";
import { Dotted } from "./name.tsx";
import { Facts } from "./page.tsx";

/** `of`: "name" or "value". */
type ComparedProps = { found: ReactNode; expected: ReactNode; of?: string };

export const FoundAndExpected = ({ found, expected, of = "" }: ComparedProps) => (
  <Facts
    className="facts diff"
    rows={[
      [`Found ${of}`.trim(), found],
      [`Expected ${of}`.trim(), expected],
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

/** Found text and expected text, with the differences marked in both. `strange`: its invisible characters. */
export function TextDiff({ runs, of, strange }: { runs: Run[]; of: string; strange: string[] }) {
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
      {strange.length > 0 ? <div className="sans">with {strange.join(", ")}</div> : null}
    </>
  );
  return <FoundAndExpected of={of} found={found} expected={side("wrong")} />;
}
