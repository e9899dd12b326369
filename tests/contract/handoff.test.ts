import { expect } from "vitest";
import type { Attempt } from "#app/features/claims/resources.ts";
import { Handoff } from "#app/features/handoffs/resources.ts";
import type { Answer, Client } from "../support/deed.ts";
import { type OpenClaim, openClaim } from "../support/deed.ts";
import { contract, expectError, newEmail, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const handOver = async (client: Client, { id }: OpenClaim) =>
  shaped(await client.post(`/api/claims/${id}/handoff`), 201, Handoff);

const expectPage = (answer: Answer, status: number, text: string) => {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  expect(answer.text).toContain(text);
};

it(says("C7.4", "C16.4", "C16.5"), async ({ client, stranger }) => {
  const acme = "acme.com";
  const claim = await openClaim(client, acme);
  const { slug } = await handOver(client, claim);
  target().publishRecord(acme, `${claim.name}.${acme}`, claim.token);

  // The page's only form, sent like a browser without script.
  const checked = await stranger.submit(`/h/${slug}`, { intent: "check" }, {});
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
  const path = `/api/verifications/${claim.verificationId}/attempts`;
  const { attempts } = await client.expect<{ attempts: Attempt[] }>(200, "GET", path);
  const read = { trigger: "requested", diagnosis: { code: "domain_appended" } };
  expect(attempts).toMatchObject([read]);
  const asked = await stranger.get(`/h/${slug}?read=${attempts[0]?.id}`);
  expectPage(asked, 200, "each nameserver answered");

  expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(page.text).toContain('<meta name="robots" content="noindex, nofollow"/>');
  expect(page.headers.get("referrer-policy")).toBe("same-origin");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(stranger.cookie).toBe("");
});

it(says("C16.8"), async ({ client, stranger }) => {
  const { slug } = await handOver(client, await openClaim(client, newName()));
  expectError(await stranger.get(`/api/proofs/${slug}`), "proof_not_found");
  for (const path of ["claims", "verifications", "domains"]) {
    expectError(await stranger.get(`/api/${path}/${slug}`), "unauthenticated");
    expect((await client.get(`/api/${path}/${slug}`)).status).toBe(404);
  }
  const proof = await target().publish(client, "globex.com");
  for (const page of [`/p/${slug}`, `/h/${proof.slug}`])
    expect((await stranger.get(page)).status).toBe(404);
});

it(says("C16.14"), async ({ client, stranger }) => {
  const claim = await openClaim(client, newName());
  const stopping: [status: number, stop: (path: string) => Promise<Answer>][] = [
    [303, (path) => stranger.submit(path, { intent: "confirm" })],
    [200, (path) => stranger.submit(path, { "List-Unsubscribe": "One-Click" }, {})],
  ];
  for (const [status, stop] of stopping) {
    const email = newEmail();
    const place = `/domains/${claim.domainId}`;
    const sent = await client.submit(place, { intent: "mail", email });
    expect([sent.status, sent.headers.get("location")]).toEqual([
      ...[303, expect.stringContaining(`${place}?mailed=${email[0]}`)],
    ]);
    const mail = () =>
      target()
        .mails()
        .find((text) => text.includes(`\nTo: ${email}\n`)) ?? "";
    await expect.poll(mail).not.toBe("");
    const [path = ""] = /\/m\/[0-9a-hjkmnp-tv-z]{26,}/.exec(mail()) ?? [];
    expect(mail()).toContain(`\nList-Unsubscribe: <${target().url}${path}>\n`);
    expect(mail()).toContain("\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n");
    const elsewhere = { origin: "https://elsewhere.example" };
    expect((await stranger.submit(path, { intent: "confirm" }, elsewhere)).status).toBe(403);
    expect((await stranger.submit(path, { intent: "check" })).status).toBe(400);
    for (let i = 0; i < 2; i++) expectPage(await stranger.get(path), 200, "Stop these emails");
    expect((await stop(path)).status).toBe(status);
    const stopped = await stranger.get(path);
    expectPage(stopped, 200, "Emails stopped");
    expect(stopped.text).not.toContain(email);
    for (const [, again] of stopping) expect((await again(path)).status).toBeLessThan(400);
  }
  const none = "/m/00000000000000000000000000";
  expect((await stranger.get(none)).status).toBe(404);
  for (const [, stop] of stopping) expect((await stop(none)).status).toBe(404);
});
