import type { ReactNode } from "react";
import type { ExplainedDiagnosis } from "#app/core/resources.ts";
import { Facts } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import { failureText, nameList, Publication } from "./publication.tsx";

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

type Answer = Extract<ExplainedDiagnosis, { code: "record_absent" }>["observed"]["answer"];

function absentText(answer: Answer): string {
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
