import fc from "fast-check";
import { oddText, otherType } from "./values.ts";
import type { Sent } from "./wire.ts";

export type Draft = {
  method: string;
  /** Escaped, without the query. */
  path: string;
  query: string;
  headers: Record<string, string>;
  cookie: string;
  /** "" for none. */
  authorization: string;
  /** Sent as JSON; undefined for none. */
  json: unknown;
  /** Sent instead of `json`. */
  body: Buffer | null;
  slash: boolean;
};

export type Mutation = (draft: Draft) => Draft;

const with_ = (headers: Record<string, string>): Mutation => {
  return (draft) => ({ ...draft, headers: { ...draft.headers, ...headers } });
};

const BODIES = [
  ...["", " ", "{", '{"domain":', "[]", "null", "true", "7", '"text"', "{'a':1}", '{"a":1}{"b":2}'],
  ...['\ufeff{"domain":"acme.com"}', '{"domain":"acme.com","domain":7}', "domain=acme.com"],
  ...['{"__proto__":{"session":true}}', "[".repeat(5_000), "x".repeat(16 * 1024 + 1)],
  `{"domain":"${"x".repeat(17_000)}"}`,
].map((text) => Buffer.from(text));
const NOT_UTF8 = Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0xff, 0xfe, 0x22, 0x7d]);

const TYPES = [
  ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
  ...["application/jsonx", "application/problem+json", "json", "*/*", ";"],
  ...["APPLICATION/JSON;charset=utf-8", "application/json; charset=utf-16"],
];

const METHODS = "GET HEAD OPTIONS POST PUT PATCH DELETE TRACE PROPFIND PURGE M-SEARCH QUERY".split(
  " ",
);

const HEADERS: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "same-origin" },
  { "idempotency-key": "one" },
  { "x-http-method-override": "DELETE" },
  { "x-forwarded-for": "not an address, 1.2.3.4" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
  { "x-deed-connection": "1" },
  { host: "evil.example:1:2" },
  { accept: "text/html;q=banana" },
  { "if-none-match": "*", "if-modified-since": "never" },
  { range: "bytes=0-1" },
  { "last-event-id": "99999999999999999999" },
  { "content-encoding": "gzip" },
  { authorization: "Bearer x" },
  { "user-agent": "\u00ff".repeat(300) },
  { cookie: `session=${"x".repeat(4_000)}` },
];

const QUERIES = [
  ...["surprise=1", "surprise", "limit=1&limit=2", "limit=0", "limit=101", "limit=1e1", "limit="],
  ...["limit=9007199254740993", "archived=yes", "archived=", "status=open", "cursor=%00"],
  ...["cursor=e30", "cursor[]=a", "name=%zz", "name=%ff%fe", "domainId=", "_data=routes%2Fapi.%24"],
  ...["__proto__=1", "&&&", "=", "%", "index"],
];

const SEGMENTS = [
  ...["", "%", "%zz", "%c3", "%ff%fe", "%00", "%0d%0a", "%2F", "%2f..%2f..", "..", ".", "%2e%2e"],
  ...["%2E", "a%20b", "a\\b", ":id", "{id}", "*", "**", "x;y=1", "x".repeat(4_000)],
];

const segmentAt =
  (place: number, segment: string): Mutation =>
  (draft) => {
    const parts = draft.path.split("/");
    // Keeps the leading "" and "api".
    const at = 2 + (place % Math.max(1, parts.length - 2));
    parts[at] = segment;
    return { ...draft, path: parts.join("/") };
  };

const member =
  (change: (json: Record<string, unknown>, name: string) => Record<string, unknown>) =>
  (draft: Draft): Draft => {
    if (typeof draft.json !== "object" || draft.json === null) return { ...draft, json: {} };
    const json = draft.json as Record<string, unknown>;
    return { ...draft, json: change({ ...json }, Object.keys(json)[0] ?? "surprise") };
  };

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constantFrom(...METHODS).map((method) => (draft: Draft) => ({ ...draft, method })),
  fc
    .tuple(fc.nat({ max: 5 }), fc.constantFrom(...SEGMENTS))
    .map(([place, segment]) => segmentAt(place, segment)),
  fc
    .constantFrom("/extra", "//", "/%", "?", "?a?b", "#fragment")
    .map((tail) => (draft: Draft) => ({ ...draft, path: draft.path + tail })),
  fc.constantFrom(...QUERIES).map((query) => (draft: Draft) => ({
    ...draft,
    query: draft.query ? `${draft.query}&${query}` : query,
  })),
  fc.constantFrom(...BODIES, NOT_UTF8).map((body) => (draft: Draft) => ({ ...draft, body })),
  fc.jsonValue().map((json) => (draft: Draft) => ({ ...draft, json })),
  fc.constantFrom(...TYPES).map((type) => with_({ "content-type": type })),
  fc.constantFrom(...HEADERS).map(with_),
  otherType.map((value) => member((json, name) => ({ ...json, [name]: value }))),
  oddText.map((text) => member((json, name) => ({ ...json, [name]: text }))),
  fc
    .constantFrom("surprise", "id", "__proto__", "constructor", "toString")
    .map((name) => member((json) => Object.fromEntries([...Object.entries(json), [name, 1]]))),
  fc.constant(member((json, name) => ({ ...json, [name]: undefined }))),
);

export function written(draft: Draft): Sent {
  const { method, path, query, headers, cookie, authorization, json, body, slash } = draft;
  const text = json === undefined ? null : Buffer.from(JSON.stringify(json));
  const sent = body ?? text;
  const target = `${path}${slash && !path.endsWith("/") ? "/" : ""}${query ? `?${query}` : ""}`;
  return {
    method,
    target,
    headers: {
      ...(cookie ? { cookie } : {}),
      ...(authorization ? { authorization } : {}),
      ...(sent ? { "content-type": "application/json", "content-length": `${sent.length}` } : {}),
      ...headers,
    },
    body: sent,
  };
}
