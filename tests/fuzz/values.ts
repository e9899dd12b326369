import fc from "fast-check";
import type { Judge, Schema } from "./description.ts";
import type { Holder, Kind, Population } from "./population.ts";

/** The account whose values a call uses, and the judge that resolves references between schemas. */
export type Asker = { own: Holder; other: Holder; population: Population; judge: Judge };

const MOST_ITEMS = 4;

const COLLECTIONS: Record<string, Kind> = {
  ...{ domains: "dom", claims: "clm", verifications: "ver" },
  ...{ notices: "ntc", sessions: "ses", keys: "key" },
};
const ZEROS = "0".repeat(26);
const unknown = (kind: Kind) =>
  kind === "cursor"
    ? Buffer.from(`1.dom_${ZEROS}`).toString("base64url")
    : (kind === "slug" ? "" : `${kind}_`) + ZEROS;

/** A name of that many characters, in labels of at most 60. */
const nameOf = (length: number) => Array(5).fill("a".repeat(60)).join(".").slice(-length);

const ODD_TEXTS = [
  ...["", " ", ".", "..", "null", "true", "-1", "0x7f.1", "192.0.2.1", "[::1]", "*.acme.com"],
  ...["_service-challenge.acme.com", "https://mara@acme.com:8443/path?x#y", "a..b.example"],
  ...["-a-.example", "xn--a.example", "xn--.example", nameOf(234), nameOf(235), nameOf(253)],
  ...[nameOf(254), "a".repeat(253), "a".repeat(254), "x".repeat(5_000), "\u0000", "\ufeff"],
  ...["a\u0000b.example", "line\r\nSet-Cookie: session=x", "\u001b[31m\u007f", "\ud800"],
  ...["\u202eexample.com", "\u200d\u200c", "ＡＣＭＥ．ＣＯＭ", "ß.example", "I\u0307.example"],
  ...["\u{1f600}.example", "e\u0301".repeat(120), "%00", "%2e%2e%2f", "../../etc/passwd"],
  ...["' or 1=1 --", "<script>alert(1)</script>", "__proto__", "constructor"],
];

/** One of these, each as often as its weight says. */
export const among = <T>(...all: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Text that no real client sends. */
export const oddText = among(
  [4, fc.constantFrom(...ODD_TEXTS)],
  [1, fc.string({ maxLength: 60 })],
  [1, fc.string({ unit: "binary", maxLength: 40 })],
  [1, fc.string({ unit: "grapheme", maxLength: 30 })],
);

const one = (values: string[], fallback: string) =>
  fc.constantFrom(...(values.length > 0 ? values : [fallback]));

const idOf = (kind: Kind, { own, other, population }: Asker) => {
  // Own sessions and keys come from the expendable ones, so that ending one does not disturb other calls.
  const { sessions, keys } = population.expendable;
  const mine = kind === "ses" ? sessions : kind === "key" ? keys : own.holds[kind];
  return among(
    [12, one(mine, unknown(kind))],
    [3, one(other.holds[kind], unknown(kind))],
    [2, fc.constant(unknown(kind))],
    [2, oddText],
  );
};

function kindOf(field: string, path: string): Kind | null {
  if (field === "domainId") return "dom";
  if (field === "slug" || field === "cursor") return field;
  if (field !== "id") return null;
  const before = path.slice(0, path.indexOf("{id}")).split("/").filter(Boolean).at(-1) ?? "";
  return COLLECTIONS[before] ?? null;
}

function textOf(field: string, path: string, asker: Asker): fc.Arbitrary<string> {
  const { names, mailed } = asker.population;
  const meant: Record<string, string[]> = {
    name: names,
    domain: names,
    reference: ["cust-1", "cust-2", "Kund\u00e5 7"],
    email: mailed.emails,
    token: mailed.tokens,
    code: mailed.codes,
    addresses: ["203.0.113.7", "2001:db8::/32", "::ffff:1.2.3.4", "127.0.0.1/33"],
    expiresAt: ["2126-03-12T10:00:00Z", "2126-02-29T10:00:00+14:00", "1970-01-01T00:00:00Z"],
    callbackPath: ["/domains", "/claims/x?y=1", "//evil.example", "javascript:1"],
  };
  const kind = kindOf(field, path);
  if (kind) return idOf(kind, asker);
  const known = Object.hasOwn(meant, field) ? meant[field] : undefined;
  return known?.length ? among([4, one(known, "")], [1, oddText]) : oddText;
}

/** A value the schema allows or, for text, one it may allow: the field's name suggests the content. */
export function anyValue(
  described: Schema,
  field: string,
  path: string,
  asker: Asker,
): fc.Arbitrary<unknown> {
  const schema = asker.judge.resolve(described);
  if (schema.anyOf)
    return fc.oneof(...schema.anyOf.map((part) => anyValue(part, field, path, asker)));
  if (schema.type === "null") return fc.constant(null);
  if (schema.type === "array")
    return fc.array(anyValue(schema.items ?? {}, field, path, asker), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS),
    });
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const bound = { min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 };
  if (schema.type === "integer") return fc.integer(bound);
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "string") return textOf(field, path, asker);
  if (schema.type !== "object") throw new Error(`no value for ${field}: ${JSON.stringify(schema)}`);
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, anyValue(member, name, path, asker)] as const,
  );
  return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] });
}

export const otherType = fc.constantFrom<unknown>(
  ...[null, true, 0, -1.5, 1e308, "", [], ["a"], {}, { a: { b: [1] } }],
);
