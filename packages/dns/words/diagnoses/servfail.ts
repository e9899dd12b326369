import type { DiagnosisOf, ResolverFault } from "../../verdict/diagnosis.ts";
import { delegatorIn } from "../delegator.ts";
import { type DiagnosisTexts, status, txt } from "../diagnosis-text.ts";
import { PANELS, type RecordLocation } from "../providers.ts";
import {
  type Advice,
  capital,
  durationInWords,
  joinList,
  momentInWords,
  operatorOf,
} from "../wording.ts";

type DsFault = Extract<ResolverFault, { type: `ds_${string}` }>;

/** Extended error codes worth showing, in the words of RFC 8914 section 4. */
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
  15: "Blocked",
  16: "Censored",
  17: "Filtered",
  18: "Prohibited",
  22: "No Reachable Authority",
  23: "Network Error",
};

const keyTagText = (keyTags: readonly number[]) =>
  `key ${keyTags.length === 1 ? "tag" : "tags"} ${joinList(keyTags.map(String))}`;
const dsRecords = (keyTags: readonly number[]) =>
  `DS ${keyTags.length === 1 ? "record" : "records"} (${keyTagText(keyTags)})`;

/** Whom to ask about a zone. Only the claim's own zone has a DNS provider that we know by name. */
const operatorIn = (zone: string, place: RecordLocation) =>
  zone === place.zone || place.zone === null ? operatorOf(place) : `the DNS provider of ${zone}`;

/** `resolvers` names those that fail, `given` their reasons, and `operator` whom to ask about the zone at fault. */
type Facts = Record<"resolvers" | "given" | "zone" | "operator", string> & {
  names: readonly string[];
  place: RecordLocation;
};
type Wording<F> = (facts: Facts, fault: F) => Advice;

function explainDs({ resolvers, place }: Facts, fault: DsFault): Advice {
  const { zone, parent, dsKeyTags, secondsRemembered } = fault;
  const { holder, prefix } = delegatorIn({ zone, parent, domain: place.domain });
  const ds = dsRecords(dsKeyTags);
  const isSingle = dsKeyTags.length === 1;
  const consequence = `so ${resolvers} reject its records`;
  const delayNote = `resolvers can take up to ${durationInWords(secondsRemembered)} to notice`;
  if (fault.type === "ds_without_keys")
    return {
      cause: `${capital(holder)} still has the ${ds} for ${zone}, but ${zone} is not signed with DNSSEC, ${consequence}.`,
      fix: `${prefix}remove the ${ds}; ${delayNote}.`,
    };
  const panelTitle = zone === place.zone ? PANELS[place.provider].title : "the zone’s DNS panel";
  const mismatch = dsKeyTags.every((tag) => fault.keyTags.includes(tag))
    ? `${isSingle ? "has" : "have"} the tag of a key of the zone but another digest`
    : `${isSingle ? "matches" : "match"} none of the zone’s DNSSEC keys (${keyTagText(fault.keyTags)})`;
  return {
    cause: `The ${ds} that ${holder} has for ${zone} ${mismatch}, ${consequence}.`,
    fix: `${prefix}replace the ${ds} with the one that ${panelTitle} shows for the zone’s key; ${delayNote}.`,
  };
}

/** `what` says what is wrong, as a clause. */
const reSign =
  <F>(what: (zone: string, fault: F) => string): Wording<F> =>
  ({ resolvers, zone, operator }, fault) => ({
    cause: `${what(zone, fault)}, so ${resolvers} reject its records.`,
    fix: `Ask ${operator} to sign the zone ${zone} again, and leave its DS record as it is.`,
  });
const signatures = (zone: string) => `The DNSSEC signatures of ${zone}`;

const WORDS: { [T in ResolverFault["type"]]: Wording<Extract<ResolverFault, { type: T }>> } = {
  unreachable: ({ resolvers, zone, operator }) => ({
    cause: `The nameservers of ${zone} answer Deed, but ${resolvers} get no usable answer from them.`,
    fix: `Ask ${operator} why public resolvers cannot resolve the zone ${zone}, and whether its nameservers block or limit them.`,
  }),
  no_udp: ({ resolvers, zone, operator }) => ({
    cause: `The nameservers of ${zone} answer only over TCP, but ${resolvers} ask over UDP first.`,
    fix: `Ask ${operator} to open UDP port 53 on the nameservers of ${zone}.`,
  }),
  filtered: ({ resolvers, names, zone, given }) => ({
    cause: `${capital(resolvers)} withhold the answers for ${zone}${given}.`,
    fix: `Ask ${joinList(names)} to stop blocking ${zone}.`,
  }),
  keys_unanswered: ({ zone, operator }) => ({
    cause: `${zone} is signed with DNSSEC, but its nameservers do not answer queries for its keys (DNSKEY), so nobody can check its signatures.`,
    fix: `Ask ${operator} to let the nameservers of ${zone} answer DNSKEY questions, over TCP too.`,
  }),
  capitals: ({ zone, operator }) => ({
    cause: `The nameservers of ${zone} answer correctly only if a name is in small letters, but resolvers also ask in capital letters.`,
    fix: `Ask ${operator} to have the nameservers of ${zone} give the same answers for capital letters as for small letters.`,
  }),
  unsigned: ({ resolvers, zone, operator }) => ({
    cause: `${zone} is not signed, but ${resolvers} reject its records as if it were. They probably still have a removed DS record cached.`,
    fix: `Leave the record as it is for a day or two, and ask ${operator} if resolvers still fail then.`,
  }),
  ds_without_keys: explainDs,
  ds_matches_no_key: explainDs,
  signatures_expired: reSign(
    (zone, { expiredAt }) => `${signatures(zone)} expired on ${momentInWords(expiredAt)}`,
  ),
  signatures_not_yet_valid: reSign(
    (zone, { validFrom }) => `${signatures(zone)} are not valid before ${momentInWords(validFrom)}`,
  ),
  signatures_missing: reSign((zone) => `${signatures(zone)} are missing or made with other keys`),
  signatures_invalid: reSign((zone) => `${signatures(zone)} do not match its records`),
  denial_missing: reSign(
    (zone) =>
      `${zone} is signed with DNSSEC, but its nameservers do not prove which names and records it does not have`,
  ),
};

function explainServfail(
  { observed: { resolvers: failing, extendedErrors, fault } }: DiagnosisOf<"servfail">,
  place: RecordLocation,
): Advice {
  const names = failing.map(capital);
  const resolvers =
    names.length > 0 ? `public resolvers (${joinList(names)})` : "resolvers that check DNSSEC";
  const ownZone = place.zone ?? place.domain;
  const reasons = [...new Set(extendedErrors.flatMap(({ code }) => REASONS[code] ?? []))];
  const given =
    reasons.length === 0
      ? ", without a reason"
      : `, with the ${reasons.length === 1 ? "reason" : "reasons"} ${joinList(reasons.map((reason) => `“${reason}”`))}`;
  const zone = fault && "zone" in fault ? fault.zone : ownZone;
  const operator = operatorIn(zone, place);
  if (fault)
    return WORDS[fault.type]({ resolvers, names, given, zone, operator, place }, fault as never);
  return {
    cause: `The nameservers of ${zone} answer Deed, but ${resolvers} report a failure for its records${given}.`,
    fix: `Ask ${operator} why public resolvers cannot resolve the zone ${zone}.`,
  };
}

export const SERVFAIL: DiagnosisTexts<"servfail"> = {
  servfail: {
    title: "Public resolvers reject the zone",
    meaning:
      "Most public resolvers report a failure when asked for the record, or for the zone while no nameserver has the record. `fault` is the reason, if it is known. Resolvers cannot reach the zone (`unreachable`, `no_udp`) or withhold its answers (`filtered`). Or the zone is not signed, a DS record has no key or another key, or DNSSEC signatures have expired, are not valid yet, or are missing. Or the nameservers answer correctly only for lowercase names (`capitals`). `extendedErrors` are the resolvers' own reasons (RFC 8914).",
    example: {
      awaits: "registrar",
      observed: {
        resolvers: ["cloudflare", "google"],
        extendedErrors: [{ code: 9, text: "no SEP matching the DS found" }],
        fault: {
          type: "ds_without_keys",
          zone: "acme.com",
          dsKeyTags: [60485],
          secondsRemembered: 86_400,
        },
      },
    },
    happened:
      "The nameservers answer, but public resolvers cannot use their answers. Nearly always the domain’s DNSSEC is broken: the registrar announces a key that the DNS provider does not use, or signatures have expired. The domain’s visitors and email are affected too.",
    steps: [
      "If DNSSEC was turned off or the domain moved to another DNS provider, remove the old DS record where the domain’s nameservers are set: at the registrar, or in the zone above if it is a subdomain with its own zone.",
      "If DNSSEC should be on, ask the DNS provider for its DS record and enter that there.",
      "Resolvers remember the old DS record for up to a day or two.",
    ],
    dig({ name, zone, token, resolver }) {
      const unchecked =
        "With +cd the resolver skips the DNSSEC check and returns the record, so the signatures are the problem.";
      const means =
        "The domain has no key, although its registrar still announces one (dig +short DS shows it). Remove the DS record.";
      return [
        status(`${name} @${resolver}`, "SERVFAIL", "The resolver reports a failure."),
        txt(`+cd ${name} @${resolver}`, [token], unchecked),
        { ask: `+short DNSKEY ${zone} @${resolver}`, answer: [], means },
      ];
    },
    closer: {
      "The domain’s DNSSEC is broken": ({ fault }) => /^(ds|signatures)_/.test(fault?.type ?? ""),
    },
    explain: explainServfail,
  },
};
