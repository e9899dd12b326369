import { type Anchor, ROOT_ANCHORS } from "@deed/dns/dnssec/anchors.ts";
import { fromBase64, fromBase64Url, toBase64Url, toHex } from "@deed/dns/dnssec/base64.ts";
import type { Bytes } from "@deed/dns/dnssec/records.ts";
import { ED25519, isSignedBy } from "@deed/dns/dnssec/signature.ts";
import { sinceClaim, verifyChain } from "@deed/dns/dnssec/validate.ts";
import { hasEd25519, type Jwk, sha256, thumbprintOf, utf8 } from "./ed25519.ts";
import { demand, Failed, MAX_RECEIPT, PART_NAMES, type PartReport, type Report } from "./report.ts";
import {
  ASSURANCES,
  type Assurance,
  assuranceOf,
  canonicalJson,
  contradictionIn,
  DNSSEC_RULE,
  HISTORY_TYPE,
  historyShape,
  type KeyLife,
  type Receipt,
  receiptShape,
  STATEMENT_TYPE,
  type Statement,
  SUCCESSION_TYPE,
  statementShape,
  successionShape,
  tokenInput,
} from "./statement.ts";
import type { Json, Shape } from "./strict-json.ts";

const SALT_OCTETS = 32;
const HOUR_MS = 3_600_000;

export type Options = {
  anchors?: readonly Anchor[];
  /** The installation's keys, as RFC 7638 thumbprints or as public keys: one of them must have signed. */
  keys?: readonly (string | Jwk)[];
  /** When each key of the installation began and ended, from a key set signed by one of `keys`. */
  history?: string;
  /** The address that should own the proof. `opening` is the salt of its commitment, as base64url. */
  holder?: { address: string; opening: string };
  require?: Assurance;
  /** Certificates that stamps may lead to, besides those in this package. */
  stampRoots?: readonly Bytes[];
};

/** Checks a receipt, given as the octets or text of its file, as of the moment of the proof. Offline. Never throws. */
export async function verifyReceipt(
  file: string | Uint8Array,
  { require: required = "nameservers", ...options }: Options = {},
): Promise<Report> {
  const unread = (part: string) => ({ part, state: "not_shown", code: "unread", facts: {} });
  const byPart = new Map(Object.keys(PART_NAMES).map((part) => [part, unread(part) as PartReport]));
  const add = (report: PartReport) => void byPart.set(report.part, report);
  const statement = await examine(file, options, add).catch((error) => add(reportOf(error)));
  const isShown = (part: PartReport["part"]) => byPart.get(part)?.state === "shown";
  const parts = [...byPart.values()];
  const isSigned = byPart.get("dnssec")?.code === "valid" && isShown("token");
  const isConfirmed = statement?.rule !== DNSSEC_RULE || isSigned;
  const assurance = statement && isConfirmed ? assuranceOf(statement.witnesses, isSigned) : null;
  const isStrongEnough =
    assurance !== null && ASSURANCES.indexOf(assurance) <= ASSURANCES.indexOf(required);
  const verdict = parts.some(({ state }) => state === "wrong")
    ? "bad"
    : isShown("key") && isShown("dnssec") && isStrongEnough
      ? "good"
      : "weaker";
  return { verdict, assurance, parts, statement: statement ?? null };
}

const reportOf = (error: unknown): PartReport =>
  error instanceof Failed
    ? error.report
    : { part: "signature", state: "wrong", code: "platform", facts: {} };

async function examine(
  file: string | Uint8Array,
  { keys = [], history, anchors = ROOT_ANCHORS, holder, stampRoots = [] }: Options,
  add: (report: PartReport) => unknown,
): Promise<Statement> {
  // One octet over the limit is enough to refuse the file.
  const octets = typeof file === "string" ? utf8(file.slice(0, MAX_RECEIPT + 1)) : file;
  demand(octets.length <= MAX_RECEIPT, "file", "too_large", { limit: MAX_RECEIPT });
  const { statement: jws, dnssec, stamp } = readJson(octets, receiptShape, "file");
  add({ part: "file", state: "shown", code: "read", facts: { octets: octets.length } });
  const { kid, payload } = await readJws(jws, STATEMENT_TYPE);
  add({ part: "signature", state: "shown", code: "valid", facts: {} });
  const given = await Promise.all(keys.map(thumbprintOf));
  const keyLives = history === undefined ? [] : await readHistory(history, given);
  const keyLife = keyLives.find((key) => key.kid === kid);
  add(checkKey(kid, keyLife ? [...given, kid] : given));
  const statement = readJson(payload, statementShape, "statement");
  const member = contradictionIn(statement);
  demand(member === undefined, "statement", "contradiction", { member });
  const { rule } = statement;
  add({ part: "statement", state: "shown", code: "consistent", facts: { rule } });
  const stampReport = await checkStamp(jws, statement, stamp, stampRoots).catch(reportOf);
  add(stampReport);
  if (keyLife) add(checkEnd(keyLife, statement.iat, given, stampReport));
  add(await checkToken(statement, kid, given).catch(reportOf));
  add(await checkChain(statement, dnssec, anchors).catch(reportOf));
  add(await checkHolder(statement.holderCommitment, holder).catch(reportOf));
  return statement;
}

/** A byte order mark is not dropped, since the header must be canonical. */
const textOf = (octets: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(octets);

const HEADER =
  /^\{"alg":"Ed25519","jwk":\{"crv":"Ed25519","kty":"OKP","x":"([\w-]{43})"\},"kid":"([\w-]{43})","typ":"(.+)"\}$/;

async function readJws(jws: string, type: string) {
  const jwsParts = jws.split(".");
  const [head, payload, signature] = jwsParts.map(fromBase64Url);
  demand(head && payload && signature && jwsParts.length === 3, "signature", "encoding");
  const [, x = "", kid = "", typ] = HEADER.exec(textOf(head)) ?? [];
  demand(typ === type, "signature", "header");
  const key = fromBase64Url(x);
  demand(key, "signature", "encoding");
  demand(kid === (await thumbprintOf({ crv: "Ed25519", kty: "OKP", x })), "signature", "kid");
  const signedOctets = utf8(jws.slice(0, jws.lastIndexOf(".")));
  const isSigned = await isSignedBy(ED25519, key, signature, signedOctets);
  demand(isSigned || (await hasEd25519()), "signature", "platform");
  demand(isSigned, "signature", "invalid");
  return { kid, payload };
}

function checkKey(thumbprint: string, given: string[]): PartReport {
  const [part, facts] = ["key" as const, { thumbprint, given }];
  if (given.includes(thumbprint)) return { part, state: "shown", code: "end_unknown", facts };
  return given.length > 0
    ? { part, state: "wrong", code: "another", facts }
    : { part, state: "not_shown", code: "not_given", facts };
}

/** If a history says that its own signer is compromised, only that counts, since a thief may have signed the rest. */
async function readHistory(jws: string, given: string[]): Promise<KeyLife[]> {
  const { kid = "", keys = [] } = (await readSigned(jws, HISTORY_TYPE, historyShape)) ?? {};
  if (!given.includes(kid)) return [];
  const stolenKeys = keys.filter((key) => key.kid === kid && key.compromisedSince);
  return stolenKeys.length > 0 ? stolenKeys : keys;
}

/** The payload of a JWS other than the statement, and the key that signed it; null if it is not valid. */
const readSigned = <T extends object>(jws: string, type: string, shape: Shape<T>) =>
  readJws(jws, type)
    .then(({ kid, payload }) => ({ kid, ...readJson(payload, shape, "statement") }))
    .catch(() => null);

/** Reports when the statement existed according to a stamper. An unconfirmed stamp counts as none. */
async function checkStamp(
  jws: string,
  { provedAt }: Statement,
  receiptStamp: Receipt["stamp"] | undefined,
  roots: readonly Bytes[],
): Promise<PartReport> {
  const part = "stamp";
  if (!receiptStamp) return { part, state: "not_shown", code: "none", facts: {} };
  const token = fromBase64(receiptStamp.token) ?? new Uint8Array();
  const stamp = await import("./stamp.ts")
    .then(({ readStamp }) => readStamp(token, utf8(jws), roots))
    .catch(() => null);
  if (!stamp) return { part, state: "not_shown", code: "unconfirmed", facts: {} };
  const { isOfRoot, nonce, ...facts } = stamp;
  if (!isOfRoot) return { part, state: "not_shown", code: "unknown", facts };
  if (facts.until < provedAt) return { part, state: "wrong", code: "early", facts };
  return Date.parse(facts.until) - Date.parse(provedAt) <= HOUR_MS
    ? { part, state: "shown", code: "stamped", facts }
    : { part, state: "not_shown", code: "later", facts };
}

/** Judges a statement by its key's end. A thief of the key can choose the statement's dates, but not its stamp. */
function checkEnd(keyLife: KeyLife, iat: number, given: string[], stamp: PartReport): PartReport {
  const { kid, until, compromisedSince } = keyLife;
  const [part, facts] = ["key" as const, { thumbprint: kid, given }];
  const isStamped = stamp.code === "stamped" || stamp.code === "later";
  const isBefore = (end: string) => isStamped && stamp.facts.until < end;
  if (compromisedSince && !isBefore(compromisedSince))
    return { part, state: "wrong", code: "compromised", facts: { ...facts, at: compromisedSince } };
  const at = until ?? compromisedSince;
  if (!at) return { part, state: "shown", code: "expected", facts };
  if (until && iat * 1_000 > Date.parse(until))
    return { part, state: "wrong", code: "after_end", facts: { ...facts, at } };
  return isBefore(at)
    ? { part, state: "shown", code: "before_end", facts: { ...facts, at } }
    : { part, state: "not_shown", code: "ended", facts: { ...facts, at } };
}

/** Whether the record was made for this holder, by the signing key or an earlier one that passed to it. */
async function checkToken(statement: Statement, kid: string, given: string[]): Promise<PartReport> {
  const { token, nonce, holderCommitment, challengeName, successions = [] } = statement;
  const part = "token";
  if (nonce === undefined) return { part, state: "not_shown", code: "not_bound", facts: {} };
  const readSuccession = (jws: string) => readSigned(jws, SUCCESSION_TYPE, successionShape);
  const path = await Promise.all(successions.map(readSuccession));
  const [firstKey = kid] = path.map((step) => step?.kid);
  const isUnbroken = path.every((step, at) => step && step.next === (path[at + 1]?.kid ?? kid));
  demand(isUnbroken, part, "succession");
  const isTokenFor = async (key: string) => {
    const digest = await sha256(utf8(tokenInput(holderCommitment, key, challengeName, nonce)));
    return token.endsWith(toHex(digest.slice(0, 20)));
  };
  const isKeyBound = await isTokenFor(firstKey);
  demand(isKeyBound || !(await Promise.all(given.map(isTokenFor))).includes(true), part, "issuer");
  demand(isKeyBound, part, "another");
  return { part, state: "shown", code: "bound", facts: {} };
}

async function checkChain(
  { challengeName: name, token: value, provedAt, claimedAt, dnssec }: Statement,
  receiptDnssec: Receipt["dnssec"],
  anchors: readonly Anchor[],
): Promise<PartReport> {
  const part = "dnssec";
  demand(dnssec !== "indeterminate" || !receiptDnssec, part, "unexpected");
  if (dnssec === "indeterminate") return { part, state: "not_shown", code: dnssec, facts: {} };
  demand(receiptDnssec, part, "missing");
  const chain = fromBase64(receiptDnssec.chain);
  demand(chain, part, "encoding");
  const at = Math.floor(Date.parse(provedAt) / 1_000);
  const since = claimedAt && { since: sinceClaim(Date.parse(claimedAt)) };
  const validation = await verifyChain(chain, { name, value, at, anchors, ...since });
  const { zones, period, ...judgement } = validation;
  const facts = { zones, from: period?.from ?? 0, until: period?.until ?? 0 };
  if (judgement.verdict === dnssec)
    return { part, state: "shown", code: dnssec === "secure" ? "valid" : "unsigned", facts };
  demand(judgement.verdict !== "secure", part, "signed");
  const { verdict, reason } = judgement;
  // In these cases even a good chain cannot be followed.
  const isUnknown = reason.type === "no_anchor" || reason.type === "no_ed448";
  demand(isUnknown, part, "invalid", { verdict, reason });
  const code = reason.type === "no_anchor" ? "no_anchor" : "algorithm";
  return { part, state: "not_shown", code, facts: {} };
}

async function checkHolder(commitment: string, holder: Options["holder"]): Promise<PartReport> {
  const part = "holder";
  if (!holder) return { part, state: "not_shown", code: "not_asked", facts: {} };
  const salt = fromBase64Url(holder.opening);
  demand(salt?.length === SALT_OCTETS, part, "opening");
  const expected = await sha256(salt, utf8(holder.address.trim().toLowerCase()));
  demand(toBase64Url(expected) === commitment, part, "another");
  return { part, state: "shown", code: "opened", facts: {} };
}

/** The most [ and { in a text. This limits the cost of nesting. */
const MAX_BRACKETS = 1_000;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;
/** Matches numbers that are negative or have a fraction, exponent or over 15 digits: libraries differ on these. */
const UNUSUAL_NUMBER = /[-.+]|\d[eE]|\d{16}/;

/** Reads JSON of a shape or throws Failed. A statement must be canonical (RFC 8785): then all read it the same way. */
function readJson<T>(octets: Uint8Array, shape: Shape<T>, part: "file" | "statement"): T {
  const [text, value] = parseJson(octets);
  demand(text !== "", part, "not_json");
  if (part === "statement") demand(isCanonical(text, value), part, "not_canonical");
  const member = shape(value);
  demand(member === null, part, "member", { member });
  return value as T;
}

function isCanonical(text: string, value: Json): boolean {
  try {
    return canonicalJson(value) === text && !UNUSUAL_NUMBER.test(text.replace(STRINGS, ""));
  } catch {
    return false;
  }
}

function parseJson(octets: Uint8Array): [string, Json] {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
    return text.split(/[[{]/).length > MAX_BRACKETS + 1 ? ["", null] : [text, JSON.parse(text)];
  } catch {
    return ["", null];
  }
}
