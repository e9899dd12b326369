import type { Diagnosis, NearMissKind, ObservedByCode } from "../verdict/diagnosis.ts";
import { DIAGNOSIS_CATALOGUE } from "./catalogue.ts";

const WRONG_NAME = "The record is on the wrong name";
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
}: ObservedByCode["not_published"]): string | null {
  if (resolvers) return "Public resolvers get another answer";
  if (elsewhere) return "The record is on the wrong servers";
  if (publishedOn.length > 0 && nameservers.length > 0) return "Some nameservers lack the record";
  if (publishedOn.length > 0 && noAnswer.length > 0) return "Too few nameservers answer";
  return null;
}

/** A closer title than that of the code, where what was observed allows it. */
function closerTitle(diagnosis: Pick<Diagnosis, "code" | "observed">): string | null {
  const { code, observed } = diagnosis as Diagnosis;
  switch (code) {
    case "record_absent":
      return observed.nearMiss && (NEAR_MISSES[observed.nearMiss.kind] ?? WRONG_NAME);
    case "no_matching_record":
      return observed.wildcard ? "A wildcard answers for this name" : null;
    case "not_published":
      return notPublished(observed);
    case "servfail":
      return /^(ds|signatures)_/.test(observed.fault?.type ?? "")
        ? "The domain’s DNSSEC is broken"
        : null;
    case "lame_delegation":
      return observed.nameservers.length === 0 ? "The domain has no nameservers" : null;
    default:
      return null;
  }
}

/** The headline of a diagnosis, in at most eight words and without a full stop. */
export const headlineOf = (diagnosis: Pick<Diagnosis, "code" | "observed">): string =>
  closerTitle(diagnosis) ?? DIAGNOSIS_CATALOGUE[diagnosis.code].title;
