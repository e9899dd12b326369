import type {
  Diagnosis,
  DiagnosisCode,
  NearMissKind,
  ObservedByCode,
} from "../verdict/diagnosis.ts";

/** What is wrong, in at most eight words: the title of a diagnosis. */
export const HEADLINES: Record<DiagnosisCode, string> = {
  domain_appended: "The record is on the wrong name",
  record_at_apex: "The record is on the domain itself",
  record_on_www: "The record is on www",
  value_formatted: "The record’s value was altered",
  expired_token: "The record has an old value",
  foreign_token: "The record has another claim’s value",
  no_matching_record: "The record has another value",
  cname_conflict: "An alias is in the record’s place",
  record_absent: "The record is missing",
  not_published: "The record is not published yet",
  negative_cache: "Resolvers still have the old answer cached",
  servfail: "Resolvers cannot read the domain",
  lame_delegation: "The nameservers do not answer",
};

const NEAR_MISSES: Partial<Record<NearMissKind, string>> = {
  mx_target: "The record has the wrong type",
  spf_type: "The record has the wrong type",
  ns_target: "The record has the wrong type",
  token_as_host: "Name and value are swapped",
};

function notPublished({
  resolvers,
  elsewhere,
  publishedOn,
  noAnswer = [],
  nameservers,
}: ObservedByCode["not_published"]): string {
  if (resolvers) return "Public resolvers get another answer";
  if (elsewhere) return "The record is on the wrong servers";
  if (publishedOn.length > 0 && nameservers.length > 0) return "Some nameservers lack the record";
  if (publishedOn.length > 0 && noAnswer.length > 0) return "Too few nameservers answer";
  return HEADLINES.not_published;
}

/** The title of a diagnosis: that of its code, or a closer one where what was observed allows it. No full stop. */
export function headlineOf({ code, observed }: Pick<Diagnosis, "code" | "observed">): string {
  const diagnosis = { code, observed } as Diagnosis;
  switch (diagnosis.code) {
    case "record_absent": {
      const { nearMiss } = diagnosis.observed;
      if (!nearMiss) return HEADLINES.record_absent;
      return NEAR_MISSES[nearMiss.kind] ?? HEADLINES.domain_appended;
    }
    case "no_matching_record":
      return diagnosis.observed.wildcard
        ? "A wildcard answers for this name"
        : HEADLINES.no_matching_record;
    case "not_published":
      return notPublished(diagnosis.observed);
    case "servfail":
      return /^(ds|signatures)_/.test(diagnosis.observed.fault?.type ?? "")
        ? "The domain’s DNSSEC is broken"
        : HEADLINES.servfail;
    case "lame_delegation":
      return diagnosis.observed.nameservers.length === 0
        ? "The domain has no nameservers"
        : HEADLINES.lame_delegation;
    default:
      return HEADLINES[code];
  }
}
