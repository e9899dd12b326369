import { describe, expect, it } from "vitest";
import { call, signedIn } from "#app/api/testing.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { pathTemplate } from "#app/features/docs/openapi.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { newKeyFor, rotateKey, SCOPES, withKey } from "./testing.ts";

/** Which scope opens which route, without the product's own rules. A key opens no other route. */
const SCOPE_OF = new Map<string, string>(
  `
  domains:read GET domains/by-name/{name} domains domains/{id} claims claims/{id}
  domains:read GET claims/{id}/proof_links claims/{id}/receipt claims/{id}/opening
  domains:read GET claims/{id}/evidence verifications/{id} verifications/{id}/attempts notices
  domains:read GET events events/list claims/{id}/watch
  domains:write DELETE domains/{id} claims/{id}/watch
  domains:write POST domains domains/{id}/archive domains/{id}/unarchive claims claims/{id}/cancel
  domains:write POST claims/{id}/handoff claims/{id}/handoff/revoke claims/{id}/proof_links
  domains:write POST claims/{id}/waiting
  domains:write POST claims/{id}/proof_links/{slug}/revoke verifications/{id}/runs notices/{id}/read
  domains:write POST test/clock test/reset
  domains:write DELETE domains
  domains:read GET limits
  domains:write PUT domains/by-name/{name} claims/{id}/watch
  ignored GET handoffs/{slug} proofs/{slug} proofs/{slug}/receipt auth/oidc auth/oidc/callback
  ignored POST handoffs/{slug}/waiting checks
  ignored GET gate/{key}
  ignored GET health health/live health/ready openapi.json openapi-3.0.json proofs/{slug}/watch
  webhooks:manage DELETE webhooks/{id}
  webhooks:manage GET webhooks webhooks/{id} webhooks/{id}/deliveries
  webhooks:manage GET webhooks/{id}/deliveries/{delivery}
  webhooks:manage PATCH webhooks/{id}
  webhooks:manage POST webhooks webhooks/{id}/rotate webhooks/{id}/test webhooks/{id}/resend
  webhooks:manage POST webhooks/{id}/deliveries/{delivery}/resend
  zones:read GET zones/{name}`
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [scope = "", method, ...paths] = line.trim().split(" ");
      return paths.map((path) => [`${method} /api/${path}`, scope] as const);
    }),
);
const CHOICES = [...SCOPES.map((one) => [one]), SCOPES];
const ROOMY = {
  RATE_LIMIT_KEY: "1000000/1",
  RATE_LIMIT_API: "1000000/1",
  // Without this it is read from its file at each call.
  SESSION_SECRET: "s".repeat(32),
};

const routes = ENDPOINTS.map(({ method, path, session }) => ({
  name: `${method} ${pathTemplate(path)}`,
  // The stream would not end.
  method: path === "/api/events" ? "HEAD" : method,
  path: path.replace(":name", "acme.com").replace(/:\w+/g, "nothing"),
  session,
}));

const OF_KEYS = ["invalid_api_key", "insufficient_scope"];
const outcomeOf = ({ status, body }: { status: number; body: unknown }) =>
  (body as { error?: { code: string } } | null)?.error?.code ?? String(status);

describe("every route with every scope", () => {
  it("lists routes of the table", () => {
    const names = routes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...SCOPE_OF.keys()]));
  });

  // C12.8, C25.1, C25.3, C25.4
  it("lets in whom it should, and nobody else", async () => {
    const wrong: string[] = [];
    /** `expected`: the refusal; null if the caller is let in. */
    const check = (what: string, outcome: string, expected: string | null) => {
      const isIn = !["unauthenticated", "cross_origin", "401", "403", ...OF_KEYS].includes(outcome);
      if (expected === null ? !isIn : isIn || (expected !== outcome && !/^4/.test(outcome)))
        wrong.push(`${what}: ${outcome}, not ${expected}`);
    };
    const app = testApp(ROOMY);
    const cookie = await signedIn(app);
    const make = (scopes: string[]) => newKeyFor(app, cookie, { name: "CI", scopes });
    const rotatedTwice = await make(SCOPES);
    for (let each = 0; each < 2; each += 1) await rotateKey(app, cookie, rotatedTwice);
    for (const scopes of [...CHOICES, null]) {
      const { key } = scopes ? await make(scopes) : rotatedTwice;
      for (const { name, method, path } of routes) {
        const scope = SCOPE_OF.get(name) ?? "none";
        const ofScope = scopes?.includes(scope) ? null : "insufficient_scope";
        const refusal = scopes ? ofScope : "invalid_api_key";
        const answer = await call(app, method, path, withKey(key));
        check(`${name} with ${scopes}`, outcomeOf(answer), scope === "ignored" ? null : refusal);
      }
    }
    for (const { name, method, path, session } of routes) {
      const expected = session === true ? "unauthenticated" : null;
      check(`${name} without a key`, outcomeOf(await call(app, method, path)), expected);
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});
