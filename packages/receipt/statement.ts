import {
  exactly,
  type Json,
  listOf,
  matching,
  objectOf,
  optional,
  orNull,
  type Shape,
  seconds,
  type ValueOf,
} from "./strict-json.ts";

/** How far the proof holds without trusting the installation, strongest first. */
export const ASSURANCES = ["dnssec", "witnessed", "nameservers"] as const;
export type Assurance = (typeof ASSURANCES)[number];

export const RECEIPT_FORMAT = "deed-receipt/2";
export const STATEMENT_TYPE = "deed-proof+jwt";
/** One key's statement about the next key, whose thumbprint is `next`. */
export const SUCCESSION_TYPE = "deed-key+jwt";
/** The current key's statement about all keys that have signed. */
export const HISTORY_TYPE = "deed-keys+jwt";
/** The rules of a proof, by nameservers or by signatures alone. Their pages never change. deed-proof/2 is withdrawn. */
export const PROOF_RULE = "deed-proof/3";
export const EARLIER_RULE = "deed-proof/1";
export const DNSSEC_RULE = "deed-dnssec/1";

const [text, bool] = [matching(/^/), exactly(true, false)];
/** 32 octets in base64url. The unused bits are zero. */
const hash = matching(/^[\w-]{42}[AEIMQUYcgkosw048]$/);
/** A domain name in A-label form and lower case, without a dot at the end. */
const name = matching(/^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/);
const address = matching(/^[0-9a-f.:]{2,45}$/);
/** Other people's text that may be shown: it has no characters that move or hide their neighbors. */
export const plainShape = matching(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]{1,320}$/u);
/** A moment since 1970 in ISO 8601, UTC, with milliseconds. */
const moment: Shape<string> = (value) =>
  typeof value === "string" &&
  /^\d{4}-/.test(value) &&
  Date.parse(value) >= 0 &&
  new Date(value).toISOString() === value
    ? null
    : "";
const transport = exactly("udp", "tcp", "tls", "https");

export const receiptShape = objectOf({
  format: exactly(RECEIPT_FORMAT),
  /** A compact JWS (RFC 7515) by Ed25519 (RFC 9864) over the canonical JSON of a Statement. */
  statement: text,
  /** The RRsets from the root's keys to the token, or to the proof that the domain is unsigned, as base64. */
  dnssec: orNull(objectOf({ chain: text })),
  /** An RFC 3161 token over the statement, as base64. */
  stamp: optional(orNull(objectOf({ token: text }))),
});
/** `about` says in words what the file is and where to check it. It is neither signed nor read. */
export type Receipt = { about: string; stamp: Stamp } & ValueOf<typeof receiptShape>;
type Stamp = { token: string } | null;

export const successionShape = objectOf({ next: hash });

/** `until` is when its private half was deleted, `compromisedSince` since when somebody else may know it. */
const keyLifeShape = objectOf({
  compromisedSince: optional(moment),
  from: moment,
  kid: hash,
  until: optional(moment),
});
export const historyShape = objectOf({ keys: listOf(keyLifeShape) });
export type KeyLife = { kid: string; from: string; until?: string; compromisedSince?: string };

const nameserver = objectOf({
  /** The server's address; null if none was found or asked. */
  address: orNull(address),
  answered: bool,
  asked: bool,
  held: bool,
  name: plainShape,
  transport: orNull(transport),
});
/** A resolver that was asked besides the zone's own nameservers. `ad` says whether it validated. */
const witness = objectOf({ ad: bool, agreed: bool, name: plainShape, transport });

export const statementShape = objectOf({
  assurance: exactly(...ASSURANCES),
  challengeName: name,
  /** When the claim was opened; only in proofs by signatures alone. */
  claimedAt: optional(moment),
  dnssec: exactly("secure", "insecure", "indeterminate"),
  /** SHA-256 over the canonical JSON of the evidence. */
  evidenceSha256: hash,
  heldBy: plainShape,
  /** SHA-256 over a salt of 32 octets and the holder's address in UTF-8, lower case. */
  holderCommitment: hash,
  /** When the statement was signed, in seconds since 1970. */
  iat: seconds,
  /** The origin of the installation that signed, without a trailing slash. */
  iss: matching(/^https?:\/\/[a-z0-9.:[\]_-]{1,260}$/),
  nameservers: listOf(nameserver),
  /** 32 random octets in the token; left out if nothing shows whom the token was made for. */
  nonce: optional(hash),
  /** When the proving read ended. */
  provedAt: moment,
  rule: exactly(PROOF_RULE, EARLIER_RULE, DNSSEC_RULE),
  scope: exactly("exact_name"),
  sub: name,
  /** Statements that lead from the token's key to the signing key, if they differ. */
  successions: optional(listOf(text)),
  token: matching(/^[a-z0-9_-]{1,32}[0-9a-f]{40}$/),
  witnesses: listOf(witness),
});
type Members = ValueOf<typeof statementShape>;
type Optional = "claimedAt" | "nonce" | "successions";
export type Statement = Omit<Members, Optional> & Partial<Pick<Members, Optional>>;

/** The text whose SHA-256 gives the token's digits: for whom it was made, and by which key (its thumbprint). */
export const tokenInput = (holder: string, key: string, name: string, nonce: string): string =>
  canonicalJson({ holder, key, name, nonce, tag: "deed-token/1" });

export const assuranceOf = (witnesses: Statement["witnesses"], isSecure: boolean): Assurance =>
  isSecure
    ? "dnssec"
    : witnesses.length > 0 && witnesses.every(({ agreed }) => agreed)
      ? "witnessed"
      : "nameservers";

/** Whether an entry is consistent: only a server that was asked at an address answers, and each that answers has the record. */
const isPlausible = ({ address, asked, answered, held, transport }: ValueOf<typeof nameserver>) =>
  held === answered &&
  answered === (transport !== null) &&
  asked >= answered &&
  (address !== null) >= asked;

/** Platforms decode `xn--` labels differently, so the URL parser must leave it unchanged. */
const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

export function contradictionIn(statement: Statement): string | undefined {
  const { iss, sub, iat, challengeName, provedAt, nameservers, witnesses, assurance } = statement;
  const isBySignatures = statement.rule === DNSSEC_RULE;
  const { dnssec, claimedAt, nonce, successions } = statement;
  const answerCount = nameservers.filter((server) => server.answered).length;
  const agreedCount = witnesses.filter((witness) => witness.agreed).length;
  const rules = {
    iss: isOrigin(iss.replaceAll("xn--", "xx--")),
    sub: !/(^|\.)(\d+|0x[\da-f]*)$/.test(sub),
    challengeName: challengeName.slice(challengeName.indexOf(".") + 1) === sub,
    iat: iat >= Math.floor(Date.parse(provedAt) / 1_000),
    claimedAt: isBySignatures
      ? claimedAt !== undefined && claimedAt <= provedAt
      : claimedAt === undefined,
    dnssec: !isBySignatures || dnssec === "secure",
    successions: successions === undefined || (nonce !== undefined && successions.length > 0),
    nameservers: isBySignatures
      ? nameservers.length === 0
      : nameservers.every(isPlausible) && answerCount > 0 && 2 * answerCount >= nameservers.length,
    witnesses: witnesses.length === 0 || 2 * agreedCount > witnesses.length,
    assurance: assurance === assuranceOf(witnesses, dnssec === "secure"),
  };
  return Object.entries(rules).find(([, holds]) => !holds)?.[0];
}

/** Canonical JSON (RFC 8785) without undefined properties. Throws TypeError for NaN, infinities and lone surrogates. */
export function canonicalJson(value: Json): string {
  if (typeof value === "string" && !value.isWellFormed())
    throw new TypeError("a string with a lone surrogate");
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("not a number");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  let members = "";
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined)
      members += `${members && ","}${canonicalJson(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);
