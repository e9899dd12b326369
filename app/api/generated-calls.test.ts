import { foundAt } from "@deed/dns/testing/readings.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { cursorAfter } from "#app/core/cursor.ts";
import { ERRORS, type ErrorCode } from "#app/core/errors.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { errorsOf } from "#app/features/docs/error-schemas.server.ts";
import { requestTo, type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import { provideApp } from "#app/http/app.server.ts";
import { SCOPES } from "#db/schema.ts";
import { testDatabase } from "#db/testing.ts";
import { roomy } from "../../tests/support/deed.ts";
import { rowsWritten } from "../../tests/support/ledger.ts";
import { sized } from "../../tests/support/size.ts";
import { dispatch } from "./dispatch.server.ts";
import type { Endpoint } from "./endpoint.server.ts";
import { call, signedIn } from "./testing.ts";

const CALLS = sized(16, 120);
const SEED = 20_260_312;

const ODD_TEXTS = [
  ...["", " ", ".", "..", "null", "-1", "0x7f.1", "192.0.2.1", "[::1]", "*.acme.com", "a..b.test"],
  ...["https://mara@acme.com:8443/path?x#y", "xn--a.example", "a".repeat(253), "x".repeat(5_000)],
  ...["\u0000", "\ufeff", "line\r\nSet-Cookie: session=x", "\u001b[31m\u007f", "\ud800", "%00"],
  ...["\u202eexample.com", "ＡＣＭＥ．ＣＯＭ", "I\u0307.example", "\u{1f600}.example", "../../etc"],
  ...["' or 1=1 --", "<script>", "__proto__", "constructor", "1.0", "2126-02-29T10:00:00+14:00"],
];
const odd = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: "binary", maxLength: 40 }));
const otherType = fc.constantFrom<unknown>(null, true, -1.5, 1e308, [], ["a"], {}, { a: [1] });

/** Values that a field probably accepts, by its name. */
const MEANT: Record<string, unknown[]> = {
  name: ["acme.com", "idle.example", "bücher.example", "com"],
  domain: ["acme.com", "new.example", "com"],
  reference: ["cust-1", "Kund\u00e5 7"],
  email: ["mara@acme.com", "invited@acme.com"],
  scopes: [["domains:read"], ["domains:read", "zones:read"]],
  addresses: [["203.0.113.7", "2001:db8::/32"], ["127.0.0.1/33"]],
  expiresAt: ["2126-03-12T10:00:00Z", "1970-01-01T00:00:00Z"],
  callbackPath: ["/domains", "//evil.example", "javascript:1"],
  url: ["https://hooks.example/deed"],
  events: [["claim.proved"]],
  since: ["2026-03-12T10:00:00Z"],
  status: ["proved", "pending"],
  returnUrl: ["https://shop.example/back", "javascript:1"],
  limit: [1, 100],
  watch: [true, false, { every: "hour" }, "published"],
  kind: ["deed", "slack"],
  seconds: [60],
  type: ["TXT"],
  value: ["verification=abc"],
  ...Object.fromEntries(
    "archived keepWww showAddress enabled holds".split(" ").map((name) => [name, [true, false]]),
  ),
};

/** An account with something of each kind and state, and all ids, by their names in paths. */
async function populate(app: TestApp, email: string) {
  const cookie = await signedIn(app, email);
  const does = async (method: string, path: string, json?: object) =>
    (await call(app, method, `/api/${path}`, { cookie, json })).body as Record<string, string>;
  const claim = async (domain: string) => {
    const { id: domainId } = await does("POST", "domains", { domain });
    return does("POST", "claims", { domainId });
  };
  await does("POST", "domains", { domain: "idle.example" });
  const { slug } = await does("POST", `claims/${(await claim("open.example")).id}/handoff`);
  await does("POST", `claims/${(await claim("canceled.example")).id}/cancel`);
  const proved = await claim("acme.com");
  await does("POST", `verifications/${proved.verificationId}/runs`);
  await does("POST", `claims/${proved.id}/proof_links`);
  const hook = await does("POST", "webhooks", { url: "https://hooks.example/deed" });
  await does("POST", `webhooks/${hook.id}/test`);
  await does("POST", "people", { email: "invited@acme.com" });
  const { key } = await does("POST", "keys", { name: "Everything", scopes: SCOPES });
  const paths = `domains claims notices account/sessions keys webhooks people
    webhooks/${hook.id}/deliveries claims/${proved.id}/proof_links`;
  const texts = paths.split(/\s+/).map((path) => call(app, "GET", `/api/${path}`, { cookie }));
  const text = (await Promise.all(texts)).map((one) => one.text).join();
  const ids = [...new Set(text.match(/\b[a-z]{3}_[0-9a-z]{25,}|(?<="slug":")[^"]+/g))];
  return { cookie, key, ids: [...ids, String(slug), String(proved.id)] };
}

type Holder = Awaited<ReturnType<typeof populate>>;

/** Fields for a schema: each valid, odd or of another type, perhaps with one too many. */
function fieldsOf(schema: z.ZodObject | undefined, { ids }: Holder, isText: boolean) {
  const anyOf = (name: string) => {
    const meant = MEANT[name] ?? idsOf(ids, name);
    return fc.oneof(
      { weight: 18, arbitrary: fc.constantFrom(...meant) },
      { weight: 1, arbitrary: odd },
      { weight: 1, arbitrary: isText ? odd : otherType },
    );
  };
  const names = Object.keys(schema?.shape ?? {});
  const known = fc.record(Object.fromEntries(names.map((one) => [one, anyOf(one)])), {
    requiredKeys: [],
  });
  const more = fc.constantFrom(...Array(20).fill(""), "surprise", "__proto__", "toString");
  return fc
    .tuple(known, more)
    .map(([fields, name]) => (name ? { ...fields, ...JSON.parse(`{"${name}":1}`) } : fields));
}

/** What ids begin with, by the path segment before them or their own name. */
const PREFIX: Record<string, RegExp> = {
  ...{ domains: /^dom_/, claims: /^clm_/, verifications: /^ver_/, notices: /^ntc_/, keys: /^key_/ },
  ...{ sessions: /^ses_/, invitations: /^inv_/, people: /^per_/, webhooks: /^whk_/ },
  ...{ deliveries: /^dlv_/, domainId: /^dom_/, slug: /^\w{20,26}$/, cursor: /^.{30,}=*$/ },
};
const idsOf = (ids: string[], by: string) => {
  const own = ids.filter((id) => PREFIX[by]?.test(id));
  return own.length > 0 ? own : ids;
};
const escaped = (text: unknown) => encodeURIComponent(Buffer.from(String(text)).toString());

/** Empty, "." and ".." would lead to another path. */
const oddSegment = odd.filter((text) => !/^\.{0,2}$/.test(text)).map(escaped);

function callsOf({ method, path, query, body }: Endpoint, mara: Holder, noor: Holder) {
  const segment = (name: string, before: string) => {
    const meant = MEANT[name] ?? idsOf(mara.ids, name === "slug" ? name : before);
    return fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...meant).map(escaped) },
      { weight: 1, arbitrary: fc.constantFrom(...noor.ids) },
      { weight: 1, arbitrary: fc.oneof(oddSegment, fc.constantFrom("%zz", "%c3", "%2F")) },
    );
  };
  const parts = path
    .split("/")
    .map((part, at, all) =>
      part.startsWith(":") ? segment(part.slice(1), all[at - 1] ?? "") : fc.constant(part),
    );
  const raw = fc.constantFrom("{", "[]", "7", '{"a":1}{"b":2}', "[".repeat(5_000));
  const json = fieldsOf(body, mara, false).map((one) => JSON.stringify(one));
  const { cookie, key, ids } = mara;
  const listed = ids.filter((id) => PREFIX[path.split("/").at(-1) ?? ""]?.test(id));
  const cursors = listed.map((id) => cursorAfter({ createdAt: Date.now(), id }));
  return fc.record({
    path: fc.tuple(...parts).map((all) => all.join("/")),
    query: fieldsOf(query, { ...mara, ids: [...ids, ...cursors] }, true).map((fields) =>
      Object.entries(fields).map(([name, value]) => `${name}=${escaped(value)}`),
    ),
    body:
      method === "GET"
        ? fc.constant(undefined)
        : fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: raw }),
    headers: fc.constantFrom<Record<string, string>>(
      ...Array(9).fill({ cookie }),
      ...Array(3).fill({ Authorization: `Bearer ${key}` }),
      {},
      ...[{ cookie: noor.cookie }, { cookie: "session=x" }, { Authorization: "Bearer x" }],
    ),
  });
}

/** What is wrong with an answer, compared with the endpoint's own description. */
function faultsOf(endpoint: Endpoint, status: number, text: string, type: string | null) {
  const content = endpoint.response[status];
  if (content === null || (content && "redirect" in content)) return text === "" ? [] : ["a body"];
  if (content && "stream" in content)
    return type?.startsWith("text/event-stream") ? [] : [`a stream of type ${type}`];
  const json: unknown = JSON.parse(text);
  if (content) {
    const { error } = content.safeParse(json);
    return error ? [z.prettifyError(error)] : [];
  }
  const { error, ...beside } = json as { error: { code: ErrorCode; message: string } };
  const isDescribed = errorsOf(endpoint).includes(error.code) && ERRORS[error.code][0] === status;
  return [
    ...(isDescribed && error.code !== "internal" ? [] : [`${status} ${error.code}`]),
    ...(/\S/.test(error.message) && !/[\p{Cc}\p{Cf}]/u.test(error.message) ? [] : ["message"]),
    ...Object.keys(beside),
  ];
}

/** A service that finds every record, on the database of `image` if given. */
function started(image?: Buffer) {
  const app = testApp({ ...roomy(), SESSION_SECRET: "s".repeat(32) }, testDatabase(image));
  app.reader.readChallenge = async (question) => foundAt(question, app.clock());
  app.reader.readZone = async (zone) => {
    const ttls = { ttl: 3_600, negativeTtl: 300, signed: false };
    return { type: "read", zone, nameservers: ["ns1.acme.com"], ...ttls, at: app.clock() };
  };
  return app;
}

it("answers generated calls of every endpoint as described, never fails, and writes nothing it refuses", async () => {
  const working = new Set<string>();
  const shared = started();
  const mara = await populate(shared, "mara@acme.com");
  const noor = await populate(shared, "noor@b.com");
  const image = shared.db.$client.serialize();
  for (const [at, endpoint] of ENDPOINTS.entries()) {
    // All other endpoints' writes are rolled back. Erasing needs more than a transaction.
    const erases = endpoint.method === "DELETE";
    const app = erases ? started(image) : shared;
    provideApp(app);
    const sql = app.db.$client;
    if (!erases) sql.exec("begin");
    const calls = fc.sample(callsOf(endpoint, mara, noor), { numRuns: CALLS, seed: SEED + at });
    for (const { path, query, body, headers } of calls) {
      const before = rowsWritten(sql);
      const { method } = endpoint;
      const json = body !== undefined && { "Content-Type": "application/json" };
      const fields = {
        method,
        headers: { ...headers, ...json },
        ...(body !== undefined && { body }),
      };
      const request = requestTo(app, `${path}?${query.join("&")}`, fields);
      const response = await dispatch(request);
      const type = response.headers.get("Content-Type");
      const isStream = type?.startsWith("text/event-stream");
      const text = isStream ? "" : await response.text();
      if (isStream) await response.body?.cancel();
      const faults = faultsOf(endpoint, response.status, text, type);
      if (response.status < 400) working.add(`${endpoint.method} ${endpoint.path}`);
      else if (rowsWritten(sql) !== before) faults.push("something was written");
      expect(faults, `${method} ${request.url} ${body}\n${app.logged.at(-1)}\n${text}`).toEqual([]);
    }
    if (!erases) sql.exec("rollback");
  }
  const all = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  const idle = all.filter((one) => !working.has(one));
  // Among these are calls that need identity providers, mailed secrets or test keys.
  expect(idle.length, idle.join()).toBeLessThan(20);
});
