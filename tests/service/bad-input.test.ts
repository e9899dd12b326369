import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Endpoint } from "#app/api/endpoint.server.ts";
import type { ErrorCode } from "#app/core/errors.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { expectError, targetService } from "../contract/kit.ts";
import type { Answer, Client } from "../support/client.ts";
import { Ledger } from "../support/ledger.ts";
import { OwnResources } from "./own-resources.ts";

/**
 * Checks what every endpoint in the table must refuse. Each call would otherwise succeed: it uses the caller's own
 * resources and a valid body. Afterwards the database must be unchanged. Cases that need no resource (no session,
 * unknown paths, parameters and fields) are in tests/contract.
 */

const target = targetService();
const UNKNOWN = "unknown";
const LONG = 253;

const named = ENDPOINTS.map((endpoint) => ({
  name: `${endpoint.method} ${endpoint.path}`,
  endpoint,
}));
const guarded = named.filter(({ endpoint }) => endpoint.session === true);
const writes = named.filter(({ endpoint }) => endpoint.method !== "GET");
const identified = guarded.filter(({ endpoint }) => endpoint.params);
const parametric = named.filter(({ endpoint }) => endpoint.params);
const withBody = named.filter(({ endpoint }) => endpoint.body);
const withQuery = named.filter(
  ({ endpoint }) => Object.keys(endpoint.query?.shape ?? {}).length > 0,
);

let mara: Client;
let noor: Client;
let ledger: Ledger;
let own: OwnResources;

beforeAll(async () => {
  mara = await target().signIn("mara@holder.example");
  own = await OwnResources.of(target(), mara);
  noor = await target().signIn("noor@holder.example");
  ledger = new Ledger(target().own.service);
});
afterAll(() => ledger.close());

const pathTo = (endpoint: Endpoint, others = {}) => own.pathTo(endpoint, others);
const bodyOf = ({ endpoint }: (typeof named)[number]) => own.bodyOf(endpoint);

/** Runs calls that must all be refused, and checks that none of them wrote anything. */
async function writingNothing(calls: () => Promise<void>): Promise<void> {
  const before = ledger.read();
  await calls();
  expect(ledger.read()).toBe(before);
}

const headersOf = ({ headers }: Answer) =>
  [...headers].filter(([name]) => name !== "date" && name !== "connection");
const same = (a: Answer, b: Answer) =>
  expect([a.status, a.text, headersOf(a)]).toEqual([b.status, b.text, headersOf(b)]);

describe("without a valid session", () => {
  it.each(guarded)("$name", async (one) => {
    const json = bodyOf(one);
    const former = await target().signIn("former@holder.example");
    const ended = former.cookie;
    await former.post("/api/auth/sign-out");
    await writingNothing(async () => {
      for (const cookie of [ended, `session=${"A".repeat(43)}`, "session=", `${mara.cookie}A`]) {
        const stranger = target().stranger();
        const options = json === undefined ? {} : { json };
        const answer = await stranger.request(one.endpoint.method, pathTo(one.endpoint), {
          ...options,
          headers: { cookie },
        });
        expectError(answer, "unauthenticated");
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    });
  });
});

describe("somebody else's id is answered byte for byte like an unknown one", () => {
  it.each(identified)("$name", async ({ endpoint }) => {
    await writingNothing(async () => {
      const unknown = pathTo(endpoint, { id: UNKNOWN, slug: UNKNOWN });
      const missing = await noor.request(endpoint.method, unknown);
      expect(missing.status).toBe(404);
      expectError(missing, (missing.body as { error: { code: ErrorCode } }).error.code);
      expect(missing.text).not.toContain(UNKNOWN);
      const odd = ["%00", "%0A", "..%2F..", "%E2%80%AE", "a".repeat(254), "__proto__"];
      for (const path of [
        pathTo(endpoint),
        `${pathTo(endpoint)}/`,
        ...odd.map((id) => pathTo(endpoint, { id })),
      ])
        same(await noor.request(endpoint.method, path), missing);
    });
  });

  it("and so is a domainId in a body or a query", async () => {
    const domainId = String(own.bodies["POST /api/claims"]?.domainId);
    await writingNothing(async () => {
      const opened = await noor.post("/api/claims", { domainId });
      expectError(opened, "domain_not_found");
      same(opened, await noor.post("/api/claims", { domainId: UNKNOWN }));
      const listed = await noor.get(`/api/claims?domainId=${domainId}`);
      expectError(listed, "domain_not_found");
      same(listed, await noor.get(`/api/claims?domainId=${UNKNOWN}`));
    });
  });

  it("and so is somebody else's link on one's own claim", async () => {
    const proved = await target().prove(noor, "hooli.com");
    await writingNothing(async () => {
      const path = (link: string) => `/api/claims/${proved.id}/proof_links/${link}/revoke`;
      const foreign = await noor.post(path(own.slug));
      expectError(foreign, "proof_link_not_found");
      same(foreign, await noor.post(path(UNKNOWN)));
    });
    expect((await target().stranger().get(`/api/proofs/${own.slug}`)).status).toBe(200);
  });
});

describe("a method that the path does not have", () => {
  it.each(named)("$name", async ({ endpoint }) => {
    const taken = ENDPOINTS.filter(({ path }) => path === endpoint.path).map(
      ({ method }) => method,
    );
    const allow = [...taken, "OPTIONS", ...(taken.includes("GET") ? ["HEAD"] : [])].sort();
    await writingNothing(async () => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
        if (taken.includes(method)) continue;
        const answer = await mara.request(method, pathTo(endpoint), { json: {} });
        expectError(answer, "method_not_allowed");
        expect(answer.headers.get("allow")).toBe(allow.join(", "));
      }
    });
  });
});

describe("an unreadable body, on a call that would succeed", () => {
  it.each(writes)("$name", async (one) => {
    const json = JSON.stringify(bodyOf(one) ?? {});
    const send = (body: string, type: string) =>
      mara.request(one.endpoint.method, pathTo(one.endpoint), {
        body,
        headers: { "content-type": type },
      });
    await writingNothing(async () => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
        expectError(await send(json, type), "unsupported_media_type");
      for (const broken of [json.slice(0, -1), `${json}x`, "[]", "null"])
        expectError(await send(broken, "application/json"), "invalid_request");
      for (const size of [16 * 1024 + 1, 1024 * 1024])
        expectError(await send(json.padEnd(size), "application/json"), "payload_too_large");
    });
  });
});

describe("a write from another site", () => {
  const provenances: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://localhost:1" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  it.each(writes)("$name", async (one) => {
    const json = bodyOf(one);
    await writingNothing(async () => {
      for (const headers of provenances) {
        const answer = await mara.request(one.endpoint.method, pathTo(one.endpoint), {
          ...(json === undefined ? {} : { json }),
          headers,
        });
        expectError(answer, "cross_origin");
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    });
  });
});

describe("fields that are missing, too many or of the wrong type", () => {
  it.each(withBody)("$name", async (one) => {
    const { endpoint } = one;
    const whole = bodyOf(one) ?? {};
    const taken = (json: unknown) => endpoint.body?.safeParse(json).success;
    const refused = async (json: unknown, field: string) => {
      const answer = await mara.request(endpoint.method, pathTo(endpoint), { json });
      expectError(answer, "invalid_request");
      expect(answer.text).toContain(field);
    };
    await writingNothing(async () => {
      for (const field of Object.keys(endpoint.body?.shape ?? {})) {
        for (const value of [null, 7, true, [], ["a"], {}, { a: 1 }])
          if (!taken({ ...whole, [field]: value }))
            await refused({ ...whole, [field]: value }, field);
        const { [field]: _, ...rest } = whole;
        if (!taken(rest)) await refused(rest, field);
      }
      for (const extra of ["surprise", "id", "__proto__", "constructor"])
        await refused(Object.fromEntries([...Object.entries(whole), [extra, 1]]), extra);
    });
  });

  /** Invalid values of each query parameter. */
  const BAD_QUERY: Record<string, string[]> = {
    limit: ["0", "101", "-1", "1.5", "1e1", "x", "", "%00"],
    archived: ["yes", "1", "TRUE", ""],
    status: ["open", "PROVED", ""],
    cursor: ["", "nonsense", "%zz", "%00", "a".repeat(254)],
    domainId: [""],
    name: ["", "%20", "%zz", "a..b", "192.0.2.1", "a".repeat(64), `${"a.".repeat(127)}a`],
    q: ["", "a".repeat(254)],
    keepWww: ["yes", "1", ""],
    reference: ["", "%20", "a%20", "a%0Ab", "a%E2%80%AEb", "a".repeat(201), "%00"],
    callbackPath: [],
  };
  it.each(withQuery)("$name", async ({ endpoint }) => {
    await writingNothing(async () => {
      for (const field of Object.keys(endpoint.query?.shape ?? {})) {
        const ask = (query: string) =>
          mara.request(endpoint.method, `${pathTo(endpoint)}?${query}`);
        expectError(await ask(`${field}=1&${field}=1`), "invalid_request");
        for (const value of BAD_QUERY[field] ?? [`no bad values are known of ${field}`])
          expectError(
            await ask(`${field}=${value}`),
            field === "name" ? "invalid_domain" : "invalid_request",
          );
      }
    });
  });
});

describe("253 and 254 characters", () => {
  const label = "a".repeat(60);
  const nameOf = (length: number) =>
    `${label}.${label}.${label}.${"a".repeat(length - 3 * 61 - 8)}.example`;

  it("accepts a name of 253 and refuses one of 254", async () => {
    expect([nameOf(LONG).length, nameOf(LONG + 1).length]).toEqual([253, 254]);
    const stranger = target().stranger();
    expectError(await stranger.get(`/api/zones/${nameOf(LONG)}`), "no_delegation");
    expectError(await stranger.get(`/api/zones/${nameOf(LONG + 1)}`), "invalid_domain");
    expect((await mara.get(`/api/domains?name=${nameOf(LONG)}`)).status).toBe(200);
    expectError(await mara.get(`/api/domains?name=${nameOf(LONG + 1)}`), "invalid_domain");
    await writingNothing(async () => {
      for (const length of [LONG, LONG + 1])
        expectError(await mara.post("/api/domains", { domain: nameOf(length) }), "invalid_domain");
    });
  });

  it.each(withBody)("$name", async (one) => {
    const { endpoint } = one;
    const whole = bodyOf(one) ?? {};
    await writingNothing(async () => {
      for (const field of Object.keys(whole).filter((name) => typeof whole[name] === "string")) {
        for (const length of [LONG, LONG + 1, 8_000]) {
          const json = { ...whole, [field]: "a".repeat(length) };
          const answer = await mara.request(endpoint.method, pathTo(endpoint), { json });
          expect(answer.status).toBeGreaterThanOrEqual(400);
          expectError(answer, (answer.body as { error: { code: ErrorCode } }).error.code);
          expect(answer.status).toBeLessThan(500);
        }
      }
    });
  });
});

describe("a broken percent-escape", () => {
  it.each(parametric)("$name", async ({ endpoint }) => {
    await writingNothing(async () => {
      for (const param of Object.keys(endpoint.params?.shape ?? {}))
        for (const broken of ["%", "%zz", "%c3", "%ff%fe", "a%2"])
          for (const slash of ["", "/"])
            expectError(
              await mara.request(endpoint.method, pathTo(endpoint, { [param]: broken }) + slash),
              param === "name" ? "invalid_domain" : "invalid_request",
            );
    });
  });
});

it("what was refused above succeeds when asked properly, and changes the database", async () => {
  expect((await mara.get("/api/account")).body).toMatchObject({ mailEnabled: true });
  const { sessions } = (await mara.get("/api/account/sessions")).body as { sessions: unknown[] };
  expect(sessions).toHaveLength(2);
  const before = ledger.read();
  await mara.request("PATCH", "/api/account", { json: { mailEnabled: false } });
  expect(ledger.read()).not.toBe(before);
  const token = own.bodies["POST /api/auth/magic-link/verify"];
  expect((await target().stranger().post("/api/auth/magic-link/verify", token)).status).toBe(200);
});
