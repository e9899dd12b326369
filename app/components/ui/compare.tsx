import type { ReactNode } from "react";
import { difference } from "./difference.ts";

/** The found value above the expected one. */
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
  /** Label of the found value: how it was observed. */
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

/** Found text against expected text, with the difference marked in both and described in words. */
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
