import type { PartReport, Report } from "./report.ts";
import { type Assurance, EARLIER_RULE, PROOF_RULE, type Statement } from "./statement.ts";

export const ABOUT_ITS_MOMENT =
  "A receipt proves one moment, not today. Open the proof’s link to see whether it still holds.";

export const STATE_WORDS = { shown: "shown", not_shown: "not shown", wrong: "wrong" } as const;

/** Writes "15 January 2027 at 08:00:00 UTC" in every language and time zone. `at` is in milliseconds since 1970. */
function momentOf(at: number): string {
  const options = { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" } as const;
  const day = new Intl.DateTimeFormat("en-GB", options).format(at);
  return `${day} at ${new Date(at).toISOString().slice(11, 19)} UTC`;
}

const NUMBER_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** What a receipt relies on, in words that cannot be confused. */
function basisOf(assurance: Assurance, { witnesses }: Statement): string {
  if (assurance === "dnssec") return "signed by the domain’s own keys";
  const agreedCount = witnesses.filter((witness) => witness.agreed).length;
  const number = NUMBER_WORDS[agreedCount] ?? agreedCount;
  const resolvers =
    agreedCount < witnesses.length
      ? ` and ${agreedCount} of ${witnesses.length} resolvers`
      : agreedCount > 0
        ? ` and ${number} ${agreedCount === 1 ? "resolver" : "resolvers"}`
        : " alone";
  return `according to this installation${resolvers}`;
}

export function headlineOf({ verdict, assurance, parts, statement }: Report): string {
  const lacks = (part: PartReport["part"]) =>
    parts.some((finding) => finding.part === part && finding.state !== "shown");
  if (parts[0]?.code === "not_json" || parts[0]?.code === "too_large")
    return "This isn’t a Deed receipt.";
  if (verdict === "bad" || !statement)
    return statement && parts.every(({ part, state }) => state !== "wrong" || part === "holder")
      ? "Bad: the receipt is not for this holder."
      : "Bad: do not rely on this receipt.";
  const basis = assurance && basisOf(assurance, statement);
  if (verdict === "good") return `Good${assurance === "dnssec" ? ":" : ","} ${basis}.`;
  if (parts.some(({ code }) => code === "ended"))
    return "Not confirmed: the key was replaced, and whoever had it may have signed this later than it says.";
  if (lacks("key")) return "Not confirmed: say which key you trust. Anyone can make a key.";
  if (statement.dnssec === "indeterminate") return "Genuine, if you trust its issuer.";
  if (lacks("dnssec")) return "Genuine, but the signatures of DNS could not be followed here.";
  if (!basis) return "Genuine, but the record does not say which holder it belongs to.";
  return `Genuine, but weaker than required: ${basis}.`;
}

export function factsOf(statement: Statement): [label: string, value: string][] {
  const { nameservers, witnesses } = statement;
  const count = <T>(list: readonly T[], matches: (item: T) => boolean) =>
    `${list.filter(matches).length} of ${list.length}`;
  const holding = count(nameservers, ({ held }) => held);
  const agreeing = count(witnesses, ({ agreed }) => agreed);
  const none = `none could be asked, so signatures alone count (${statement.rule})`;
  return [
    ["Domain", statement.sub],
    ["Proved", momentOf(Date.parse(statement.provedAt))],
    ["Holder", statement.heldBy],
    ["Issued by", statement.iss],
    ["Record", `${statement.challengeName} TXT ${statement.token}`],
    ["Nameservers", nameservers.length > 0 ? `${holding} had the record` : none],
    ["Resolvers", witnesses.length > 0 ? `${agreeing} returned it` : "none was asked"],
  ];
}

/** Faults and gaps of a chain, which end the sentence "The DNSSEC chain does not show the record: …". */
const FAULT_WORDS: Record<string, string> = {
  ds_without_keys: "a zone on the way has no keys",
  ds_matches_no_key: "no key of a zone matches the zone above or the trust anchor",
  signatures_expired: "at the moment of the proof a signature had expired",
  signatures_not_yet_valid: "at the moment of the proof a signature was not valid yet",
  signatures_missing: "a required signature is missing",
  signatures_invalid: "a signature does not match the records and the keys",
  signatures_too_old: "the record was signed more than a day before the claim was opened",
  denial_missing: "nothing shows that a wildcard may answer for the name",
  value_absent: "the signed record has another value",
  not_canonical: "its records are not exactly those that the proof needs",
  not_read: "a record on the way is missing",
  limit: "checking it would take more work than any honest zone needs",
};

const periodText = ({ from, until }: { from: number; until: number }) =>
  `from ${momentOf(from * 1_000)} until ${momentOf(until * 1_000)}`;
const listOf = (zones: string[]) =>
  zones.map((zone) => (zone === "." ? "the root" : zone)).join(", ");
const memberPlace = (member: string) => (member === "" ? "as a whole" : `at “${member}”`);

type FindingOf<Part> = Exclude<Extract<PartReport, { part: Part }>, { code: "unread" }>;
type Wording<Found extends PartReport> = {
  [Code in Found["code"]]: string | ((facts: Extract<Found, { code: Code }>["facts"]) => string);
};

const WORDS: { [Part in PartReport["part"]]: Wording<FindingOf<Part>> } = {
  file: {
    read: ({ octets }) => `The file has the form of a receipt, in ${octets} bytes.`,
    too_large: ({ limit }) => `The file has more than ${limit} bytes. No receipt is that large.`,
    member: ({ member }) =>
      `The file is not a receipt of any version that this program knows: it differs ${memberPlace(member)}.`,
    not_json: "The file is not JSON.",
  },
  signature: {
    valid:
      "The statement is signed by the key in it, and nothing in it has changed since. You need not trust anyone for this.",
    header: "The header of the statement is not that of a receipt.",
    kid: "The statement names a different key than the one in it.",
    invalid:
      "The signature does not match: something in the statement was changed, or another key signed.",
    platform:
      "This program cannot check Ed25519 signatures. Use another browser, or the command “deed verify”.",
    encoding: "The statement does not have the form of a signed text.",
  },
  key: {
    expected: ({ thumbprint }) =>
      `The key belongs to the installation you expect: ${thumbprint}. The key set lists it as current.`,
    end_unknown: ({ thumbprint }) =>
      `The key is the one you expect: ${thumbprint}, so its owner made this statement. Not checked: whether the key was replaced since. To check that, give the installation’s key set in place of the thumbprint.`,
    ended: ({ at, thumbprint }) =>
      `The key ${thumbprint} belongs to the installation you expect, and was replaced on ${momentOf(Date.parse(at))}. Nothing shows that it signed this before.`,
    before_end: ({ at, thumbprint }) =>
      `The key ${thumbprint} belongs to the installation you expect, and ended on ${momentOf(Date.parse(at))}. The stamp shows that it signed this before.`,
    after_end: ({ at }) =>
      `The statement is dated after its key was replaced, on ${momentOf(Date.parse(at))}.`,
    compromised: ({ at }) =>
      `Others may have had the key since ${momentOf(Date.parse(at))}, and nothing shows that it signed this before.`,
    not_given: ({ thumbprint }) =>
      `Anyone can make a key. Compare this thumbprint with one that you got from the installation itself: ${thumbprint}.`,
    another: ({ thumbprint }) =>
      `The receipt was signed with a different key than you expect. Its thumbprint is ${thumbprint}.`,
  },
  statement: {
    consistent: ({ rule }) =>
      `The statement is consistent and follows the rule that it names. You rely on the installation with this key for its truth, except for what DNSSEC shows below.${rule === EARLIER_RULE ? ` That rule, ${rule}, could believe one server that lied when others did not answer; ${PROOF_RULE} replaced it.` : ""}`,
    contradiction: ({ member }) => `The statement contradicts itself ${memberPlace(member)}.`,
    member: ({ member }) => `The statement is not that of a receipt ${memberPlace(member)}.`,
    not_json: "It does not have the form of a receipt.",
    not_canonical: "It can be read in more than one way.",
  },
  stamp: {
    stamped: ({ by, at }) =>
      `Stamped by ${by} on ${momentOf(Date.parse(at))}, within an hour of the proof. This relies on the time stamp’s issuer, not on the installation.`,
    later: ({ by, at }) =>
      `It existed by ${momentOf(Date.parse(at))}: stamped by ${by}. You rely on the installation for its date.`,
    none: "Nobody else stamped it with a time. You rely on the installation for its date.",
    unknown: ({ by }) =>
      `The time stamp of ${by} cannot be checked: its certificate is not known here.`,
    unconfirmed:
      "The stamp is for another statement, cannot be read, or takes too long to check. So it shows nothing.",
    early: ({ by, at }) =>
      `The statement names a time after its stamp: ${by} stamped it on ${momentOf(Date.parse(at))}.`,
  },
  token: {
    bound:
      "The record was made for this holder and this domain, by the key that signed or by an earlier key that it replaced.",
    not_bound:
      "Nothing in the record says for whom it was made. You rely on the installation for that.",
    issuer:
      "The record was made by the installation whose key you gave, but another installation signed the receipt.",
    another:
      "The record was made for a different holder or by a different installation than the statement says.",
    succession: "The statement does not show that its key replaced the one that made the record.",
  },
  dnssec: {
    valid: ({ zones, ...period }) =>
      `Signatures from the root of DNS to the record show that the domain published it. They are valid ${periodText(period)}. This relies on those who sign for ${listOf(zones)}, not on the installation. You rely on the installation for the exact moment.`,
    unsigned: ({ zones, ...period }) =>
      `The domain was not signed, as signatures of ${listOf(zones)} show. They are valid ${periodText(period)}. You rely on the installation for the record itself.`,
    signed: "The statement says that the domain is not signed, and the signatures show that it is.",
    indeterminate:
      "This file does not show whether the domain is signed. You rely on the installation for the record itself.",
    no_anchor: "None of the given trust anchors is above this domain.",
    algorithm:
      "The domain is signed by an algorithm that this program does not have (Ed448). Check it with the command “deed verify”.",
    missing:
      "The statement says whether the domain is signed, but the signatures that show it are not in the file.",
    unexpected:
      "The file has signatures of DNS, but the statement says that they could not be followed.",
    encoding: "The DNSSEC signatures are not written as base64.",
    invalid: ({ reason }) =>
      `The DNSSEC chain does not show the record: ${FAULT_WORDS[reason.type] ?? "it shows that the name is not signed"}${"zone" in reason ? ` (zone ${reason.zone})` : ""}.`,
  },
  holder: {
    opened: "The account with this address held the proof. This relies on the installation.",
    not_asked:
      "The receipt has only part of the address. Give the whole address and the ownership code, which you get from the holder, and this program says whether they match.",
    another: "The address and the ownership code do not belong to this receipt.",
    opening: "An ownership code has 43 characters: letters, digits, - and _.",
  },
};

export function sentenceOf({ part, code, facts }: PartReport): string {
  if (code === "unread") return "Not checked, because something before it is wrong.";
  const words: Record<string, string | ((facts: never) => string)> = WORDS[part];
  const wording = words[code] ?? "";
  return typeof wording === "string" ? wording : wording(facts as never);
}
