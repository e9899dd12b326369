import { canonicalJson, type Receipt, type Statement } from "../statement.ts";
import {
  base64url,
  chainOf,
  headerOf,
  type Issuer,
  issuerOf,
  jwsOf,
  receiptOf,
  SECURE,
  SHUT,
  STATEMENT,
  TOKEN,
} from "./issuer.ts";

/** A file and the code of its verdict: "good", or "part: code" of the first part that is wrong. */
export type Case = { name: string; file: string; expected: string };

const ISSUER = issuerOf("deed.example");
const OTHER = issuerOf("look-alike.example");

/** Receipts, good ones and every kind of forgery, all checked with the key and the anchor of the good ones. */
export async function makeCases() {
  const secure: Statement = { ...STATEMENT, ...SECURE };
  const { chain, anchors } = await chainOf(secure);
  const good = receiptOf(ISSUER, STATEMENT);
  const signed = receiptOf(ISSUER, secure, chain);
  const anchor = anchors[0];
  if (!anchor) throw new Error("no anchor");
  const line = `${anchor.keyTag} ${anchor.algorithm} ${anchor.digestType} ${Buffer.from(anchor.digest).toString("hex")}`;
  const cases: Case[] = [];
  const add = (expected: string, name: string, receipt: object | string) =>
    cases.push({
      name,
      file: typeof receipt === "string" ? receipt : JSON.stringify(receipt),
      expected,
    });

  add("good", "unsigned zone", good);
  add("good", "signed zone", signed);
  await addFiles(add, good);
  addSignatures(add, good);
  addStatements(add);
  await addChains(add, signed, secure, chain);
  addShut(add, chain);
  return { key: ISSUER.jwk, kid: ISSUER.kid, anchor: `. IN DS ${line}`, cases };
}

type Add = (expected: string, name: string, receipt: object | string) => void;
/** Adds what a part of the verdict is wrong for. */
const wrongIn =
  (add: Add, part: string): Add =>
  (code, name, receipt) =>
    add(`${part}: ${code}`, name, receipt);

async function addFiles(add: Add, good: Receipt) {
  const bad = wrongIn(add, "file");
  const text = JSON.stringify(good);
  bad("member", "unknown format", { ...good, format: "deed-receipt/2" });
  bad("member", "further member", { ...good, note: "" });
  bad("member", "missing member", { ...good, log: undefined });
  bad("member", "unknown log", { ...good, log: "" });
  bad("member", "not an object", "[]");
  bad("not_canonical", "statement twice", text.replace("{", `{"statement":"",`));
  bad("not_canonical", "escape that nobody needs", text.replace("deed-rec", "\\u0064eed-rec"));
  bad("not_canonical", "number with a fraction", text.replace(`"dnssec":null`, `"dnssec":1.0`));
  bad("not_json", "byte order mark", `\ufeff${text}`);
  bad("not_json", "text after the end", `${text}}`);
  bad("not_json", "too deep", `${"[".repeat(30_000)}${"]".repeat(30_000)}`);
  bad("too_large", "too large", `${text}${" ".repeat(64 * 1024)}`);
  bad("member", "huge number", text.replace(`"dnssec":null`, `"dnssec":123456789012345680000`));
}

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
  bad(
    "member",
    "alg none",
    stated(`${base64url(canonicalJson({ ...header, alg: "none" }))}.${payload}.`),
  );
  bad("member", "alg HS256", signedBy({ ...header, alg: "HS256" }));
  bad("member", "further member in the header", signedBy({ ...header, crit: [] }));
  bad("member", "other type", signedBy({ ...header, typ: "deed-key+jwt" }));
  bad("not_canonical", "space in the header", signedBy(JSON.stringify(header).replace(",", ", ")));
  bad("encoding", "padding", stated(`${head}.${payload}.${signature}==`));
  bad("encoding", "unused bits", stated(`${head}.${payload}.${nextLetter(signature)}`));
  bad("encoding", "fourth piece", stated(`${good.statement}.`));
  bad("encoding", "empty signature piece missing", stated(`${head}.${payload}`));
  bad("invalid", "no signature", stated(`${head}.${payload}.`));
  const name = STATEMENT.sub.replace("acme", "acne");
  const changed = Buffer.from(payload, "base64url").toString().replaceAll(STATEMENT.sub, name);
  bad("invalid", "changed payload", stated(`${head}.${base64url(changed)}.${signature}`));
}

/** The next letter of the alphabet at the end: other bits, of which some are unused. */
const nextLetter = (text: string) =>
  text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);

function addStatements(add: Add) {
  const says = (expected: string, name: string, change: object) =>
    add(
      `statement: ${expected}`,
      name,
      receiptOf(ISSUER, { ...STATEMENT, ...change } as Statement),
    );
  const raw = (name: string, payload: string) =>
    add("statement: not_canonical", name, {
      ...receiptOf(ISSUER, STATEMENT),
      statement: jwsOf(ISSUER, payload),
    });
  const text = canonicalJson(STATEMENT);
  raw("claim twice", text.replace("{", `{"assurance":"dnssec",`));
  raw("number in another way", text.replace(String(STATEMENT.iat), `${STATEMENT.iat}.0`));
  add("statement: member", "claims in another order", {
    ...receiptOf(ISSUER, STATEMENT),
    statement: jwsOf(ISSUER, JSON.stringify(STATEMENT)),
  });
  says("member", "unknown claim", { aud: "x" });
  says("member", "claim missing", { scope: undefined });
  says("member", "unknown rule", { rule: "deed-proof/2" });
  says("member", "malformed token", { token: "service_v1_0" });
  says("member", "time too large", { iat: 2 ** 53 });
  says("member", "text that turns the line around", { heldBy: "m\u202e@acme.com" });
  says("contradiction", "name of another domain", { sub: "other.test" });
  says("contradiction", "better assurance than shown", { assurance: "dnssec" });
  says("contradiction", "witness that disagreed", {
    witnesses: STATEMENT.witnesses.map((one) => ({ ...one, agreed: false })),
    assurance: "nameservers",
  });
  says("contradiction", "nameserver without the record", {
    nameservers: STATEMENT.nameservers.map((one, at) => ({ ...one, held: at > 0 })),
  });
  says("contradiction", "day that does not exist", { provedAt: "2027-02-30T00:00:00.000Z" });
  says("contradiction", "signed before the proof", { iat: STATEMENT.iat - 1 });
  says("contradiction", "issuer with its default port", { iss: "https://deed.example:443" });
}

/** Proved by signatures alone, those of `chain`, which begin a day before the claim was opened and a minute more. */
function addShut(add: Add, chain: Uint8Array) {
  const says = (expected: string, name: string, change: object, given: Uint8Array | null = chain) =>
    add(expected, name, receiptOf(ISSUER, { ...SHUT, ...change }, given));
  const bad = (name: string, change: object) => says("statement: contradiction", name, change);
  const opened = (seconds: number) => ({
    claimedAt: new Date((SHUT.iat + seconds) * 1_000).toISOString(),
  });
  says("good", "by signatures alone", {});
  says("good", "by signatures that begin a day before the claim", opened(0));
  says("dnssec: invalid", "by signatures from more than a day before the claim", {
    ...opened(1),
    iat: SHUT.iat + 1,
    provedAt: new Date((SHUT.iat + 1) * 1_000).toISOString(),
  });
  says("dnssec: missing", "by signatures alone, without them", {}, null);
  bad("by signatures alone, and a nameserver answered", { nameservers: STATEMENT.nameservers });
  bad("by signatures alone, of an unsigned zone", {
    dnssec: "insecure",
    assurance: "witnessed",
  });
  bad("by signatures alone, the opening left out", { claimedAt: undefined });
  bad("by signatures alone, opened after the proof", opened(1));
  bad("by nameservers, with an opening", { ...STATEMENT, ...opened(0) });
  says("statement: member", "by signatures alone, an opening that is no time", { claimedAt: "" });
}

async function addChains(add: Add, signed: Receipt, secure: Statement, chain: Uint8Array) {
  const bad = wrongIn(add, "dnssec");
  const other: Statement = {
    ...secure,
    sub: "other.test",
    challengeName: "_service-challenge.other.test",
  };
  const token = TOKEN.replace("0", "f");
  const [day, later] = [86_400, 200_000];
  const at = (seconds: number): Statement => ({
    ...secure,
    iat: secure.iat + seconds,
    provedAt: new Date((secure.iat + seconds) * 1_000).toISOString(),
  });
  const chained = (text: string) => ({ ...signed, dnssec: { chain: text } });
  const base64 = signed.dnssec?.chain ?? "";
  bad("invalid", "chain of another name", receiptOf(ISSUER, other, chain));
  bad("invalid", "chain of another token", receiptOf(ISSUER, { ...secure, token }, chain));
  bad("invalid", "after the signatures", receiptOf(ISSUER, at(later), chain));
  bad("invalid", "before the signatures", receiptOf(ISSUER, at(-later), chain));
  add("good", "in the last second of the signatures", receiptOf(ISSUER, at(day), chain));
  bad("invalid", "a second after the signatures", receiptOf(ISSUER, at(day + 1), chain));
  bad(
    "invalid",
    "chain below another root",
    receiptOf(ISSUER, secure, (await chainOf(secure)).chain),
  );
  bad("missing", "chain taken out", { ...signed, dnssec: null });
  bad("unexpected", "chain with an unsigned zone", receiptOf(ISSUER, STATEMENT, chain));
  bad("encoding", "chain without padding", chained(base64.replace(/=+$/, "")));
  bad("encoding", "chain in two lines", chained(`${base64.slice(0, 76)}\n${base64.slice(76)}`));
  bad("invalid", "record left over", receiptOf(ISSUER, secure, Buffer.concat([chain, chain])));
  bad("invalid", "empty chain", chained(""));
}
