import type { ExplainedDiagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Registry } from "#app/features/zones/resources.ts";
import { FoundAndExpected, Missing, TextDiff, Wrong } from "#app/ui/compare.tsx";
import { DnsText } from "#app/ui/name.tsx";
import { Moment } from "#app/ui/time.tsx";
import { DiagnosisFacts } from "./diagnosis-facts.tsx";
import { type FieldValue, PanelFields } from "./record-fields.tsx";

/** The record as it should be. */
type ExpectedRecord = { host: string; name: string; value: string };

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
function comparisonOf(diagnosis: ExplainedDiagnosis, record: ExpectedRecord): ReactNode {
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

const AWAITS: Record<ExplainedDiagnosis["awaits"], string | null> = {
  claimant: null,
  provider: "Your DNS provider has to fix this.",
  registrar: "The registrar of the domain has to fix this.",
  resolvers: "There is nothing for you to do: it only takes time.",
};

/** Who must act. Not the DNS provider if this machine merely lacks IPv6. */
const responsibleText = (diagnosis: ExplainedDiagnosis): string | null =>
  diagnosis.code === "lame_delegation" &&
  diagnosis.observed.nameservers.some(({ result }) => result === "ipv6_only") &&
  diagnosis.observed.nameservers.every(({ result }) => result === "ipv6_only")
    ? "The operator of this service has to fix this."
    : AWAITS[diagnosis.awaits];

/** The one thing to do. Values to paste get a field each instead of ending the sentence. */
function Fix({ text, pastes }: { text: string; pastes: FieldValue[] }) {
  const tail = `: ${pastes.at(-1)?.value ?? ""}`;
  const isSplit = pastes.length > 0 && text.endsWith(tail);
  return (
    <>
      <p className="fix">
        <DnsText text={isSplit ? `${text.slice(0, -tail.length)}:` : text} />
      </p>
      {pastes.length > 0 ? <PanelFields fields={pastes} /> : null}
    </>
  );
}

/** How the registry explains the diagnosis, and as of when. */
function RegistrySays({ registry }: { registry: Registry | null }) {
  if (!registry?.cause) return null;
  return (
    <p data-registry="">
      <DnsText text={registry.cause} />{" "}
      <span className="soft small sans">
        The registry, on <Moment at={registry.askedAt} />.
      </span>
    </p>
  );
}

/** A diagnosis in a card: found against expected, or the cause where nothing compares, and the one thing to do. */
export function DiagnosisFix({
  diagnosis,
  registry,
  record,
  pastes,
}: {
  diagnosis: ExplainedDiagnosis;
  registry: Registry | null;
  record: ExpectedRecord;
  /** The values to paste, and the fields they go into. */
  pastes: FieldValue[];
}) {
  return (
    <>
      {comparisonOf(diagnosis, record) ?? (
        <p>
          <DnsText text={diagnosis.cause} />
        </p>
      )}
      <RegistrySays registry={registry} />
      <Fix text={registry?.fix || diagnosis.fix} pastes={registry?.fix ? [] : pastes} />
    </>
  );
}

/** What a diagnosis rests on, and who has to act. */
export function DiagnosisDetails({ diagnosis }: { diagnosis: ExplainedDiagnosis }) {
  const responsible = responsibleText(diagnosis);
  return (
    <>
      <p>
        <DnsText text={diagnosis.cause} />
      </p>
      <DiagnosisFacts diagnosis={diagnosis} />
      {responsible ? <p>{responsible}</p> : null}
      <p>
        <Link to={`/docs/diagnoses/${diagnosis.code}`}>How to see it and how to fix it</Link>
      </p>
    </>
  );
}
