import type { Diagnosis, ResolverFault } from "../verdict/diagnosis.ts";
import type { Advice } from "./fixes.ts";
import { PANELS, type RecordLocation } from "./providers.ts";
import { dateInWords, durationInWords, joinList } from "./wording.ts";

type Observed = Extract<Diagnosis, { code: "servfail" }>["observed"];
type SignatureFault = Extract<ResolverFault, { type: `signatures_${string}` }>;
type DsFault = Extract<ResolverFault, { type: `ds_${string}` }>;

/** Extended error codes that are worth showing, in the words of RFC 8914 section 4. */
const REASONS: Record<number, string> = {
  1: "Unsupported DNSKEY Algorithm",
  2: "Unsupported DS Digest Type",
  5: "DNSSEC Indeterminate",
  6: "DNSSEC Bogus",
  7: "Signature Expired",
  8: "Signature Not Yet Valid",
  9: "DNSKEY Missing",
  10: "RRSIGs Missing",
  11: "No Zone Key Bit Set",
  12: "NSEC Missing",
  18: "Prohibited",
  22: "No Reachable Authority",
  23: "Network Error",
};

const tagged = (keyTags: readonly number[]) =>
  `key ${keyTags.length === 1 ? "tag" : "tags"} ${joinList(keyTags.map(String))}`;
const dsRecords = (keyTags: readonly number[]) =>
  `DS ${keyTags.length === 1 ? "record" : "records"} (${tagged(keyTags)})`;

/** Whom to ask about a zone; only the DNS host of the claim's own zone is known by name. */
const operatorOf = (zone: string, { provider, zone: own }: RecordLocation) =>
  zone === own || own === null ? PANELS[provider].operator : `the DNS host of ${zone}`;

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

function explainDs(fault: DsFault, resolvers: string, place: RecordLocation): Advice {
  const { zone, parent, dsKeyTags, secondsRemembered } = fault;
  const holder = parent === undefined ? "the registry" : `the zone ${parent}`;
  const where =
    parent === undefined ? `At the registrar of ${zone}` : `In the DNS panel of the zone ${parent}`;
  const ds = dsRecords(dsKeyTags);
  const isOne = dsKeyTags.length === 1;
  const so = `so public resolvers (${resolvers}) refuse the zone's records`;
  const memory = `resolvers take up to ${durationInWords(secondsRemembered)} to notice`;
  if (fault.type === "ds_without_keys")
    return {
      cause: `${capital(holder)} still has the ${ds} of ${zone}, but the zone is not signed with DNSSEC and has no keys, ${so}.`,
      fix: `${where}, remove the ${ds}; ${memory}.`,
    };
  const shown = zone === place.zone ? PANELS[place.provider].title : "the zone's DNS panel";
  return {
    cause: `The ${ds} that ${holder} has for ${zone} ${isOne ? "matches" : "match"} none of the zone's DNSSEC keys (${tagged(fault.keyTags)}), ${so}.`,
    fix: `${where}, replace the ${ds} with the one that ${shown} shows for the zone's key; ${memory}.`,
  };
}

function signatureWords(fault: SignatureFault): string {
  switch (fault.type) {
    case "signatures_expired":
      return `expired on ${dateInWords(fault.expiredAt)}`;
    case "signatures_not_yet_valid":
      return `are only valid from ${dateInWords(fault.validFrom)} on`;
    case "signatures_missing":
      return "are missing, or are not by the zone's keys";
  }
}

/** The cause is unknown, so repeats only what the resolvers report. */
function explainUnknown(
  codes: readonly number[],
  resolvers: string,
  place: RecordLocation,
): Advice {
  const zone = place.zone ?? place.domain;
  const reasons = [...new Set(codes)].flatMap((code) => REASONS[code] ?? []);
  const given =
    reasons.length === 0
      ? ", and do not say why"
      : `, and give as ${reasons.length === 1 ? "the reason" : "reasons"} ${joinList(reasons.map((reason) => `"${reason}"`))}`;
  return {
    cause: `The nameservers of ${zone} answer this service, but public resolvers (${resolvers}) report a failure when asked for its records${given}.`,
    fix: `Ask ${operatorOf(zone, place)} why public resolvers fail to read the zone ${zone}.`,
  };
}

/** Explains SERVFAIL from resolvers by the cause found. */
export function explainServfail(
  { resolvers: names, extendedErrors, fault }: Observed,
  place: RecordLocation,
): Advice {
  const resolvers = joinList(names);
  if (!fault) {
    const codes = extendedErrors.map(({ code }) => code);
    return explainUnknown(codes, resolvers, place);
  }
  switch (fault.type) {
    case "unreachable": {
      const zone = place.zone ?? place.domain;
      return {
        cause: `The nameservers of ${zone} answer this service, but public resolvers (${resolvers}) get no answer from them that they can use, whether they check signatures or not.`,
        fix: `Ask ${operatorOf(zone, place)} why public resolvers cannot read the zone ${zone}, and whether its nameservers refuse or limit their questions.`,
      };
    }
    case "unsigned":
      return {
        cause: `${fault.zone} is not signed, so there is nothing for resolvers to check, and yet public resolvers (${resolvers}) refuse its records when they check signatures: as a rule they still remember a DS record that has been removed.`,
        fix: `Leave the record as it is for a day or two, and if resolvers still fail then, ask ${operatorOf(fault.zone, place)} why.`,
      };
    case "ds_without_keys":
    case "ds_matches_no_key":
      return explainDs(fault, resolvers, place);
    default:
      return {
        cause: `The DNSSEC signatures of ${fault.zone} ${signatureWords(fault)}, so public resolvers (${resolvers}) refuse its records.`,
        fix: `Ask ${operatorOf(fault.zone, place)} to sign the zone ${fault.zone} again, and leave its DS record as it is.`,
      };
  }
}
