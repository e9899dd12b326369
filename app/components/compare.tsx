import { difference } from "./difference.ts";

/** A found text against the expected one, with the difference marked in both and said in words. */
export function Compare({
  found,
  expected,
  of,
}: {
  found: string;
  expected: string;
  /** What is compared: "name" or "value". */
  of: string;
}) {
  const cut = difference(found, expected);
  return (
    <dl className="facts diff">
      <div>
        <dt>Found</dt>
        <dd>
          <bdi>
            {cut.start}
            {cut.found ? (
              <mark>
                <span className="unseen">[wrong: </span>
                {cut.found}
                <span className="unseen">]</span>
              </mark>
            ) : null}
            {cut.end}
          </bdi>
        </dd>
      </div>
      <div>
        <dt>Expected {of}</dt>
        <dd>
          <bdi>
            {cut.start}
            {cut.expected ? (
              <mark className="missing">
                <span className="unseen">[missing: </span>
                {cut.expected}
                <span className="unseen">]</span>
              </mark>
            ) : null}
            {cut.end}
          </bdi>
        </dd>
      </div>
    </dl>
  );
}
