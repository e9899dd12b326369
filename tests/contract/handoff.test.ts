import { describe, expect } from "vitest";
import * as z from "zod";
import { Attempt } from "#app/features/claims/resources.ts";
import { Handoff, RevokedHandoff } from "#app/features/handoffs/resources.ts";
import type { Answer, Client } from "../support/deed.ts";
import { type OpenClaim, openClaim } from "../support/deed.ts";
import { isByTestKey, known, SLUG } from "./by-test-key.ts";
import { contract, expectError, newEmail, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const AttemptList = z.strictObject({ attempts: z.array(Attempt) });

const handoffPath = ({ id }: OpenClaim) => `/api/claims/${id}/handoff`;
const runsPath = ({ verificationId }: OpenClaim) => `/api/verifications/${verificationId}/runs`;
const handOver = async (client: Client, claim: OpenClaim) =>
  shaped(await client.post(handoffPath(claim)), 201, Handoff);

/** Submits the page's only form, as a browser without script does. */
const checkNow = (stranger: Client, slug: string, headers: Record<string, string> = {}) =>
  stranger.submit(`/h/${slug}`, { intent: "check" }, headers);

const expectPage = (answer: Answer, status: number, text: string) => {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  expect(answer.text).toContain(text);
};

const { it, target } = contract();

describe("a hand-off", () => {
  const attempts = async (client: Client, { verificationId }: OpenClaim) =>
    shaped(await client.get(`/api/verifications/${verificationId}/attempts`), 200, AttemptList)
      .attempts;

  it(says("C16.1"), async ({ client }) => {
    const claim = await openClaim(client, newName());
    const handoff = await handOver(client, claim);
    expect(handoff).toMatchObject({ url: `${target().url}/h/${handoff.slug}`, claimId: claim.id });
    const verification = await client.get(`/api/verifications/${claim.verificationId}`);
    expect(verification.body).toMatchObject({ deadline: handoff.expiresAt });
    expect(handoff.slug).toMatch(SLUG);
    expect(shaped(await client.post(`${handoffPath(claim)}/`), 201, Handoff)).toEqual(handoff);
  });

  it(says("C16.2", "C16.7"), async ({ client, stranger }) => {
    const hooli = known("hooli.com");
    const endings: [string, (claim: OpenClaim) => Promise<unknown>, zone?: string][] = [
      ["no longer needed", ({ id }) => client.post(`/api/claims/${id}/cancel`)],
      ["no longer needed", ({ domainId }) => client.post(`/api/domains/${domainId}/archive`)],
      [
        "The record was found. The person who asked has been notified",
        async (claim) => {
          target().publishRecord("hooli.com", claim.name, claim.token);
          const run = await client.post(runsPath(claim));
          expect(run.body).toMatchObject({ status: "proved" });
        },
        hooli,
      ],
    ];
    for (const [sentence, end, zone = newName()] of endings) {
      const claim = await openClaim(client, zone);
      const { slug } = await handOver(client, claim);
      expectPage(await stranger.get(`/h/${slug}`), 200, claim.token);
      await end(claim);
      expectError(await client.post(handoffPath(claim)), "claim_ended");
      expectError(await client.post(`${handoffPath(claim)}/revoke`), "claim_ended");
      const page = await stranger.get(`/h/${slug}`);
      expectPage(page, 410, sentence);
      expect(page.text.includes(zone)).toBe(zone === hooli);
      expect(page.text).not.toContain(claim.token);
      expectPage(await checkNow(stranger, slug), 410, sentence);
      expect((await client.delete(`/api/domains/${claim.domainId}`)).status).toBe(204);
      expectPage(await stranger.get(`/h/${slug}`), 404, "This link does not work");
    }
    expectPage(await stranger.get("/h/neverissued"), 404, "This link does not work");
    expectPage(await checkNow(stranger, "neverissued"), 404, "This link does not work");
  });

  it(says("C16.3"), async ({ client }) => {
    const claim = await openClaim(client, newName());
    const revoke = () => client.post(`${handoffPath(claim)}/revoke`);
    expectError(await revoke(), "handoff_not_found");
    const first = await handOver(client, claim);
    const revoked = shaped(await revoke(), 200, RevokedHandoff);
    expect(revoked).toEqual({ ...first, revokedAt: revoked.revokedAt });
    expectError(await revoke(), "handoff_not_found");
    expectPage(await target().stranger().get(`/h/${first.slug}`), 410, "This link was revoked");
    expect((await checkNow(target().stranger(), first.slug)).status).toBe(410);

    const second = await handOver(client, claim);
    expect(second.slug).not.toBe(first.slug);
    expectPage(await target().stranger().get(`/h/${second.slug}`), 200, claim.token);
    expectPage(await target().stranger().get(`/h/${first.slug}`), 410, "This link was revoked");
    expect((await client.get(`/api/claims/${claim.id}`)).body).toMatchObject({ state: "pending" });
  });

  it(says("C16.4", "C16.5"), async ({ client, stranger }) => {
    const acme = known("acme.com");
    const claim = await openClaim(client, acme);
    const { slug } = await handOver(client, claim);
    target().publishRecord(acme, `${claim.name}.${acme}`, claim.token);

    const checked = await checkNow(stranger, slug);
    expect(checked.status).toBe(303);
    expect(checked.headers.get("location")).toMatch(new RegExp(`^/h/${slug}\\?at=`));
    const page = await stranger.get(`/h/${slug}`);
    expectPage(page, 200, 'data-code="domain_appended"');
    const provider = isByTestKey ? [] : ["GoDaddy"];
    const states = ["Action needed", "History: 1 check", "Check now"];
    for (const shown of [claim.token, ...provider, ...states])
      expect(page.text.replaceAll("<!-- -->", "")).toContain(shown);
    const refreshes = /<noscript><meta http-equiv="refresh" content="\d+"/i;
    expect(page.text).not.toMatch(refreshes);
    expect((await stranger.get(`/h/${slug}?live`)).text).toMatch(refreshes);
    const read = await attempts(client, claim);
    expect(read).toMatchObject([{ trigger: "requested", diagnosis: { code: "domain_appended" } }]);
    const asked = await stranger.get(`/h/${slug}?read=${read[0]?.id}`);
    expectPage(asked, 200, "What each nameserver answered");

    expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(page.text).toContain('<meta name="robots" content="noindex, nofollow"/>');
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(stranger.cookie).toBe("");
  });

  it(says("C16.6"), async ({ stranger }) => {
    const email = newEmail();
    const client = await target().signIn(email);
    const others = [newName(), newName()];
    for (const domain of others) await openClaim(client, domain);
    const claim = await openClaim(client, newName());
    const { slug } = await handOver(client, claim);
    const { id: accountId } = await client.expect(200, "GET", "/api/account");
    await checkNow(stranger, slug);
    for (const path of [`/h/${slug}`, `/h/${slug}?_data=routes%2Fh.%24slug`]) {
      const { status, text } = await stranger.get(path);
      expect(status).toBe(200);
      expect(text).toContain(`${email.charAt(0)}•••@acme.example`);
      const theirs = [claim.id, claim.domainId, claim.verificationId];
      for (const secret of [...others, email, String(accountId), ...theirs])
        expect(text).not.toContain(secret);
    }
  });

  it(says("C16.10"), async () => {
    const email = newEmail();
    const client = await target().signIn(email);
    const claim = await openClaim(client, newName());
    const share = (body?: object) => client.post(handoffPath(claim), body);
    const { slug } = shaped(await share(), 201, Handoff);
    const shown = async () => (await target().stranger().get(`/h/${slug}`)).text.includes(email);
    expect(await shown()).toBe(false);
    expect(shaped(await share({ showAddress: true }), 201, Handoff).slug).toBe(slug);
    expect(await shown()).toBe(true);
    await share();
    expect(await shown()).toBe(true);
    await share({ showAddress: false });
    expect(await shown()).toBe(false);
    expectError(await share({ showAddress: "yes" }), "invalid_request");
  });

  it(says("C16.8"), async ({ client, stranger }) => {
    const claim = await openClaim(client, newName());
    const { slug } = await handOver(client, claim);
    expectError(await stranger.get(`/api/proofs/${slug}`), "proof_not_found");
    expect((await stranger.get(`/p/${slug}`)).status).toBe(404);
    for (const path of ["claims", "verifications", "domains"]) {
      expectError(await stranger.get(`/api/${path}/${slug}`), "unauthenticated");
      expect((await client.get(`/api/${path}/${slug}`)).status).toBe(404);
    }
    expectError(await stranger.post(`/api/claims/${slug}/handoff`), "unauthenticated");
    expectError(await stranger.post(`/api/claims/${claim.id}/cancel`), "unauthenticated");

    const proof = await target().publish(client, "globex.com");
    expect((await stranger.get(`/h/${proof.slug}`)).status).toBe(404);
  });
});

describe("its mail", () => {
  const mail = (client: Client, { domainId }: OpenClaim, email: string) =>
    client.submit(`/domains/${domainId}`, { intent: "mail", email });
  const asks = async (client: Client, claim: OpenClaim, email: string) => {
    const { status, headers } = await mail(client, claim, email);
    const place = headers.get("location")?.replace(/&at=\w+$/, "");
    expect([status, place]).toEqual([303, `/domains/${claim.domainId}?mailed`]);
  };
  const mailsTo = (address: string) =>
    target()
      .mails()
      .filter((text) => text.includes(`\nTo: ${address}\n`));
  const mailed = async (address: string) => {
    await expect.poll(() => mailsTo(address).length, { timeout: 30_000 }).toBeGreaterThan(0);
    return mailsTo(address)[0] ?? "";
  };
  const pageIn = (text: string, letter: string) =>
    new RegExp(`/${letter}/[0-9a-hjkmnp-tv-z]{26,}`).exec(text)?.[0] ?? "";

  it(says("C16.12"), async ({ stranger }) => {
    const [email, to, other] = [newEmail(), newEmail(), newEmail()];
    const client = await target().signIn(email);
    const claim = await openClaim(client, "acme.com");
    expectPage(await client.get(`/domains/${claim.domainId}`), 200, "The email shows your address");
    await asks(client, claim, ` ${to.toUpperCase()} `);
    const text = await mailed(to);
    for (const shown of ["acme.com", email]) expect(text).toContain(shown);
    expect(text.match(/border:2px solid/g)).toHaveLength(1);
    expectPage(await stranger.get(pageIn(text, "h")), 200, email);

    const masked = await openClaim(client, newName());
    const title = "Call us today";
    await client.post(handoffPath(masked), { title, requestedFor: title });
    await asks(client, masked, other);
    const second = await mailed(other);
    expect(second).not.toContain(title);
    const page = await stranger.get(pageIn(second, "h"));
    expectPage(page, 200, title);
    expect(page.text).not.toContain(email);

    const unshared = await openClaim(client, newName());
    const several = [`${to}\r\nBcc: ${other}`, `${to}, ${other}`, `<${to}>`, `"x y"@a.example`];
    for (const address of ["", "none", ...several])
      expectPage(await mail(client, unshared, address), 400, "is not an email address");
    expectError(await client.post(`${handoffPath(unshared)}/revoke`), "handoff_not_found");
    expectPage(await mail(stranger, unshared, to), 401, "Your session has ended");
    await client.post(`/api/claims/${claim.id}/cancel`);
    expect((await mail(client, claim, newEmail())).status).toBe(409);
    expect(mailsTo(to)).toHaveLength(1);
  });

  it(says("C16.14"), async ({ client, stranger }) => {
    const claim = await openClaim(client, newName());
    const stopping: [status: number, stop: (path: string) => Promise<Answer>][] = [
      [303, (path) => stranger.submit(path, { intent: "confirm" })],
      [200, (path) => stranger.submit(path, { "List-Unsubscribe": "One-Click" }, {})],
    ];
    for (const [status, stop] of stopping) {
      const to = newEmail();
      await asks(client, claim, to);
      const text = await mailed(to);
      const path = pageIn(text, "m");
      expect(text).toContain(`\nList-Unsubscribe: <${target().url}${path}>\n`);
      expect(text).toContain("\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n");
      const elsewhere = { origin: "https://elsewhere.example" };
      expect((await stranger.submit(path, { intent: "confirm" }, elsewhere)).status).toBe(403);
      expect((await stranger.submit(path, { intent: "check" })).status).toBe(400);
      for (let i = 0; i < 2; i++) expectPage(await stranger.get(path), 200, "Stop these emails");
      expect((await stop(path)).status).toBe(status);
      const stopped = await stranger.get(path);
      expectPage(stopped, 200, "These emails are stopped");
      expect(stopped.text).not.toContain(to);
      for (const [, again] of stopping) expect((await again(path)).status).toBeLessThan(400);
    }
    const none = "/m/00000000000000000000000000";
    expect((await stranger.get(none)).status).toBe(404);
    for (const [, stop] of stopping) expect((await stop(none)).status).toBe(404);
  });
});
