import type { ReactNode } from "react";
import type { ExplainedDiagnosis } from "#app/core/resources.ts";
import { FoundAndExpected, Missing, TextDiff, Wrong } from "#app/ui/compare.tsx";

/** The record as it should be. */
export type ExpectedRecord = { host: string; name: string; value: string };

type NearMissFact = NonNullable<
  Extract<ExplainedDiagnosis, { code: "record_absent" }>["observed"]["nearMiss"]
>;
const WRONG_TYPES: Partial<Record<NearMissFact["kind"], string>> = {
  mx_target: "MX",
  spf_type: "SPF",
  ns_target: "NS",
};

/** Compares a near miss by its name, or by its type if the name is right. */
function nearMissComparison({ kind, name }: NearMissFact, record: ExpectedRecord): ReactNode {
  const type = WRONG_TYPES[kind];
  if (!type) return <TextDiff of="name" found={name} expected={record.name} />;
  return (
    <FoundAndExpected of="type" found={<Wrong>{type}</Wrong>} expected={<Missing>TXT</Missing>} />
  );
}

/** What was found beside what was expected; null where there is no single record to compare. */
export function comparisonOf(diagnosis: ExplainedDiagnosis, record: ExpectedRecord): ReactNode {
  switch (diagnosis.code) {
    case "domain_appended":
    case "record_at_apex":
    case "record_on_www":
      return <TextDiff of="name" found={diagnosis.observed.name} expected={record.name} />;
    case "value_formatted":
    case "foreign_token":
    case "expired_token":
      return <TextDiff of="value" found={diagnosis.observed.value} expected={record.value} />;
    case "no_matching_record":
      return (
        <FoundAndExpected
          of="value"
          found={
            <ul className="plain">
              {diagnosis.observed.values.map((value) => (
                <li key={value}>
                  <bdi>
                    <Wrong>{value}</Wrong>
                  </bdi>
                </li>
              ))}
            </ul>
          }
          expected={<Missing>{record.value}</Missing>}
        />
      );
    case "cname_conflict":
      return (
        <FoundAndExpected
          found={
            <Wrong>
              {diagnosis.observed.record?.type ?? "CNAME"} <bdi>{diagnosis.observed.target}</bdi>
            </Wrong>
          }
          expected={<Missing>TXT {record.value}</Missing>}
        />
      );
    case "record_absent": {
      const { nearMiss } = diagnosis.observed;
      return nearMiss && nearMissComparison(nearMiss, record);
    }
    default:
      return null;
  }
}
