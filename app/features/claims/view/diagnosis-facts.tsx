import type { ExplainedDiagnosis } from "@deed/dns/verdict/diagnosis.ts";
import type { ReactNode } from "react";
import { Facts } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

type Observed = Extract<ExplainedDiagnosis, { code: "not_published" }>["observed"];
type OtherAnswer = NonNullable<Observed["resolvers"]>[number];

const FAILURES: Record<string, string> = {
  timeout: "gave no answer",
  refused: "refused to answer",
  servfail: "answered that it failed (SERVFAIL)",
  not_authoritative: "does not hold this zone",
  no_address: "has no address",
  blocked_address: "has an address that is not on the public internet",
  malformed: "sent an answer that cannot be read",
  tcp_refused: "answers over UDP, not over TCP",
  case_changed: "changed the letters of the question, and does not answer over TCP",
  is_alias: "is an alias",
  ipv6_only: "was not asked: it has only IPv6, and this service has none",
};

type FailedServer = Extract<
  ExplainedDiagnosis,
  { code: "lame_delegation" }
>["observed"]["nameservers"][number];

/** How a nameserver failed to answer for the zone. */
function failureText({ result, bytes, records, target }: FailedServer): ReactNode {
  if (result === "too_large" && bytes !== undefined)
    return `sent ${bytes.toLocaleString("en")} bytes in ${records?.toLocaleString("en")} records, too many to be read`;
  if (result === "is_alias" && target !== undefined)
    return (
      <>
        is an alias of <bdi>{target}</bdi>
      </>
    );
  return FAILURES[result] ?? result;
}

const nameList = (list: readonly string[]): ReactNode =>
  list.length === 0 ? (
    "none"
  ) : (
    <ul className="plain mono">
      {list.map((name) => (
        <li key={name}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );

function answerLines(answer: OtherAnswer["answer"]): string[] {
  switch (answer.type) {
    case "nxdomain":
      return ["no such name (NXDOMAIN)"];
    case "nodata":
      return ["no TXT record (NODATA)"];
    case "alias":
      return [`CNAME ${answer.target}`];
    case "values":
      return answer.values;
  }
}

/** What a resolver gets instead of the record, and from which servers. */
function OtherAnswerText({ answer, nameservers }: OtherAnswer) {
  return (
    <>
      {nameList([...new Set(answerLines(answer))])}
      {nameservers && nameservers.length > 0 ? <>from {nameList(nameservers)}</> : null}
    </>
  );
}

/** Which servers have the record, which answer without it, and which do not answer. */
function Publication({ observed }: { observed: Observed }) {
  const {
    nameservers,
    publishedOn,
    noAnswer = [],
    serial,
    unchanged,
    stuck,
    resolvers = [],
    elsewhere,
  } = observed;
  return (
    <Facts
      rows={[
        publishedOn.length > 0 ? ["It stands on", nameList(publishedOn)] : null,
        nameservers.length > 0
          ? [
              elsewhere?.type === "listed" ? "The zone's own NS records" : "It is missing on",
              nameList(nameservers),
            ]
          : null,
        ...noAnswer.map((one) => [one.host, failureText(one)] as const),
        ...resolvers.map(
          (other) => [`${other.name} gets`, <OtherAnswerText key="other" {...other} />] as const,
        ),
        ...[stuck, stuck?.published].map((copy) =>
          copy
            ? ([`Serial on ${copy.host}`, <code key="copy">{copy.serial}</code>] as const)
            : null,
        ),
        unchanged
          ? [
              "Zone's serial",
              <span key="serial">
                <code>{serial}</code>, unchanged since the claim's first read
              </span>,
            ]
          : null,
      ]}
    />
  );
}

type Fault = Extract<ExplainedDiagnosis, { code: "servfail" }>["observed"]["fault"];

/** What was read of the zone's DNSSEC, if the fault lies there. */
function dnssecRows(fault: Fault): (readonly [string, ReactNode])[] {
  switch (fault?.type) {
    case "ds_without_keys":
    case "ds_matches_no_key": {
      const keyTags = fault.type === "ds_without_keys" ? [] : fault.keyTags;
      return [
        ["DS, by key tag", nameList(fault.dsKeyTags.map(String))],
        ["Keys of the zone", nameList(keyTags.map(String))],
      ];
    }
    case "signatures_expired":
      return [["Signatures expired", <Moment key="expired" at={fault.expiredAt} />]];
    case "signatures_not_yet_valid":
      return [["Signatures valid from", <Moment key="from" at={fault.validFrom} />]];
    default:
      return [];
  }
}

function absentText(
  answer: Extract<ExplainedDiagnosis, { code: "record_absent" }>["observed"]["answer"],
) {
  if (answer.type === "nxdomain") return "no record of any type (NXDOMAIN)";
  if (answer.types.length > 0) return `no TXT record, only ${answer.types.join(", ")}`;
  return "no TXT record (NODATA)";
}

/** What was observed, beyond a comparison of the record. */
export function DiagnosisFacts({ diagnosis }: { diagnosis: ExplainedDiagnosis }) {
  switch (diagnosis.code) {
    case "expired_token":
      return (
        <p>
          The value found belongs to your claim that ended on{" "}
          <Moment at={diagnosis.observed.claimEndedAt} />.
        </p>
      );
    case "no_matching_record":
      return diagnosis.observed.wildcard ? (
        <p>A wildcard record answers this for every name that has no record.</p>
      ) : null;
    case "record_absent":
      return diagnosis.observed.nearMiss ? null : (
        <Facts rows={[["Found", absentText(diagnosis.observed.answer)]]} />
      );
    case "not_published":
      return <Publication observed={diagnosis.observed} />;
    case "servfail": {
      const { resolvers, fault, extendedErrors } = diagnosis.observed;
      const said = extendedErrors.map(({ code, text }) => `EDE ${code} ${text}`.trim());
      return (
        <Facts
          rows={[
            resolvers.length > 0 ? ["Failing", nameList(resolvers)] : null,
            ...dnssecRows(fault),
            said.length > 0 ? ["They say", nameList(said)] : null,
          ]}
        />
      );
    }
    case "lame_delegation": {
      const { nameservers } = diagnosis.observed;
      return nameservers.length === 0 ? (
        <Facts rows={[["Nameservers", "none"]]} />
      ) : (
        <Facts rows={nameservers.map((one) => [one.host, failureText(one)] as const)} />
      );
    }
    default:
      return null;
  }
}
