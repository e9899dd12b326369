import type {
  ExplainedDiagnosis,
  FailedNameserver,
  ObservedByCode,
  OtherAnswer,
  ResolverFault,
} from "@deed/dns/verdict/diagnosis.ts";
import { difference, oddCharacters } from "@deed/dns/words/difference.ts";
import { FAILURE_WORDS } from "@deed/dns/words/failures.ts";
import { capital } from "@deed/dns/words/wording.ts";
import type { ReactNode } from "react";
import { Link } from "#app/remix/react.ts";
import { FoundAndExpected, Mark, TextDiff } from "#app/ui/compare.tsx";
import { DnsText } from "#app/ui/name.tsx";
import { Facts } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimView } from "./claim-screen.server.ts";

/** Near misses whose type alone is wrong. */
const WRONG_TYPES: Record<string, string> = { mx_target: "MX", spf_type: "SPF", ns_target: "NS" };

type ComparedRecord = Pick<ClaimView["record"], "name" | "value">;
type MisplacedRecord = { name: string; value?: string | undefined };

/** The record found beside the record expected; null if comparing them says nothing. */
export function comparisonOf(diagnosis: ExplainedDiagnosis, record: ComparedRecord): ReactNode {
  const compared = (what: "name" | "value", found: string) => {
    const runs = difference(found, record[what]);
    const wrong = runs.map(({ as, text }) => (as === "wrong" ? text : "")).join("");
    return <TextDiff what={what} runs={runs} odd={oddCharacters(wrong)} />;
  };
  // `value` is compared only if it is more than the token.
  const misplaced = ({ name, value = record.value }: MisplacedRecord) => (
    <>
      {compared("name", name)}
      {value === record.value ? null : compared("value", value)}
    </>
  );
  switch (diagnosis.code) {
    case "domain_appended":
    case "record_at_apex":
    case "record_on_www":
      return misplaced(diagnosis.observed);
    case "value_formatted":
      return compared("value", diagnosis.observed.value);
    // What else is there may have to stay, so it is not marked as wrong.
    case "foreign_token":
    case "expired_token":
    case "no_matching_record": {
      const { observed } = diagnosis;
      return (
        <FoundAndExpected
          what="value"
          found={listOf("value" in observed ? [observed.value] : observed.values)}
          expected={<Mark as="missing">{record.value}</Mark>}
        />
      );
    }
    case "cname_conflict":
      return (
        <FoundAndExpected
          found={
            <Mark as="wrong">
              {diagnosis.observed.record?.type ?? "CNAME"} <bdi>{diagnosis.observed.target}</bdi>
            </Mark>
          }
          expected={<Mark as="missing">TXT {record.value}</Mark>}
        />
      );
    case "record_absent": {
      const { nearMiss } = diagnosis.observed;
      const type = nearMiss && WRONG_TYPES[nearMiss.kind];
      if (!type) return nearMiss && misplaced(nearMiss);
      const found = <Mark as="wrong">{type}</Mark>;
      const expected = <Mark as="missing">TXT</Mark>;
      return <FoundAndExpected what="type" found={found} expected={expected} />;
    }
    default:
      return null;
  }
}

/** Leaves out the value at the end of the sentence, because the record's fields show it. */
export function Fix({ text, pastes }: { text: string; pastes: ClaimView["pastes"] }) {
  const tail = `: ${pastes.at(-1)?.value ?? ""}`;
  const isSplit = pastes.length > 0 && text.endsWith(tail);
  return (
    <p className="fix">
      <DnsText text={isSplit ? `${text.slice(0, -tail.length)}:` : text} />
    </p>
  );
}

export function DiagnosisFix({ view }: { view: ClaimView }) {
  const { diagnosis, registry } = view.verification;
  if (!diagnosis) return null;
  return (
    <>
      {comparisonOf(diagnosis, view.record) ??
        (view.isPlain || registry?.fix ? null : (
          <p>
            <DnsText text={diagnosis.cause} />
          </p>
        ))}
      {registry?.cause ? (
        <p data-registry="">
          <DnsText text={registry.cause} />{" "}
          <span className="soft small sans">
            The registry said so on <Moment at={registry.askedAt} form="day" />.
          </span>
        </p>
      ) : null}
      <Fix text={registry?.fix || diagnosis.fix} pastes={registry?.fix ? [] : view.pastes} />
    </>
  );
}

const failureRow = ({ host, result }: FailedNameserver): Row => [host, FAILURE_WORDS[result]];

const listOf = (items: readonly (string | number)[]): ReactNode =>
  items.length === 0 ? (
    "none"
  ) : (
    <ul className="plain mono">
      {items.map((item) => (
        <li key={item}>
          <bdi>{item}</bdi>
        </li>
      ))}
    </ul>
  );

function answerText({ answer, nameservers = [], filtered }: OtherAnswer): ReactNode {
  if (filtered) return "nothing: it withholds the answer";
  const absence = answer.type === "nxdomain" ? "no such name (NXDOMAIN)" : "no TXT record (NODATA)";
  const values = answer.type === "values" ? [...new Set(answer.values)] : [absence];
  return (
    <>
      {listOf(answer.type === "alias" ? [`CNAME ${answer.target}`] : values)}
      {nameservers.length > 0 ? <>from {listOf(nameservers)}</> : null}
    </>
  );
}

type Row = readonly [string, ReactNode];
const listRow = (name: string, items: readonly string[]): Row[] =>
  items.length > 0 ? [[name, listOf(items)]] : [];

function publicationRows(observed: ObservedByCode["not_published"]): Row[] {
  const { nameservers, publishedOn, noAnswer = [], resolvers = [], stuck, elsewhere } = observed;
  const without = elsewhere?.type === "listed" ? "The zone’s own NS records" : "Missing on";
  const serial = (copy: { host: string; serial: number }): Row => [
    `Serial on ${copy.host}`,
    <code key="copy">{copy.serial}</code>,
  ];
  const unchanged = (
    <>
      <code>{observed.serial}</code>
      {observed.since ? (
        <>
          , as on <Moment at={observed.since} />
        </>
      ) : null}
    </>
  );
  return [
    ...listRow("Found on", publishedOn),
    ...listRow(without, nameservers),
    ...noAnswer.map(failureRow),
    ...resolvers.map((other): Row => [`${capital(other.name)} gets`, answerText(other)]),
    ...(stuck ? [serial(stuck), serial(stuck.published)] : []),
    ...(observed.unchanged ? [["Zone’s serial", unchanged] as const] : []),
  ];
}

function dnssecRows(fault: ResolverFault | undefined): Row[] {
  switch (fault?.type) {
    case "ds_without_keys":
    case "ds_matches_no_key":
      return [
        ["DS, by key tag", listOf(fault.dsKeyTags)],
        ["Keys of the zone", listOf("keyTags" in fault ? fault.keyTags : [])],
      ];
    case "signatures_expired":
      return [["Signatures expired", <Moment key="expired" at={fault.expiredAt} />]];
    case "signatures_not_yet_valid":
      return [["Signatures valid from", <Moment key="from" at={fault.validFrom} />]];
    default:
      return [];
  }
}

function factsOf(diagnosis: ExplainedDiagnosis): Row[] {
  switch (diagnosis.code) {
    case "record_absent": {
      const { answer, nearMiss } = diagnosis.observed;
      if (nearMiss) return [];
      if (answer.type === "nxdomain") return [["Found", "no record of any type (NXDOMAIN)"]];
      const types = answer.types.join(", ");
      return [["Found", types ? `no TXT record, only ${types}` : "no TXT record (NODATA)"]];
    }
    case "not_published":
      return publicationRows(diagnosis.observed);
    case "servfail": {
      const { resolvers, fault, extendedErrors } = diagnosis.observed;
      const said = extendedErrors.map(({ code, text }) => `EDE ${code} ${text}`.trim());
      const failing = resolvers.map(capital);
      return [...listRow("Failing", failing), ...dnssecRows(fault), ...listRow("They say", said)];
    }
    case "lame_delegation": {
      const { nameservers } = diagnosis.observed;
      if (nameservers.length === 0) return [["Nameservers", "none"]];
      return nameservers.map(failureRow);
    }
    default:
      return [];
  }
}

const AWAITS: Record<ExplainedDiagnosis["awaits"], string | null> = {
  claimant: null,
  provider: "Your DNS provider has to fix this.",
  registrar: "Whoever registered the domain can fix this, at its registrar.",
  resolvers: "There is nothing for you to do: it only takes time.",
};

type FoundDiagnosis = { diagnosis: ExplainedDiagnosis; registry: { fix: string | null } | null };

/** Who must act, unless the registry's fix or the fix itself names somebody. Not the DNS provider if this machine merely lacks IPv6. */
export function responsibleText({ diagnosis, registry }: FoundDiagnosis): string | null {
  const { code, awaits, observed } = diagnosis;
  if (registry?.fix || diagnosis.fix.startsWith("Ask the company that runs ")) return null;
  return code === "lame_delegation" &&
    observed.nameservers.length > 0 &&
    observed.nameservers.every(({ result }) => result === "ipv6_only")
    ? "The operator of this service has to fix this."
    : AWAITS[awaits];
}

export function DiagnosisDetails(found: FoundDiagnosis) {
  const { code, cause } = found.diagnosis;
  const rows = factsOf(found.diagnosis);
  const responsible = responsibleText(found);
  return (
    <>
      <p>
        <DnsText text={cause} />
      </p>
      {rows.length > 0 ? <Facts rows={rows} /> : null}
      {responsible ? <p>{responsible}</p> : null}
      <p>
        <Link to={`/docs/diagnoses/${code}`}>How to see it and how to fix it</Link>
      </p>
    </>
  );
}
