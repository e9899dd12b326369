import { expect } from "vitest";
import type { Domain } from "#app/features/domains/resources.ts";
import type { Answer } from "../support/deed.ts";
import { type Client, openClaim } from "../support/deed.ts";
import { contract, expectError, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it } = contract({
  RATE_LIMIT_ZONES: "3/3600",
  RATE_LIMIT_PROOFS: "7/3600",
  RATE_LIMIT_RUNS_VERIFICATION: "1/3600",
  RATE_LIMIT_RUNS_ACCOUNT: "3/3600",
  LIMIT_DOMAINS: "6",
});

const expectLimited = (answer: Answer) => {
  expectError(answer, "rate_limited");
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
};

it(says("C19.1", "C19.9", "C19.10"), async ({ stranger }) => {
  expectError(await stranger.get(`/api/zones/${newName()}`), "no_delegation");
  expect((await stranger.get("/zones/acme.com")).status).toBe(200);
  expect((await stranger.get("/api/zones/acme.com")).status).toBe(200);
  expectLimited(await stranger.get("/api/zones/acme.com"));
  for (const name of ["X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Deed-Connection"]) {
    const headers = { [name]: "198.51.100.7" };
    expectLimited(await stranger.request("GET", "/api/zones/acme.com", { headers }));
  }
  const page = await stranger.get("/zones/acme.com");
  expect([page.status, page.text]).toEqual([429, expect.stringContaining("Try again in")]);
});

it(says("C16.5", "C16.9", "C19.2", "C19.12", "C23.2", "C28.1"), async ({ client, stranger }) => {
  const zones = ["acme.com", "hooli.com", "globex.com", "initech.com"];
  const claims = [];
  for (const zone of zones) claims.push(await openClaim(client, zone));
  const answers = [];
  for (const { verificationId } of claims)
    answers.push(await client.post(`/api/verifications/${verificationId}/runs`));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  const { slug } = await client.expect(201, "POST", `/api/claims/${claims[3]?.id}/handoff`);
  // The page's button spends the verification's budget, which is still full.
  const press = () => stranger.submit(`/h/${slug}`, { intent: "check" }, {});
  expect((await press()).status).toBe(303);
  const pressed = await press();
  expect([pressed.status, pressed.text]).toEqual([
    429,
    expect.stringMatching(/check again <time[^>]*>in \d+ /),
  ]);

  for (const path of ["/api/proofs/nothing", "/p/nothing", "/api/proofs/nothing", "/p/nothing"])
    expect((await stranger.get(path)).status).toBe(404);
  const proofs = ["/api/proofs/nothing", "/api/proofs/nothing/receipt"];
  for (const path of [...proofs, "/.well-known/jwks.json", `/api/handoffs/${slug}`])
    expectLimited(await stranger.get(path));
  for (const path of ["/p/nothing", `/h/${slug}`, `/h/${slug}/back`]) {
    const page = await stranger.get(path);
    expect([path, page.status]).toEqual([path, 429]);
    expect(page.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  }
});

const add = (client: Client, domain: string) => client.post("/api/domains", { domain });

it(says("C19.16"), async ({ client }) => {
  for (let i = 0; i < 6; i++) expect((await add(client, newName())).status).toBe(201);
  const { domains } = (await client.get("/api/domains")).body as { domains: Domain[] };
  await client.expect(200, "POST", `/api/domains/${domains[0]?.id}/archive`);
  const more = newName();
  expectError(await add(client, more), "too_many_domains");
  const byName = `/api/domains/by-name/${more}`;
  expectError(await client.request("PUT", byName, { json: {} }), "too_many_domains");
  expect((await add(client, String(domains[0]?.name))).status).toBe(200);
  expect((await client.delete(`/api/domains/${domains[0]?.id}`)).status).toBe(204);
  expect((await add(client, more)).status).toBe(201);
  const form = await client.submit("/domains?index", { domain: newName(), intent: "sure" });
  expect(form.status).toBe(409);
  expect(form.text).toContain("This account has reached its limit of domains. Delete one first");
});
