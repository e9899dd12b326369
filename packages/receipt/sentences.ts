import type { PartReport, Report } from "./report.ts";
import type { Statement } from "./statement.ts";

export const ABOUT_ITS_MOMENT =
  "A receipt is about one moment and never about now. Whether its link is still shared is a question to the installation.";

export const STATES = { shown: "shown", not_shown: "not shown", wrong: "wrong" } as const;

export const PART_NAMES: Record<PartReport["part"], string> = {
  file: "File",
  signature: "Signature",
  key: "Key",
  statement: "Statement",
  dnssec: "DNSSEC",
  holder: "Holder",
};

/** "15 January 2027, 08:00:00 UTC", the same in every language and time zone. `at`: milliseconds since 1970. */
function momentOf(at: number): string {
  const options = { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" } as const;
  const day = new Intl.DateTimeFormat("en-GB", options).format(at);
  return `${day}, ${new Date(at).toISOString().slice(11, 19)} UTC`;
}

export function headlineOf({ verdict, assurance, parts, statement }: Report): string {
  const isKeyGiven = parts.some(({ code }) => code === "expected");
  if (verdict === "bad")
    return statement && parts.every(({ part, state }) => state !== "wrong" || part === "holder")
      ? "The receipt is good, but not of this holder."
      : "This receipt is bad. Do not rely on it.";
  if (verdict === "good") return "This receipt is good.";
  if (assurance === null)
    return "This receipt rests on the signatures of DNS alone, and they were not checked.";
  return isKeyGiven
    ? `This receipt is good, but weaker than required: it shows ${assurance}.`
    : "Nothing is wrong with this receipt, but whose key signed it was not shown.";
}

export function factsOf(statement: Statement): [label: string, value: string][] {
  const { nameservers, witnesses } = statement;
  const count = <T>(list: readonly T[], is: (one: T) => boolean) =>
    `${list.filter(is).length} of ${list.length}`;
  return [
    ["Domain", statement.sub],
    ["Proved", momentOf(Date.parse(statement.provedAt))],
    ["Held by", statement.heldBy],
    ["Record", `${statement.challengeName} TXT ${statement.token}`],
    [
      "Nameservers",
      nameservers.length > 0
        ? `${count(nameservers, ({ held }) => held)} had the record`
        : `none could be asked, so signatures alone count (${statement.rule})`,
    ],
    [
      "Resolvers",
      witnesses.length > 0
        ? `${count(witnesses, ({ agreed }) => agreed)} returned it`
        : "none was asked",
    ],
    ["Installation", statement.iss],
  ];
}

/** Faults and gaps of a chain. Each ends the sentence "The DNSSEC chain does not show the record: …". */
const FAULTS: Record<string, string> = {
  ds_without_keys: "a zone on the way has no keys",
  ds_matches_no_key: "no key of a zone is one that the zone above, or the trust anchor, names",
  signatures_expired: "at the moment of the proof a signature had expired",
  signatures_not_yet_valid: "at the moment of the proof a signature was not valid yet",
  signatures_missing: "a signature that counts is missing",
  signatures_invalid: "a signature does not fit the records and the keys",
  signatures_too_old: "the record was signed more than a day before the claim was opened",
  denial_missing: "nothing shows that a wildcard may answer for the name",
  value_absent: "the signed record has another value",
  not_canonical: "its records are not exactly those that the proof needs",
  not_read: "a record on the way is missing",
  limit: "judging it would take more work than any honest zone asks for",
};

const place = (member: string) => (member === "" ? "as a whole" : `at “${member}”`);
const FORM = "It does not have the form of a receipt.";
const AMBIGUOUS = "It is written in a way that could be read differently.";

type Of<Part> = Exclude<Extract<PartReport, { part: Part }>, { code: "unread" }>;
type Wording<Found extends PartReport> = {
  [Code in Found["code"]]: string | ((facts: Extract<Found, { code: Code }>["facts"]) => string);
};

const WORDS: { [Part in PartReport["part"]]: Wording<Of<Part>> } = {
  file: {
    read: ({ octets }) => `The file has the form of a receipt, in ${octets} bytes.`,
    too_large: ({ limit }) => `The file has more than ${limit} bytes. No receipt is that large.`,
    member: ({ member }) =>
      `The file is not a receipt of a version known here: it differs ${place(member)}.`,
    not_canonical:
      "The file has a member twice, or a text or number written in a way that could be read differently.",
    not_json: "The file is not JSON.",
  },
  signature: {
    valid:
      "The statement is signed by the key in it, and nothing in it has changed since. You need to believe nobody for this.",
    member: ({ member }) =>
      `The head of the statement differs from that of a receipt ${place(member)}.`,
    kid: "The statement names another key than the one it carries.",
    invalid:
      "The signature does not fit: something in the statement was changed, or another key signed.",
    platform:
      "This program cannot check Ed25519 signatures. Use another browser, or the command “deed verify”.",
    encoding: "The statement does not have the form of a signed text.",
    not_json: FORM,
    not_canonical: AMBIGUOUS,
  },
  key: {
    expected: ({ thumbprint }) =>
      `The key is the one you expect: ${thumbprint}. So the statement is the word of that installation.`,
    not_given: ({ thumbprint }) =>
      `Anyone can make a key. Compare this thumbprint with one that you have from the installation itself: ${thumbprint}.`,
    another: ({ thumbprint }) =>
      `Another key signed than the one you expect. Its thumbprint is ${thumbprint}.`,
  },
  statement: {
    consistent:
      "What the statement says fits together, and fits the rule that it names. That it is true is the word of the installation with this key, except for what DNSSEC shows below.",
    contradiction: ({ member }) =>
      `What the statement says does not fit together ${place(member)}.`,
    member: ({ member }) => `The statement differs from that of a receipt ${place(member)}.`,
    not_json: FORM,
    not_canonical: AMBIGUOUS,
  },
  dnssec: {
    valid: ({ from, until, zones }) =>
      `Signatures from the root of DNS to the record show that the domain published it. They are valid from ${momentOf(from * 1_000)} until ${momentOf(until * 1_000)}. For this you need to believe those who sign for ${zones.map((zone) => (zone === "." ? "the root" : zone)).join(", ")}, and not the installation. The moment within that time, and who had been given the token, are the installation's word.`,
    insecure:
      "The domain was not signed, says the installation. That the record was there is its word.",
    indeterminate:
      "The installation could not follow the signatures of DNS at the time, or says so. That the record was there is its word.",
    no_anchor: "None of the given trust anchors is above this domain.",
    algorithm:
      "The domain is signed by an algorithm that this program does not have (Ed448). Check it with the command “deed verify”.",
    missing:
      "The statement says that the domain is signed, but the signatures are not in the file.",
    unexpected: "The file has DNSSEC signatures, but the statement says that there are none.",
    encoding: "The DNSSEC signatures are not written as base64.",
    invalid: ({ reason }) =>
      `The DNSSEC chain does not show the record: ${FAULTS[reason.type] ?? "it shows that the name is not signed"}${"zone" in reason ? ` (zone ${reason.zone})` : ""}.`,
  },
  holder: {
    opened:
      "The account with this address held the proof. You need to believe the installation for this.",
    not_asked:
      "The receipt has part of the address only. With the whole address and the opening, which the holder can give you, this program says whether they fit.",
    another: "The address and the opening do not belong to this receipt.",
    opening: "The opening is not one: it has 22 letters, digits, - and _.",
  },
};

export function sentenceOf({ part, code, facts }: PartReport): string {
  if (code === "unread") return "Not examined, because something before it is wrong.";
  const words: Record<string, string | ((facts: never) => string)> = WORDS[part];
  const said = words[code] ?? "";
  return typeof said === "string" ? said : said(facts as never);
}
