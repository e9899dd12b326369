import { anchorLine } from "@deed/dns/dnssec/anchors.ts";
import { canonicalJson, type Receipt, type Statement } from "../statement.ts";
import {
  BINDING,
  base64url,
  headerOf,
  ISSUER,
  type Issuer,
  issuerOf,
  jwsOf,
  makeWorld,
  receiptOf,
  SECURE,
  SHUT,
  STATEMENT,
  sha256,
  successionOf,
  tokenOf,
} from "./issuer.ts";

/** A file and the code of its verdict: "good", or "part: code" of the first part that is wrong. */
export type Case = { name: string; file: string; expected: string };

const OTHER = issuerOf("look-alike.example");

/** Receipts, good ones and every kind of forgery, all checked with the key and the anchor of the good ones. */
export async function makeCases() {
  const secure: Statement = { ...STATEMENT, ...SECURE };
  const { anchors, ...world } = await makeWorld();
  const [chain, denial] = [await world.signed(secure), await world.unsigned("acme.test")];
  const good = receiptOf(ISSUER, STATEMENT, denial);
  const signed = receiptOf(ISSUER, secure, chain);
  const anchor = anchors.map(anchorLine).join();
  const cases: Case[] = [];
  const add = (expected: string, name: string, receipt: object | string) => {
    const file = typeof receipt === "string" ? receipt : JSON.stringify(receipt);
    cases.push({ name, file, expected });
  };

  add("good", "unsigned zone", good);
  add("good", "signed zone", signed);
  addFiles(add, good);
  addSignatures(add, good);
  addStatements(add, denial);
  await addTokens(add, denial, world);
  await addChains(add, signed, secure, chain, denial, world);
  addShut(add, chain);
  return { key: ISSUER.jwk, kid: ISSUER.kid, anchor, cases };
}

type Add = (expected: string, name: string, receipt: object | string) => void;
/** Adds what a part of the verdict is wrong for. */
const wrongIn =
  (add: Add, part: string): Add =>
  (code, name, receipt) =>
    add(`${part}: ${code}`, name, receipt);

function addFiles(add: Add, good: Receipt) {
  const bad = wrongIn(add, "file");
  const text = JSON.stringify(good);
  add("good", "further members", { ...good, note: [1.5], dnssec: { ...good.dnssec, at: null } });
  add("good", "indented, in another order", JSON.stringify(reversed(good), null, "\t"));
  add("good", "escapes that nobody needs", text.replace("deed-rec", "\\u0064eed-rec"));
  add("good", "statement twice, the last one ours", text.replace("{", `{"statement":"",`));
  bad("member", "unknown format", { ...good, format: "deed-receipt/1" });
  bad("member", "missing member", { ...good, dnssec: undefined });
  bad("member", "not an object", "[]");
  bad("member", "number in the place of the chain", { ...good, dnssec: 1.5 });
  bad("not_json", "byte order mark", `\ufeff${text}`);
  bad("not_json", "text after the end", `${text}}`);
  bad("not_json", "too deep", `${"[".repeat(30_000)}${"]".repeat(30_000)}`);
  bad("too_large", "too large", `${text}${" ".repeat(64 * 1024)}`);
}

const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());

function addSignatures(add: Add, good: Receipt) {
  const bad = wrongIn(add, "signature");
  const [head = "", payload = "", signature = ""] = good.statement.split(".");
  const stated = (statement: string) => ({ ...good, statement });
  const header = headerOf(ISSUER);
  const signedBy = (head: object | string, issuer: Issuer = ISSUER) =>
    stated(jwsOf(issuer, STATEMENT, head as string));
  add("key: another", "foreign key", receiptOf(OTHER, STATEMENT));
  bad("kid", "foreign key under our kid", signedBy({ ...headerOf(OTHER), kid: ISSUER.kid }, OTHER));
  bad("invalid", "our key, foreign signature", signedBy(header, OTHER));
  const none = base64url(canonicalJson({ ...header, alg: "none" }));
  bad("header", "alg none", stated(`${none}.${payload}.`));
  bad("header", "alg HS256", signedBy({ ...header, alg: "HS256" }));
  bad("header", "alg of earlier receipts", signedBy({ ...header, alg: "EdDSA" }));
  bad("header", "further member in the header", signedBy({ ...header, crit: [] }));
  bad("header", "other type", signedBy({ ...header, typ: "deed-key+jwt" }));
  bad("header", "byte order mark before the header", signedBy(`\ufeff${canonicalJson(header)}`));
  bad("header", "space in the header", signedBy(JSON.stringify(header).replace(",", ", ")));
  bad("invalid", "key of small order, which fits anything", signedBySmallKey(good));
  bad("invalid", "second half of the signature too large", stated(withLargeNumber(good.statement)));
  bad("encoding", "padding", stated(`${head}.${payload}.${signature}==`));
  bad("encoding", "unused bits", stated(`${head}.${payload}.${nextLetter(signature)}`));
  bad("encoding", "fourth piece", stated(`${good.statement}.`));
  bad("encoding", "empty signature piece missing", stated(`${head}.${payload}`));
  bad("invalid", "no signature", stated(`${head}.${payload}.`));
  const name = STATEMENT.sub.replace("acme", "acne");
  const changed = Buffer.from(payload, "base64url").toString().replaceAll(STATEMENT.sub, name);
  bad("invalid", "changed payload", stated(`${head}.${base64url(changed)}.${signature}`));
}

/** The neutral element as key and as the first half of the signature: many platforms accept it for any text. */
function signedBySmallKey(good: Receipt) {
  const neutral = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0));
  const jwk = { crv: "Ed25519", kty: "OKP", x: base64url(neutral) };
  const head = { ...headerOf(ISSUER), jwk, kid: base64url(sha256(canonicalJson(jwk))) };
  const [, payload = ""] = good.statement.split(".");
  const signature = base64url(Buffer.concat([neutral, Buffer.alloc(32)]));
  return { ...good, statement: `${base64url(canonicalJson(head))}.${payload}.${signature}` };
}

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The group's order added to the second half of the signature, which is the same number to some platforms. */
function withLargeNumber(statement: string) {
  const [head, payload, signature = ""] = statement.split(".");
  const octets = Buffer.from(signature, "base64url");
  let number = ORDER;
  for (let at = 63; at >= 32; at -= 1) number += BigInt(octets[at] ?? 0) << BigInt(8 * (at - 32));
  for (let at = 32; at < 64; at += 1) octets[at] = Number((number >> BigInt(8 * (at - 32))) & 255n);
  return `${head}.${payload}.${base64url(octets)}`;
}

/** The next letter of the alphabet at the end: other bits, of which some are unused. */
const nextLetter = (text: string) =>
  text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);

const stating = (change: object, chain: Uint8Array | null = null) =>
  receiptOf(ISSUER, { ...STATEMENT, ...change } as Statement, chain);

function addStatements(add: Add, denial: Uint8Array) {
  const says = (expected: string, name: string, change: object) =>
    add(`statement: ${expected}`, name, stating(change));
  const raw = (name: string, payload: string) =>
    add("statement: not_canonical", name, { ...stating({}), statement: jwsOf(ISSUER, payload) });
  const text = canonicalJson(STATEMENT);
  raw("claim twice", text.replace("{", `{"assurance":"dnssec",`));
  raw("number in another way", text.replace(String(STATEMENT.iat), `${STATEMENT.iat}.0`));
  raw("claims in another order", JSON.stringify(STATEMENT));
  raw("fraction in an unknown claim", canonicalJson({ ...STATEMENT, zeta: 1.5 }));
  raw("number of 16 digits", canonicalJson({ ...STATEMENT, zeta: 1e15 }));
  const good = (name: string, change: object) => add("good", name, stating(change, denial));
  good("unknown claims", { alpha: ["-1.5e9"], zeta: { beta: 999_999_999_999_999 } });
  const rule = "deed-proof/1";
  good("by the rule before", { rule });
  const unanswered = { rule, nameservers: [] };
  says("contradiction", "by the rule before, and no nameserver answered", unanswered);
  good("issuer with a label that IDNA refuses", { iss: "https://xn--a.deed.example" });
  says("member", "claim missing", { scope: undefined });
  says("member", "rule that was withdrawn", { rule: "deed-proof/2" });
  says("member", "rule to come", { rule: "deed-proof/4" });
  says("member", "malformed token", { token: "service_v1_0" });
  says("member", "time too large", { iat: 2 ** 33 });
  says("member", "text that turns the line around", { heldBy: "m\u202e@acme.com" });
  const evidenceSha256 = nextLetter(STATEMENT.evidenceSha256);
  says("member", "unused bits of a hash", { evidenceSha256 });
  says("contradiction", "name of another domain", { sub: "other.test" });
  const sub = "192.0.2.1";
  const ofAddress = { sub, challengeName: `_service-challenge.${sub}` };
  says("contradiction", "address in the place of a name", ofAddress);
  says("contradiction", "succession without a nonce", { nonce: undefined, successions: ["x"] });
  says("contradiction", "better assurance than shown", { assurance: "dnssec" });
  const witnesses = STATEMENT.witnesses.map((one) => ({ ...one, agreed: false }));
  const doubted = { witnesses, assurance: "nameservers" };
  says("contradiction", "witness that disagreed", doubted);
  const nameservers = STATEMENT.nameservers.map((one, at) => ({ ...one, held: at > 0 }));
  says("contradiction", "nameserver without the record", { nameservers });
  says("member", "day that does not exist", { provedAt: "2027-02-30T00:00:00.000Z" });
  says("contradiction", "signed before the proof", { iat: STATEMENT.iat - 1 });
  says("contradiction", "issuer with its default port", { iss: "https://deed.example:443" });
}

/** Proved by signatures alone, those of `chain`, which begin a day before the claim was opened and a minute more. */
function addShut(add: Add, chain: Uint8Array) {
  const says = (expected: string, name: string, change: object, given: Uint8Array | null = chain) =>
    add(expected, name, receiptOf(ISSUER, { ...SHUT, ...change }, given));
  const bad = (name: string, change: object) => says("statement: contradiction", name, change);
  const moment = (seconds: number) => new Date((SHUT.iat + seconds) * 1_000).toISOString();
  const opened = (seconds: number) => ({ claimedAt: moment(seconds) });
  says("good", "by signatures alone", {});
  says("good", "by signatures that begin a day before the claim", opened(0));
  const later = { ...opened(1), iat: SHUT.iat + 1, provedAt: moment(1) };
  says("dnssec: invalid", "by signatures from more than a day before the claim", later);
  says("dnssec: missing", "by signatures alone, without them", {}, null);
  bad("by signatures alone, and a nameserver answered", { nameservers: STATEMENT.nameservers });
  const unsigned = { dnssec: "insecure", assurance: "witnessed" };
  bad("by signatures alone, of an unsigned zone", unsigned);
  bad("by signatures alone, the opening left out", { claimedAt: undefined });
  bad("by signatures alone, opened after the proof", opened(1));
  bad("by nameservers, with an opening", { ...STATEMENT, ...opened(0) });
  says("statement: member", "by signatures alone, an opening that is no time", { claimedAt: "" });
}

type World = Omit<Awaited<ReturnType<typeof makeWorld>>, "anchors">;

async function addTokens(add: Add, denial: Uint8Array, { signed }: World) {
  const bad = wrongIn(add, "token");
  const says = (change: object) => stating(change, denial);
  const holderCommitment = base64url(sha256("another holder"));
  const nonce = base64url(sha256("another nonce"));
  bad("another", "dressed with another holder", says({ holderCommitment }));
  bad("another", "dressed with another nonce", says({ nonce }));
  bad("another", "token of another installation", says({ token: tokenOf(OTHER) }));
  bad("another", "token of another name", says({ token: tokenOf(ISSUER, BINDING, "x.acme.test") }));
  add("good", "not bound", says({ nonce: undefined }));

  const [first, second] = [issuerOf("first key"), issuerOf("second key")];
  const token = tokenOf(first);
  const path = [successionOf(first, second.kid), successionOf(second, ISSUER.kid)];
  const rotated = { token, successions: path };
  add("good", "rotated twice since the claim was opened", says(rotated));
  const secure: Statement = { ...STATEMENT, ...SECURE, ...rotated };
  add("good", "rotated twice, signed zone", receiptOf(ISSUER, secure, await signed(secure)));
  const by = (...successions: string[]) => says({ token, successions });
  bad("another", "successions left out", says({ token }));
  bad("succession", "succession left out", by(...path.slice(0, 1)));
  bad("succession", "successions in another order", by(...path.toReversed()));
  bad("succession", "succession to another key", by(successionOf(first, OTHER.kid)));
  bad("succession", "statement as a succession", by(jwsOf(first, { next: ISSUER.kid })));
  bad("another", "look-alike's succession", by(successionOf(OTHER, ISSUER.kid)));
}

async function addChains(
  add: Add,
  signed: Receipt,
  secure: Statement,
  chain: Uint8Array,
  denial: Uint8Array,
  world: World,
) {
  const bad = wrongIn(add, "dnssec");
  const challengeName = "_service-challenge.other.test";
  const token = tokenOf(ISSUER, BINDING, challengeName);
  const other = { sub: "other.test", challengeName, token };
  const [day, later] = [86_400, 200_000];
  const provedAt = (seconds: number) => new Date((secure.iat + seconds) * 1_000).toISOString();
  const at = (seconds: number) =>
    ofSigned({ iat: secure.iat + seconds, provedAt: provedAt(seconds) });
  const ofSigned = (change: object, given = chain) => stating({ ...secure, ...change }, given);
  const chained = (text: string) => ({ ...signed, dnssec: { chain: text } });
  const base64 = signed.dnssec?.chain ?? "";
  bad("invalid", "chain of another name", ofSigned(other));
  const another = await world.signed(secure, ["another value"]);
  bad("invalid", "chain of another value", ofSigned({}, another));
  bad("invalid", "after the signatures", at(later));
  bad("invalid", "before the signatures", at(-later));
  add("good", "in the last second of the signatures", at(day));
  bad("invalid", "a second after the signatures", at(day + 1));
  const elsewhere = await (await makeWorld()).signed(secure);
  bad("invalid", "chain below another root", ofSigned({}, elsewhere));
  bad("missing", "chain taken out", { ...signed, dnssec: null });
  bad("signed", "signed zone passed off as unsigned", stating({}, chain));
  bad("missing", "signed zone passed off as unsigned, without the chain", stating({}));
  const foreign = await world.unsigned("other.test");
  bad("invalid", "denial of another zone", stating({}, foreign));
  bad("invalid", "denial in the place of the record", ofSigned({}, denial));
  const open = { dnssec: "indeterminate" };
  bad("unexpected", "chain that was not followed", stating(open, denial));
  add("weaker", "not shown whether the zone is signed", stating(open));
  bad("encoding", "chain without padding", chained(base64.replace(/=+$/, "")));
  bad("encoding", "chain in two lines", chained(`${base64.slice(0, 76)}\n${base64.slice(76)}`));
  bad("invalid", "record left over", ofSigned({}, Buffer.concat([chain, chain])));
  bad("invalid", "empty chain", chained(""));
}
