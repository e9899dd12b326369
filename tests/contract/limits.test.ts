import { describe, expect } from "vitest";
import type { Domain } from "#app/features/domains/resources.ts";
import type { Answer } from "../support/deed.ts";
import { type Client, type OpenClaim, openClaim } from "../support/deed.ts";
import { known } from "./by-test-key.ts";
import { contract, expectError, newEmail, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract({
  RATE_LIMIT_ZONES: "3/3600",
  RATE_LIMIT_PROOFS: "7/3600",
  RATE_LIMIT_RUNS_VERIFICATION: "1/3600",
  RATE_LIMIT_RUNS_ACCOUNT: "3/3600",
  RATE_LIMIT_MAIL_ADDRESS: "5/3600",
  RATE_LIMIT_API: "60/3600",
  RATE_LIMIT_ADDITIONS: "20/3600",
  RATE_LIMIT_HANDOFF_MAILS: "5/86400",
  LIMIT_OPEN_CLAIMS: "4",
  LIMIT_DOMAINS: "6",
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

  it(says("C16.5", "C16.9", "C19.2", "C19.12", "C23.2", "C28.1"), async ({ client, stranger }) => {
    const zones = ["acme.com", "hooli.com", "globex.com", "initech.com"];
    const claims = [];
    for (const zone of zones) claims.push(await openClaim(client, known(zone)));
    const answers = [];
    for (const { verificationId } of claims)
      answers.push(await client.post(`/api/verifications/${verificationId}/runs`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const { slug } = await client.expect(201, "POST", `/api/claims/${claims[3]?.id}/handoff`);
    // The page's button draws on the verification's budget, of which nothing was spent.
    const press = () => stranger.submit(`/h/${slug}`, { intent: "check" }, {});
    expect((await press()).status).toBe(303);
    const pressed = await press();
    expect([pressed.status, pressed.text]).toEqual([
      429,
      expect.stringContaining("check again in"),
    ]);

    expectError(await stranger.get("/api/proofs/nothing"), "proof_not_found");
    expect((await stranger.get("/p/nothing")).status).toBe(404);
    expectError(await stranger.get("/api/proofs/nothing"), "proof_not_found");
    expect((await stranger.get("/p/nothing")).status).toBe(404);
    expectLimited(await stranger.get("/api/proofs/nothing"));
    expectLimited(await stranger.get("/api/proofs/nothing/receipt"));
    expectLimited(await stranger.get("/.well-known/jwks.json"));
    expectLimited(await stranger.get(`/api/handoffs/${slug}`));
    for (const path of ["/p/nothing", `/h/${slug}`, `/h/${slug}/back`]) {
      const page = await stranger.get(path);
      expect([path, page.status]).toEqual([path, 429]);
      expect(page.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  });

  it(says("C19.4"), async () => {
    const email = newEmail();
    const ask = (address: string) =>
      target().stranger().post("/api/auth/magic-link", { email: address });
    for (let i = 0; i < 4; i++) expect((await ask(email)).status).toBe(202);
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
    const spent = await runs("initech.com");
    expectLimited(await spent());
  });

  it(says("C16.13"), async () => {
    const [client, rival] = [await target().signIn(), await target().signIn()];
    const asks = async (by: Client, { domainId }: OpenClaim, email: string) =>
      by.submit(`/domains/${domainId}`, { intent: "mail", email });
    const [claim, theirs] = [await openClaim(client, newName()), await openClaim(rival, newName())];
    const [to, last] = [newEmail(), newEmail()];
    const mailsTo = (address: string) =>
      target()
        .mails()
        .filter((text) => text.includes(`\nTo: ${address}\n`)).length;
    const again = to.replace("@", "+again@");
    for (const address of [to, to, again, to, last])
      expect((await asks(client, claim, address)).status).toBe(303);
    expect((await asks(rival, theirs, to)).status).toBe(303);
    await expect.poll(() => [mailsTo(to), mailsTo(last)], { timeout: 30_000 }).toEqual([1, 1]);
    expect(mailsTo(again)).toBe(0);

    const unshared = await openClaim(client, newName());
    const refused = await asks(client, unshared, newEmail());
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(80_000);
    expectError(
      await client.post(`/api/claims/${unshared.id}/handoff/revoke`),
      "handoff_not_found",
    );
    expect((await asks(rival, theirs, newEmail())).status).toBe(303);
  });

  it(says("C19.7"), async ({ browser, client }) => {
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
    for (let i = 0; i < 60; i++) expect((await mara.get("/api/account")).status).toBe(200);
    expectLimited(await mara.get("/api/account"));
    expectLimited(await mara.post("/api/domains", { domain: newName() }));
    expect((await noor.get("/api/account")).status).toBe(200);
  });
});

describe("what an account adds", () => {
  const add = (client: Client, domain: string) => client.post("/api/domains", { domain });

  it(says("C19.15"), async ({ client }) => {
    const { id } = await client.expect(201, "POST", "/api/domains", { domain: newName() });
    for (let i = 0; i < 3; i++)
      expect((await add(client, known("acme.com"))).status).toBeLessThan(300);
    const unarchive = () => client.post(`/api/domains/${id}/unarchive`);
    for (let added = 2; added < 20; added++) {
      expect((await client.post(`/api/domains/${id}/archive`)).status).toBe(200);
      expect((await unarchive()).status).toBe(200);
    }
    const webhook = { url: "https://hooks.example/" };
    for (const answer of [
      await add(client, newName()),
      await client.post("/api/webhooks", webhook),
      await unarchive(),
    ])
      expectLimited(answer);
    expect((await client.delete(`/api/domains/${id}`)).status).toBe(204);
  });

  it(says("C19.16"), async ({ browser, client }) => {
    for (const one of [client, browser])
      for (let i = 0; i < 6; i++) expect((await add(one, newName())).status).toBe(201);
    const { domains } = (await client.get("/api/domains")).body as { domains: Domain[] };
    await client.expect(200, "POST", `/api/domains/${domains[0]?.id}/archive`);
    const more = newName();
    expectError(await add(client, more), "too_many_domains");
    const byName = `/api/domains/by-name/${more}`;
    expectError(await client.request("PUT", byName, { json: {} }), "too_many_domains");
    for (const { name } of domains) expect((await add(client, name)).status).toBe(200);
    expect((await client.delete(`/api/domains/${domains[0]?.id}`)).status).toBe(204);
    expect((await add(client, more)).status).toBe(201);

    const told = "This account has reached its limit of domains. Delete one first.";
    const sure = { domain: newName(), intent: "sure" };
    const one = await browser.submit("/domains?index", sure);
    expect([one.status, one.text]).toEqual([409, expect.stringContaining(told)]);
    const lines = { domains: `${newName()}\n${newName()}`, intent: "add" };
    const several = await browser.submit("/domains?index&several", lines);
    // For each of the two, in the page and in the data that its script begins with.
    expect(several.text.split(told).length - 1).toBe(4);
  });
});
