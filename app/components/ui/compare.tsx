import type { ReactNode } from "react";
import { difference } from "./difference.ts";

/** What was seen against what was hoped for, in one column above the other. */
export function Against({
  found,
  expected,
  of = "",
  said = "Found",
}: {
  found: ReactNode;
  expected: ReactNode;
  /** What is compared: "name" or "value". */
  of?: string;
  /** What stands above the first: how it came to be seen. */
  said?: string | undefined;
}) {
  return (
    <dl className="facts diff">
      <div>
        <dt>{said}</dt>
        <dd>{found}</dd>
      </div>
      <div>
        <dt>{`Expected ${of}`.trim()}</dt>
        <dd>{expected}</dd>
      </div>
    </dl>
  );
}

/** What should not be there, marked and said. */
export function Wrong({ children }: { children: ReactNode }) {
  return (
    <mark>
      <span className="unseen">[wrong: </span>
      {children}
      <span className="unseen">]</span>
    </mark>
  );
}

/** What should be there and is not, marked and said. */
export function Missing({ children }: { children: ReactNode }) {
  return (
    <mark className="missing">
      <span className="unseen">[missing: </span>
      {children}
      <span className="unseen">]</span>
    </mark>
  );
}

/** A found text against the expected one, with the difference marked in both and said in words. */
export function Compare({
  found,
  expected,
  of,
  said,
}: {
  found: string;
  expected: string;
  /** What is compared: "name" or "value". */
  of: string;
  said?: string | undefined;
}) {
  const cut = difference(found, expected);
  return (
    <Against
      of={of}
      said={said}
      found={
        <bdi>
          {cut.start}
          {cut.found ? <Wrong>{cut.found}</Wrong> : null}
          {cut.end}
        </bdi>
      }
      expected={
        <bdi>
          {cut.start}
          {cut.expected ? <Missing>{cut.expected}</Missing> : null}
          {cut.end}
        </bdi>
      }
    />
  );
}
