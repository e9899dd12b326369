import type { ReactNode } from "react";
import { Dotted } from "./name.tsx";
import { Facts } from "./page.tsx";

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

/** `of`: what is compared, "name" or "value". */
export const FoundAndExpected = ({
  found,
  expected,
  of = "",
}: {
  found: ReactNode;
  expected: ReactNode;
  of?: string;
}) => (
  <Facts
    className="facts diff"
    rows={[
      ["Found", found],
      [`Expected ${of}`.trim(), expected],
    ]}
  />
);

type Children = { children: ReactNode };

const Marked = ({ as, children }: Children & { as: "wrong" | "missing" }) => (
  <mark className={as === "missing" ? as : undefined}>
    <span className="unseen">[{as}: </span>
    {children}
    <span className="unseen">]</span>
  </mark>
);

/** Marks what should not be there, visually and in words. */
export const Wrong = (props: Children) => <Marked as="wrong" {...props} />;

/** Marks what should be there but is missing, visually and in words. */
export const Missing = (props: Children) => <Marked as="missing" {...props} />;

/** Found text against expected text, with the difference marked in both. */
export function TextDiff({ found, expected, of }: Record<"found" | "expected" | "of", string>) {
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
