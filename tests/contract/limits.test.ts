import { describe, expect } from "vitest";
import type { Answer } from "../support/deed.ts";
import { type Client, openClaim } from "../support/deed.ts";
import { known } from "./by-test-key.ts";
import { contract, expectError, newEmail, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract({
  RATE_LIMIT_ZONES: "3/3600",
  RATE_LIMIT_PROOFS: "4/3600",
  RATE_LIMIT_RUNS_VERIFICATION: "1/3600",
  RATE_LIMIT_RUNS_ACCOUNT: "3/3600",
  RATE_LIMIT_MAIL_ADDRESS: "2/3600",
  RATE_LIMIT_API: "40/3600",
  LIMIT_OPEN_CLAIMS: "4",
});

const expectLimited = (answer: Answer) => {
  expectError(answer, "rate_limited");
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
};

describe("per address", () => {
  it(says("C19.1", "C19.9", "C19.10"), async ({ stranger }) => {
    expectError(await stranger.get(`/api/zones/${newName()}`), "no_delegation");
    expect((await stranger.get("/zones/acme.com")).status).toBe(200);
    expect((await stranger.get("/api/zones/acme.com")).status).toBe(200);
    expectLimited(await stranger.get("/api/zones/acme.com"));
    for (const name of ["X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Deed-Connection"])
      expectLimited(
        await stranger.request("GET", "/api/zones/acme.com", {
          headers: { [name]: "198.51.100.7" },
        }),
      );
    expect((await stranger.get("/zones/acme.com")).status).toBe(429);
  });

  it(says("C19.2", "C23.2"), async ({ stranger }) => {
    expectError(await stranger.get("/api/proofs/nothing"), "proof_not_found");
    expect((await stranger.get("/p/nothing")).status).toBe(404);
    expectError(await stranger.get("/api/proofs/nothing"), "proof_not_found");
    expect((await stranger.get("/p/nothing")).status).toBe(404);
    expectLimited(await stranger.get("/api/proofs/nothing"));
    expectLimited(await stranger.get("/api/proofs/nothing/receipt"));
    expectLimited(await stranger.get("/.well-known/jwks.json"));
    const page = await stranger.get("/p/nothing");
    expect(page.status).toBe(429);
    expect(page.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  it(says("C19.4"), async () => {
    const email = newEmail();
    const ask = (address: string) =>
      target().stranger().post("/api/auth/magic-link", { email: address });
    expect((await ask(email)).status).toBe(202);
    expect((await ask(email.toUpperCase())).status).toBe(202);
    expectLimited(await ask(email));
    const form = await target().stranger().submit("/sign-in?index", { email });
    expect(form.status).toBe(429);
    expect(form.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect((await ask(newEmail())).status).toBe(202);
  });
});

describe("per account", () => {
  it(says("C19.3"), async ({ client }) => {
    const runs = async (domain: string) => {
      const { verificationId } = await openClaim(client, known(domain));
      return () => client.post(`/api/verifications/${verificationId}/runs`);
    };
    const first = await runs("acme.com");
    expect((await first()).status).toBe(200);
    expectLimited(await first());
    expect((await (await runs("hooli.com"))()).status).toBe(200);
    expect((await (await runs("globex.com"))()).status).toBe(200);
    expectLimited(await (await runs("initech.com"))());
  });

  it(says("C19.7"), async ({ client }) => {
    const open = [];
    for (let i = 0; i < 4; i++) open.push(await openClaim(client, newName()));
    const { id: domainId } = await client.expect(201, "POST", "/api/domains", {
      domain: newName(),
    });
    expectError(await client.post("/api/claims", { domainId }), "too_many_claims");
    const listed = (await client.get("/api/claims")).body as { claims: unknown[] };
    expect(listed.claims).toHaveLength(4);

    await client.post(`/api/claims/${open[0]?.id}/cancel`);
    expect((await client.post("/api/claims", { domainId })).status).toBe(201);
  });

  it(`${says("C19.7")}, on the page`, async ({ browser }) => {
    for (let i = 0; i < 4; i++) await openClaim(browser, newName());
    const page = await browser.submit("/domains?index", { domain: newName(), intent: "sure" });
    expect(page.status).toBe(409);
    expect(page.text).toContain("can have 4 at once. Cancel one that you no longer need.");
  });

  it(says("C6.11"), async ({ client }) => {
    const { verificationId } = await openClaim(client, known("globex.com"));
    const path = `/api/verifications/${verificationId}`;
    const run = () => client.post(`${path}/runs`);
    // A read so slow that all three are there before it ends.
    const slow = (delayMs: number | null) => {
      for (const server of ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"])
        target().own.playground.setServerFault(server, delayMs === null ? null : { delayMs });
    };
    slow(400);
    const runs = await Promise.all([run(), run(), run()]);
    slow(null);
    expect(runs.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await client.get(`${path}/attempts`)).body).toMatchObject({
      attempts: [{ trigger: "requested" }],
    });
    expectLimited(await run());
  });

  it(says("C19.6"), async () => {
    const [mara, noor] = [await target().browser(), await target().browser()];
    for (let i = 0; i < 40; i++) expect((await mara.get("/api/account")).status).toBe(200);
    expectLimited(await mara.get("/api/account"));
    expectLimited(await mara.post("/api/domains", { domain: newName() }));
    expect((await noor.get("/api/account")).status).toBe(200);
  });
});

describe("what an account adds", () => {
  const { it } = contract({ RATE_LIMIT_ADDITIONS: "4/3600", LIMIT_DOMAINS: "3" });
  const add = (client: Client, domain: string) => client.post("/api/domains", { domain });

  it(says("C19.15"), async ({ client }) => {
    const { id } = await client.expect<{ id: string }>(201, "POST", "/api/domains", {
      domain: newName(),
    });
    for (let i = 0; i < 3; i++)
      expect((await add(client, known("acme.com"))).status).toBeLessThan(300);
    const webhook = { url: "https://hooks.example/" };
    for (let i = 0; i < 2; i++) {
      expect((await client.post(`/api/domains/${id}/archive`)).status).toBe(200);
      expect((await client.post(`/api/domains/${id}/unarchive`)).status).toBe(200);
    }
    for (const answer of [
      await add(client, newName()),
      await client.post("/api/webhooks", webhook),
      await client.post(`/api/domains/${id}/unarchive`),
    ])
      expectLimited(answer);
    expect((await client.request("DELETE", `/api/domains/${id}`)).status).toBe(204);
  });

  it(says("C19.16"), async ({ client }) => {
    const ids: string[] = [];
    const names = [newName(), newName(), newName()];
    for (const domain of names)
      ids.push((await client.expect<{ id: string }>(201, "POST", "/api/domains", { domain })).id);
    await client.expect(200, "POST", `/api/domains/${ids[0]}/archive`);
    const more = newName();
    expectError(await add(client, more), "too_many_domains");
    expectError(
      await client.request("PUT", `/api/domains/by-name/${more}`, { json: {} }),
      "too_many_domains",
    );
    for (const domain of names) expect((await add(client, domain)).status).toBe(200);
    expect((await client.request("DELETE", `/api/domains/${ids[0]}`)).status).toBe(204);
    expect((await add(client, more)).status).toBe(201);
  });

  it(`${says("C19.16")}, on the page`, async ({ browser }) => {
    for (let i = 0; i < 3; i++) expect((await add(browser, newName())).status).toBe(201);
    const told = "This account has reached its limit of domains. Delete one first.";
    const one = await browser.submit("/domains?index", { domain: newName(), intent: "sure" });
    expect(one.status).toBe(409);
    expect(one.text).toContain(told);
    const names = `${newName()}\n${newName()}`;
    const several = await browser.submit("/domains?index&several", {
      domains: names,
      intent: "add",
    });
    // For each of the two, in the page and in the data that its script begins with.
    expect(several.text.split(told).length - 1).toBe(4);
  });
});
