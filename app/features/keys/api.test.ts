import { describe, expect, it } from "vitest";
import { type Asked, call, errorAnswer, signedIn } from "#app/api/testing.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { pathTemplate } from "#app/features/docs/openapi.server.ts";
import { type TestApp, testApp } from "#app/features/sign-in/testing.ts";

/** Which scope opens which route, written out: no rule of the product decides what this test expects. */
const SCOPE_OF: Record<string, string> = {
  "GET /api/zones/{name}": "zones:read",
  "GET /api/domains": "domains:read",
  "GET /api/domains/{id}": "domains:read",
  "GET /api/claims": "domains:read",
  "GET /api/claims/{id}": "domains:read",
  "GET /api/claims/{id}/proof_links": "domains:read",
  "GET /api/claims/{id}/receipt": "domains:read",
  "GET /api/claims/{id}/opening": "domains:read",
  "GET /api/claims/{id}/evidence": "domains:read",
  "GET /api/verifications/{id}": "domains:read",
  "GET /api/verifications/{id}/attempts": "domains:read",
  "GET /api/notices": "domains:read",
  "GET /api/events": "domains:read",
  "POST /api/domains": "domains:write",
  "POST /api/domains/{id}/archive": "domains:write",
  "POST /api/domains/{id}/unarchive": "domains:write",
  "DELETE /api/domains/{id}": "domains:write",
  "POST /api/claims": "domains:write",
  "POST /api/claims/{id}/cancel": "domains:write",
  "POST /api/claims/{id}/handoff": "domains:write",
  "POST /api/claims/{id}/handoff/revoke": "domains:write",
  "POST /api/claims/{id}/proof_links": "domains:write",
  "POST /api/claims/{id}/proof_links/{slug}/revoke": "domains:write",
  "POST /api/verifications/{id}/runs": "domains:write",
  "POST /api/notices/{id}/read": "domains:write",
  "GET /api/handoffs/{slug}": "ignored",
  "GET /api/proofs/{slug}": "ignored",
  "GET /api/proofs/{slug}/receipt": "ignored",
  "GET /api/auth/oidc": "ignored",
  "GET /api/auth/oidc/callback": "ignored",
  "GET /api/health": "ignored",
  "GET /api/health/live": "ignored",
  "GET /api/health/ready": "ignored",
  "GET /api/openapi.json": "ignored",
  "GET /api/auth/session": "never",
  "POST /api/auth/magic-link": "never",
  "POST /api/auth/magic-link/verify": "never",
  "POST /api/auth/sign-out": "never",
  "POST /api/auth/sign-out-everywhere": "never",
  "POST /api/auth/invitations/accept": "never",
  "POST /api/auth/invitations/decline": "never",
  "GET /api/account": "never",
  "PATCH /api/account": "never",
  "DELETE /api/account": "never",
  "GET /api/account/sessions": "never",
  "DELETE /api/account/sessions/{id}": "never",
  "GET /api/people": "never",
  "POST /api/people": "never",
  "DELETE /api/people/{id}": "never",
  "DELETE /api/invitations/{id}": "never",
  "GET /api/keys": "never",
  "POST /api/keys": "never",
  "POST /api/keys/{id}/rotate": "never",
  "DELETE /api/keys/{id}": "never",
  "PUT /api/claims/{id}/watch": "domains:write",
  "GET /api/claims/{id}/watch": "domains:read",
  "DELETE /api/claims/{id}/watch": "domains:write",
  "GET /api/proofs/{slug}/watch": "ignored",
  "GET /api/webhooks": "never",
  "POST /api/webhooks": "never",
  "GET /api/webhooks/{id}": "never",
  "PATCH /api/webhooks/{id}": "never",
  "DELETE /api/webhooks/{id}": "never",
  "POST /api/webhooks/{id}/rotate": "never",
  "POST /api/webhooks/{id}/test": "never",
  "GET /api/webhooks/{id}/deliveries": "never",
  "GET /api/webhooks/{id}/deliveries/{delivery}": "never",
  "POST /api/webhooks/{id}/deliveries/{delivery}/resend": "never",
};
const SCOPES = ["zones:read", "domains:read", "domains:write"];
/** Every choice of at least one scope. */
const CHOICES = [1, 2, 3, 4, 5, 6, 7].map((bits) => SCOPES.filter((_, at) => bits & (1 << at)));
const ROOMY = {
  RATE_LIMIT_KEY: "1000000/1",
  RATE_LIMIT_API: "1000000/1",
  // Otherwise read from its file at each call.
  SESSION_SECRET: "s".repeat(32),
};
const DAY = 86_400_000;

type Made = { id: string; key: string };
type Fields = { scopes: string[]; expiresAt?: string; addresses?: string[] };

const make = async (app: TestApp, cookie: string, fields: Fields): Promise<Made> => {
  const { status, body } = await call(app, "POST", "/api/keys", {
    cookie,
    json: { name: "CI", ...fields },
  });
  expect(status).toBe(201);
  return body as Made;
};
const rotate = async (app: TestApp, cookie: string, { id }: Made): Promise<Made> =>
  (await call(app, "POST", `/api/keys/${id}/rotate`, { cookie })).body as Made;
const byKey = (key: string, asked: Asked = {}): Asked => ({
  ...asked,
  headers: { ...asked.headers, Authorization: `Bearer ${key}` },
});
const iso = (ms: number) => new Date(ms).toISOString();

/** What a key of those scopes is like, in each state: what to send, and whether it is a key still. */
async function states(app: TestApp, cookie: string, scopes: string[]) {
  const [valid, twin, revoked, expiring, elsewhere] = await Promise.all([
    make(app, cookie, { scopes }),
    make(app, cookie, { scopes }),
    make(app, cookie, { scopes }),
    make(app, cookie, { scopes, expiresAt: iso(app.clock() + DAY) }),
    make(app, cookie, { scopes, addresses: ["203.0.113.0/24"] }),
  ]);
  const late = await make(app, cookie, { scopes });
  const lateNext = await rotate(app, cookie, late);
  app.pass(DAY);
  const twinNext = await rotate(app, cookie, twin);
  const long = await make(app, cookie, { scopes });
  const again = await rotate(app, cookie, await rotate(app, cookie, long));
  await call(app, "DELETE", `/api/keys/${revoked.id}`, { cookie });
  const last = valid.key.slice(-1);
  const secretOf = ({ key }: Made) => key.slice(key.lastIndexOf("_"));
  return [
    { state: "valid", key: valid.key, isKey: true },
    { state: "rotated: new", key: twinNext.key, isKey: true },
    { state: "rotated: old, within 24 h", key: twin.key, isKey: true },
    { state: "rotated: old, after 24 h", key: late.key, isKey: false },
    { state: "rotated: new, after 24 h", key: lateNext.key, isKey: true },
    { state: "rotated twice: oldest", key: long.key, isKey: false },
    { state: "rotated twice: newest", key: again.key, isKey: true },
    { state: "revoked", key: revoked.key, isKey: false },
    { state: "expired", key: expiring.key, isKey: false },
    { state: "from elsewhere", key: elsewhere.key, isKey: false },
    {
      state: "unknown id",
      key: valid.key.replace(valid.id, `key_${"0".repeat(25)}`),
      isKey: false,
    },
    {
      state: "another key's secret",
      key: `deed_${valid.id}${secretOf(twinNext)}`,
      isKey: false,
    },
    {
      state: "mistyped",
      key: valid.key.slice(0, -1) + (last === "0" ? "1" : "0"),
      isKey: false,
    },
    { state: "cut short", key: valid.key.slice(0, -7), isKey: false },
    { state: "not a key", key: "secret", isKey: false },
    { state: "empty", key: "", isKey: false },
  ];
}

type Tally = { tried: number; letIn: number; wronglyIn: string[]; wronglyOut: string[] };

const routes = ENDPOINTS.map(({ method, path, session }) => ({
  name: `${method} ${pathTemplate(path)}`,
  // The stream would not end.
  method: path === "/api/events" ? "HEAD" : method,
  path: path.replace(":name", "acme.com").replace(/:\w+/g, "nothing"),
  session,
}));

const outcomeOf = ({ status, body }: { status: number; body: unknown }) =>
  (body as { error?: { code: string } } | null)?.error?.code ?? String(status);
const REFUSALS = ["unauthenticated", "invalid_api_key", "insufficient_scope", "cross_origin"];

describe("every route × every choice of scopes × every state of a key", () => {
  it("lists the routes of the table", () => {
    expect(Object.keys(SCOPE_OF).sort()).toEqual(routes.map(({ name }) => name).sort());
  });

  // C25.1, C25.3, C25.4, C25.10
  it("lets in whom it should, and nobody else", async () => {
    const tallies = new Map<string, Tally>();
    const count = (state: string, what: string, outcome: string, expected: string | null) => {
      const tally = tallies.get(state) ?? { tried: 0, letIn: 0, wronglyIn: [], wronglyOut: [] };
      tallies.set(state, tally);
      const isIn = !REFUSALS.includes(outcome) && outcome !== "403" && outcome !== "401";
      tally.tried += 1;
      tally.letIn += isIn ? 1 : 0;
      if (expected === null && !isIn) tally.wronglyOut.push(`${what}: ${outcome}`);
      if (expected !== null && (isIn || (expected !== outcome && !/^4/.test(outcome))))
        tally.wronglyIn.push(`${what}: ${outcome}, not ${expected}`);
    };
    for (const scopes of CHOICES) {
      const app = testApp(ROOMY);
      const cookie = await signedIn(app);
      for (const { state, key, isKey } of await states(app, cookie, scopes))
        for (const { name, method, path } of routes) {
          const scope = SCOPE_OF[name] ?? "";
          const expected =
            scope === "ignored"
              ? null
              : !isKey
                ? "invalid_api_key"
                : scopes.includes(scope)
                  ? null
                  : "insufficient_scope";
          const answer = await call(app, method, path, byKey(key));
          count(state, `${name} with ${scopes}`, outcomeOf(answer), expected);
        }
    }
    const app = testApp(ROOMY);
    for (const { name, method, path, session } of routes) {
      const expected = session === true ? "unauthenticated" : null;
      count("missing", name, outcomeOf(await call(app, method, path)), expected);
    }
    const rows = [...tallies].map(([state, { tried, letIn, wronglyIn, wronglyOut }]) => ({
      "the key is": state,
      calls: tried,
      "let in": letIn,
      refused: tried - letIn,
      "wrongly let in": wronglyIn.length,
      "wrongly refused": wronglyOut.length,
    }));
    console.table(rows);
    const wrong = [...tallies.values()].flatMap(({ wronglyIn, wronglyOut }) => [
      ...wronglyIn,
      ...wronglyOut,
    ]);
    expect(wrong).toEqual([]);
    expect(rows.length).toBe(17);
  }, 300_000);

  // C12.9
  it("answers a key of another account as if the resources did not exist", async () => {
    const app = testApp(ROOMY);
    const [mara, noor] = [await signedIn(app), await signedIn(app, "noor@hooli.com")];
    const { key } = await make(app, noor, { scopes: SCOPES });
    const domain = (
      await call(app, "POST", "/api/domains", { cookie: mara, json: { domain: "acme.com" } })
    ).body as { id: string };
    const claim = (
      await call(app, "POST", "/api/claims", { cookie: mara, json: { domainId: domain.id } })
    ).body as { id: string; verificationId: string };
    const ids: Record<string, string> = {
      domains: domain.id,
      claims: claim.id,
      verifications: claim.verificationId,
    };
    let tried = 0;
    for (const { method, path } of ENDPOINTS) {
      const id = ids[path.split("/")[2] ?? ""];
      if (!path.includes(":id") || !id) continue;
      const ask = (it: string) =>
        call(app, method, path.replace(":id", it).replace(":slug", "x"), byKey(key));
      const [theirs, missing] = [await ask(id), await ask("nothing")];
      expect([method, path, theirs.status, theirs.text]).toEqual([method, path, 404, missing.text]);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(12);
    expect((await call(app, "GET", "/api/domains", byKey(key))).body).toMatchObject({
      domains: [],
    });
    const own = await call(
      app,
      "DELETE",
      `/api/keys/${(await make(app, mara, { scopes: SCOPES })).id}`,
      {
        cookie: noor,
      },
    );
    expect(own).toMatchObject(errorAnswer("key_not_found"));
  });
});
