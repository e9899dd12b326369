import { describe, expect } from "vitest";
import * as z from "zod";
import { Attempt } from "#app/features/claims/resources.ts";
import { Handoff } from "#app/features/handoffs/resources.ts";
import type { Answer, Client } from "../support/deed.ts";
import { type OpenClaim, openClaim } from "../support/deed.ts";
import { contract, expectError, newEmail, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const AttemptList = z.strictObject({ attempts: z.array(Attempt) });

const handoffPath = ({ id }: OpenClaim) => `/api/claims/${id}/handoff`;
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

  it(says("C7.4", "C16.4", "C16.5"), async ({ client, stranger }) => {
    const acme = "acme.com";
    const claim = await openClaim(client, acme);
    const { slug } = await handOver(client, claim);
    target().publishRecord(acme, `${claim.name}.${acme}`, claim.token);

    const checked = await checkNow(stranger, slug);
    expect(checked.status).toBe(303);
    expect(checked.headers.get("location")).toMatch(new RegExp(`^/h/${slug}\\?at=`));
    const page = await stranger.get(`/h/${slug}`);
    expectPage(page, 200, 'data-code="domain_appended"');
    const states = ["GoDaddy", "Action needed", "History: 1 check", "Check now"];
    for (const shown of [claim.token, ...states])
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
    await expect.poll(() => mailsTo(address).length).toBeGreaterThan(0);
    return mailsTo(address)[0] ?? "";
  };
  const pageIn = (text: string, letter: string) =>
    new RegExp(`/${letter}/[0-9a-hjkmnp-tv-z]{26,}`).exec(text)?.[0] ?? "";

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
