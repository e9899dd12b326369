import { type Anchor, ROOT_ANCHORS } from "@deed/dns/dnssec/anchors.ts";
import { type Bytes, decodeChain } from "@deed/dns/dnssec/records.ts";
import { isSupported } from "@deed/dns/dnssec/signature.ts";
import { countsFrom, judge, type Question, verifyChain } from "@deed/dns/dnssec/validate.ts";
import { fromBase64, fromBase64Url, toBase64Url } from "./base64.ts";
import { importKey, isSignedBy, type Jwk, sha256, thumbprintOf, utf8 } from "./ed25519.ts";
import { demand, MAX_RECEIPT, PARTS, type PartReport, type Report, Stop } from "./report.ts";
import {
  ASSURANCES,
  type Assurance,
  assuranceOf,
  contradictionIn,
  headerShape,
  PROOF_RULE,
  type Receipt,
  receiptShape,
  type Statement,
  statementShape,
} from "./statement.ts";
import type { Json, Shape } from "./strict-json.ts";

const SALT = 16;
const ED448 = 16;

export type Options = {
  anchors?: readonly Anchor[];
  /** Of the installation, as RFC 7638 thumbprints or as public keys: one of them must have signed. */
  keys?: readonly (string | Jwk)[];
  /** Whether this address held the proof: with the salt of its commitment, as base64url. */
  holder?: { address: string; opening: string };
  require?: Assurance;
};

/** Checks a receipt, the octets or the text of its file, as of the moment of the proof; offline. Never throws. */
export async function verifyReceipt(
  file: string | Uint8Array,
  { require: required = "nameservers", ...options }: Options = {},
): Promise<Report> {
  const unread = (part: string) => ({ part, state: "not_shown", code: "unread", facts: {} });
  const found = new Map(PARTS.map((part) => [part, unread(part) as PartReport]));
  const add = (report: PartReport) => void found.set(report.part, report);
  const statement = await examine(file, options, add).catch((error) => add(reportOf(error)));
  const isShown = (part: PartReport["part"]) => found.get(part)?.state === "shown";
  const parts = [...found.values()];
  const isBacked = statement?.rule === PROOF_RULE || isShown("dnssec");
  const assurance =
    statement && isBacked ? assuranceOf(statement.witnesses, isShown("dnssec")) : null;
  const isEnough =
    assurance !== null && ASSURANCES.indexOf(assurance) <= ASSURANCES.indexOf(required);
  const isBad = parts.some(({ state }) => state === "wrong");
  const verdict = isBad ? "bad" : isShown("key") && isEnough ? "good" : "weaker";
  return { verdict, assurance, parts, statement: statement ?? null };
}

const reportOf = (error: unknown): PartReport =>
  error instanceof Stop
    ? error.report
    : { part: "signature", state: "wrong", code: "platform", facts: {} };

async function examine(
  file: string | Uint8Array,
  { keys = [], anchors = ROOT_ANCHORS, holder }: Options,
  add: (report: PartReport) => unknown,
): Promise<Statement> {
  // One octet over the limit is enough to refuse.
  const octets = typeof file === "string" ? utf8(file.slice(0, MAX_RECEIPT + 1)) : file;
  demand(octets.length <= MAX_RECEIPT, "file", "too_large", { limit: MAX_RECEIPT });
  const { statement: jws, dnssec } = readJson(octets, receiptShape, "file");
  add({ part: "file", state: "shown", code: "read", facts: { octets: octets.length } });
  const { jwk, payload } = await readJws(jws);
  add({ part: "signature", state: "shown", code: "valid", facts: {} });
  add(checkKey(await thumbprintOf(jwk), await Promise.all(keys.map(thumbprintOf))));
  const statement = readJson(payload, statementShape, "statement");
  const member = contradictionIn(statement);
  demand(member === undefined, "statement", "contradiction", { member });
  add({ part: "statement", state: "shown", code: "consistent", facts: {} });
  add(await checkChain(statement, dnssec, anchors).catch(reportOf));
  add(await checkHolder(statement, holder).catch(reportOf));
  return statement;
}

async function readJws(jws: string) {
  const pieces = jws.split(".");
  const [head, payload, signature] = pieces.map(fromBase64Url);
  demand(head && payload && signature && pieces.length === 3, "signature", "encoding");
  const { jwk, kid } = readJson(head, headerShape, "signature");
  const raw = fromBase64Url(jwk.x);
  demand(raw, "signature", "encoding");
  demand(kid === (await thumbprintOf(jwk)), "signature", "kid");
  const key = await importKey(raw);
  demand(key, "signature", "platform");
  const signed = utf8(jws.slice(0, jws.lastIndexOf(".")));
  demand(await isSignedBy(key, signature, signed), "signature", "invalid");
  return { jwk, payload };
}

function checkKey(thumbprint: string, given: string[]): PartReport {
  const [part, facts] = ["key" as const, { thumbprint, given }];
  if (given.includes(thumbprint)) return { part, state: "shown", code: "expected", facts };
  return given.length > 0
    ? { part, state: "wrong", code: "another", facts }
    : { part, state: "not_shown", code: "not_given", facts };
}

async function checkChain(
  { challengeName: name, token: value, provedAt, claimedAt, dnssec }: Statement,
  given: Receipt["dnssec"],
  anchors: readonly Anchor[],
): Promise<PartReport> {
  const part = "dnssec";
  demand(dnssec === "secure" || !given, part, "unexpected");
  if (dnssec !== "secure") return { part, state: "not_shown", code: dnssec, facts: {} };
  demand(given, part, "missing");
  const chain = fromBase64(given.chain);
  demand(chain, part, "encoding");
  const at = Math.floor(Date.parse(provedAt) / 1_000);
  const since = claimedAt && { since: countsFrom(Date.parse(claimedAt)) };
  const question = { name, value, at, anchors, ...since };
  const { zones, period, ...judgement } = await verifyChain(chain, question);
  const facts = { zones, from: period?.from ?? 0, until: period?.until ?? 0 };
  if (judgement.verdict === "secure") return { part, state: "shown", code: "valid", facts };
  const code = await obstacleTo(chain, question);
  demand(code, part, "invalid", { verdict: judgement.verdict, reason: judgement.reason });
  return { part, state: "not_shown", code, facts: {} };
}

/** Why a chain cannot be followed that may be good. verifyChain would only say that octets are left over. */
async function obstacleTo(chain: Bytes, question: Question) {
  const judgement = await judge(decodeChain(chain) ?? [], question);
  const type = judgement.verdict === "secure" ? null : judgement.reason.type;
  if (type === "ds_unsupported") return (await isSupported(ED448)) ? null : "algorithm";
  return type === "no_anchor" ? type : null;
}

async function checkHolder(
  { holderCommitment }: Statement,
  holder: Options["holder"],
): Promise<PartReport> {
  const part = "holder";
  if (!holder) return { part, state: "not_shown", code: "not_asked", facts: {} };
  const salt = fromBase64Url(holder.opening);
  demand(salt?.length === SALT, part, "opening");
  const own = await sha256(salt, utf8(holder.address.trim().toLowerCase()));
  demand(toBase64Url(own) === holderCommitment, part, "another");
  return { part, state: "shown", code: "opened", facts: {} };
}

const MAX_BRACKETS = 1_000;
const SPACE = /("(?:[^"\\]|\\.)*")|[\t\n\r ]+/g;

/**
 * Throws Stop unless the text is canonical (RFC 8785), so that it reads in one way only; in the file itself, white
 * space and the order of members are free.
 */
function readJson<T>(
  octets: Uint8Array,
  shape: Shape<T>,
  part: "file" | "signature" | "statement",
): T {
  const [text, value] = parse(octets);
  demand(text !== "", part, "not_json");
  const isFile = part === "file";
  const written = isFile ? text.replace(SPACE, "$1") : text;
  demand(JSON.stringify(value) === written, part, "not_canonical");
  const member = shape(isFile ? inOrder(value) : value);
  demand(member === null, part, "member", { member });
  return value as T;
}

const inOrder = (value: Json): Json =>
  Object.fromEntries(Object.entries(value ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)));

function parse(octets: Uint8Array): [string, Json] {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
    return text.split(/[[{]/).length > MAX_BRACKETS ? ["", null] : [text, JSON.parse(text)];
  } catch {
    return ["", null];
  }
}
