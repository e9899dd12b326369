import type { ReactNode } from "react";
import { Dotted } from "./name.tsx";

const splitsSurrogatePair = (text: string, at: number) =>
  /^[\udc00-\udfff]/.test(text.slice(at, at + 1));

/** Two texts as their longest common start, the differing middle of each, and their common end. */
export function difference(found: string, expected: string) {
  const shorter = Math.min(found.length, expected.length);
  let start = 0;
  while (start < shorter && found[start] === expected[start]) start++;
  if (splitsSurrogatePair(found, start) || splitsSurrogatePair(expected, start)) start--;
  let end = 0;
  while (
    end < shorter - start &&
    found[found.length - 1 - end] === expected[expected.length - 1 - end]
  )
    end++;
  if (splitsSurrogatePair(found, found.length - end)) end--;
  return {
    start: found.slice(0, start),
    found: found.slice(start, found.length - end),
    expected: expected.slice(start, expected.length - end),
    end: found.slice(found.length - end),
  };
}

type FoundAndExpectedProps = {
  found: ReactNode;
  expected: ReactNode;
  /** What is compared: "name" or "value". */
  of?: string;
};

export function FoundAndExpected({ found, expected, of = "" }: FoundAndExpectedProps) {
  return (
    <dl className="facts diff">
      <div>
        <dt>Found</dt>
        <dd>{found}</dd>
      </div>
      <div>
        <dt>{`Expected ${of}`.trim()}</dt>
        <dd>{expected}</dd>
      </div>
    </dl>
  );
}

/** Marks what should not be there, visually and in words. */
export function Wrong({ children }: { children: ReactNode }) {
  return (
    <mark>
      <span className="unseen">[wrong: </span>
      {children}
      <span className="unseen">]</span>
    </mark>
  );
}

/** Marks what should be there but is missing, visually and in words. */
export function Missing({ children }: { children: ReactNode }) {
  return (
    <mark className="missing">
      <span className="unseen">[missing: </span>
      {children}
      <span className="unseen">]</span>
    </mark>
  );
}

type TextDiffProps = {
  found: string;
  expected: string;
  /** What is compared: "name" or "value". */
  of: string;
};

/** Found text against expected text, with the difference marked in both. */
export function TextDiff({ found, expected, of }: TextDiffProps) {
  const diff = difference(found, expected);
  const side = (differing: string, Mark: typeof Wrong) => (
    <bdi>
      <Dotted name={diff.start} />
      {differing ? (
        <Mark>
          <Dotted name={differing} />
        </Mark>
      ) : null}
      <Dotted name={diff.end} />
    </bdi>
  );
  return (
    <FoundAndExpected
      of={of}
      found={side(diff.found, Wrong)}
      expected={side(diff.expected, Missing)}
    />
  );
}
