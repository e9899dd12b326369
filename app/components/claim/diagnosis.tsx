import type { ReactNode } from "react";
import type { ExplainedDiagnosis } from "#app/services/resources.ts";
import { FoundAndExpected, Missing, TextDiff, Wrong } from "../ui/compare.tsx";
import { Value } from "../ui/copy.tsx";
import { Facts } from "../ui/page.tsx";
import { Moment } from "../ui/time.tsx";
import { failureText, nameList, Publication } from "./publication.tsx";

/** A value to paste, and the panel field it goes into. */
export type Paste = { field: string; value: string };

/** The record as it should be. */
export type ExpectedRecord = { host: string; name: string; value: string };

type Fault = Extract<ExplainedDiagnosis, { code: "servfail" }>["observed"]["fault"];

/** What was read of the zone's DNSSEC, if the fault lies there. */
function dnssecRows(fault: Fault): (readonly [string, ReactNode])[] {
  switch (fault?.type) {
    case "ds_without_keys":
      return [
        ["DS, by key tag", nameList(fault.dsKeyTags.map(String))],
        ["Keys of the zone", "none"],
      ];
    case "ds_matches_no_key":
      return [
        ["DS, by key tag", nameList(fault.dsKeyTags.map(String))],
        ["Keys of the zone", nameList(fault.keyTags.map(String))],
      ];
    case "signatures_expired":
      return [["Signatures expired", <Moment key="expired" at={fault.expiredAt} />]];
    case "signatures_not_yet_valid":
      return [["Signatures valid from", <Moment key="from" at={fault.validFrom} />]];
    default:
      return [];
  }
}

type NearMissFact = NonNullable<
  Extract<ExplainedDiagnosis, { code: "record_absent" }>["observed"]["nearMiss"]
>;
const WRONG_TYPES: Partial<Record<NearMissFact["kind"], string>> = {
  mx_target: "MX",
  spf_type: "SPF",
  ns_target: "NS",
};

/** Compares a near miss by its name, or by its type if the name is right. */
function NearMiss({
  nearMiss: { kind, name },
  record,
}: {
  nearMiss: NearMissFact;
  record: ExpectedRecord;
}) {
  const type = WRONG_TYPES[kind];
  if (!type) return <TextDiff of="name" found={name} expected={record.name} />;
  return (
    <FoundAndExpected of="type" found={<Wrong>{type}</Wrong>} expected={<Missing>TXT</Missing>} />
  );
}

function Comparison({
  diagnosis,
  record,
}: {
  diagnosis: ExplainedDiagnosis;
  record: ExpectedRecord;
}) {
  switch (diagnosis.code) {
    case "domain_appended":
    case "record_at_apex":
    case "record_on_www":
      return <TextDiff of="name" found={diagnosis.observed.name} expected={record.name} />;
    case "value_formatted":
    case "foreign_token":
      return <TextDiff of="value" found={diagnosis.observed.value} expected={record.value} />;
    case "expired_token":
      return (
        <>
          <TextDiff of="value" found={diagnosis.observed.value} expected={record.value} />
          <p className="soft">
            The token found belongs to your claim that ended on{" "}
            <Moment at={diagnosis.observed.claimEndedAt} />.
          </p>
        </>
      );
    case "no_matching_record": {
      const { values, wildcard } = diagnosis.observed;
      return (
        <>
          <FoundAndExpected
            of="value"
            found={
              <ul className="plain">
                {values.map((value) => (
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
          {wildcard ? (
            <p className="soft">A wildcard record answers so for every name that has no record.</p>
          ) : null}
        </>
      );
    }
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
      const { answer, nearMiss } = diagnosis.observed;
      if (nearMiss) return <NearMiss nearMiss={nearMiss} record={record} />;
      const found =
        answer.type === "nxdomain"
          ? "no record of any type (NXDOMAIN)"
          : answer.types.length > 0
            ? `no TXT record, only ${answer.types.join(", ")}`
            : "no TXT record (NODATA)";
      return (
        <FoundAndExpected
          found={<span className="prose">{found}</span>}
          of="there"
          expected={
            <>
              {record.name} TXT <Missing>{record.value}</Missing>
            </>
          }
        />
      );
    }
    case "not_published":
      return <Publication observed={diagnosis.observed} />;
    case "servfail":
      return (
        <Facts
          rows={[
            ["Failing", nameList(diagnosis.observed.resolvers)],
            ...dnssecRows(diagnosis.observed.fault),
            diagnosis.observed.extendedErrors.length > 0
              ? [
                  "They say",
                  nameList(
                    diagnosis.observed.extendedErrors.map(({ code, text }) =>
                      `EDE ${code} ${text}`.trim(),
                    ),
                  ),
                ]
              : null,
          ]}
        />
      );
    case "lame_delegation":
      return diagnosis.observed.nameservers.length === 0 ? (
        <Facts rows={[["Nameservers", "none: the registry no longer delegates this name"]]} />
      ) : (
        <Facts
          rows={diagnosis.observed.nameservers.map((one) => [one.host, failureText(one)] as const)}
        />
      );
    case "negative_cache":
      return null;
  }
}

const AWAITS: Record<ExplainedDiagnosis["awaits"], string | null> = {
  claimant: null,
  provider: "This is for whoever hosts the DNS of this name.",
  registrar: "This is for the registrar of this name.",
  resolvers: "Nobody needs to do anything: time ends this.",
};

/** Who must act. Not the DNS provider if this machine merely lacks IPv6. */
const responsibleText = (diagnosis: ExplainedDiagnosis): string | null =>
  diagnosis.code === "lame_delegation" &&
  diagnosis.observed.nameservers.some(({ result }) => result === "ipv6_only") &&
  diagnosis.observed.nameservers.every(({ result }) => result === "ipv6_only")
    ? "This is for whoever runs this service."
    : AWAITS[diagnosis.awaits];

/**
 * The one thing to do. A single value to paste gets a separate field instead of ending the sentence. If both name and
 * value are needed, they are the record's, which the page shows anyway.
 */
function Fix({ text, pastes: [paste, ...others] }: { text: string; pastes: Paste[] }) {
  const tail = `: ${paste?.value ?? ""}`;
  if (!paste || others.length > 0 || !text.endsWith(tail)) {
    return (
      <p>
        <strong>{text}</strong>
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>{text.slice(0, -tail.length)}:</strong>
      </p>
      <Facts rows={[[paste.field, <Value key="paste" text={paste.value} what={paste.field} />]]} />
    </>
  );
}

/** What is wrong with the record: the cause, found against expected, and the one thing to do. */
export function Diagnosis({
  diagnosis,
  record,
  pastes,
}: {
  diagnosis: ExplainedDiagnosis;
  record: ExpectedRecord;
  /** The values to paste, and the fields they go into. */
  pastes: Paste[];
}) {
  const awaits = responsibleText(diagnosis);
  return (
    <div className="stack">
      <p className="lead" data-code={diagnosis.code}>
        {diagnosis.cause}
      </p>
      <Comparison diagnosis={diagnosis} record={record} />
      <Fix text={diagnosis.fix} pastes={pastes} />
      {awaits ? <p className="soft">{awaits}</p> : null}
    </div>
  );
}
