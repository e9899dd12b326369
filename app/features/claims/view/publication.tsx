import type { ReactNode } from "react";
import type { ExplainedDiagnosis } from "#app/core/resources.ts";
import { Facts } from "#app/ui/page.tsx";

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
export function failureText({ result, bytes, records, target }: FailedServer): ReactNode {
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

export const nameList = (list: readonly string[]): ReactNode =>
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
export function Publication({ observed }: { observed: Observed }) {
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
