import { expect } from "vitest";
import { Handoff, SharedRecord } from "#app/features/handoffs/resources.ts";
import type { Client } from "../support/deed.ts";
import { type OpenClaim, openClaim } from "../support/deed.ts";
import { contract, expectError, newEmail, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

/** Loopback counts, because the service under test is on plain http. */
const APP = "http://127.0.0.1:4000";

const share = (client: Client, { id }: Pick<OpenClaim, "id">, own: object = {}) =>
  client.post(`/api/claims/${id}/handoff`, own);

const { it, target } = contract();
const slugOf = async (client: Client, claim: OpenClaim, own: object = {}) =>
  shaped(await share(client, claim, own), 201, Handoff).slug;
const read = (slug: string) => target().stranger().get(`/api/handoffs/${slug}`);
it(says("C28.1", "C28.2", "C28.5"), async () => {
  const email = newEmail();
  const client = await target().signIn(email);
  const acme = "acme.com";
  const claim = await openClaim(client, acme);
  const words = { title: "Connect your domain to Acme", requestedFor: "Globex Corporation" };
  const all = { ...words, returnUrl: `${APP}/done` };
  const { slug, expiresAt } = shaped(await share(client, claim, all), 201, Handoff);
  expect(shaped(await read(slug), 200, SharedRecord)).toEqual({
    domain: acme,
    unicodeDomain: acme,
    ...words,
    askedBy: `${email.charAt(0)}•••@acme.example`,
    askedAt: expect.any(String),
    record: { host: "_service-challenge", name: claim.name, type: "TXT", value: claim.token },
    panel: null,
    status: "checking",
    diagnosis: null,
    waitEstimate: { reason: "first_check", secondsRemaining: expect.any(Number) },
    lastRunAt: null,
    nextRunAt: expect.any(String),
    expiresAt,
    back: { host: "127.0.0.1:4000", url: `${target().url}/h/${slug}/back` },
  });
  await share(client, claim, { title: null, returnUrl: null, showAddress: true });
  expect((await read(`${slug}?utm_source=mail&utm_source=news`)).body).toMatchObject({
    title: null,
    requestedFor: words.requestedFor,
    askedBy: email,
    back: null,
  });

  target().publishRecord(acme, `${claim.name}.${acme}`, claim.token);
  await client.post(`/api/verifications/${claim.verificationId}/runs`);
  const wrong = await read(slug);
  expect(shaped(wrong, 200, SharedRecord)).toMatchObject({
    status: "needs_attention",
    diagnosis: { code: "domain_appended" },
    panel: { zone: acme },
  });
  for (const secret of [claim.id, claim.domainId, claim.verificationId])
    expect(wrong.text).not.toContain(secret);
});

it(says("C2.12", "C16.11", "C28.6"), async ({ client }) => {
  const name = newName();
  const claim = await openClaim(client, name);
  // app/core/visible-text.test.ts has more of them.
  for (const text of ["a\u202eb", "", "…", `a${"\u0301".repeat(5)}`, "a".repeat(101), 7])
    for (const field of ["title", "requestedFor"])
      expectError(await share(client, claim, { [field]: text }), "invalid_request");
  const title = '<script>alert("x")</script> & co';
  const requestedFor = "Müller & Søn, 株式会社, נעמי, می‌خواهم, श्री, 👩‍❤️‍👨 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣ ❤️";
  const slug = await slugOf(client, claim, { title, requestedFor });
  const { text } = await target().stranger().get(`/h/${slug}`);
  expect(text).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; co");
  expect(text).not.toContain("<script>alert");
  const words = (page: string) => page.replace(/<!-- -->|<[^>]+>/g, "").replace(/\s+/g, " ");
  const plain = words(text);
  expect(plain).toContain(`asked through Deed at ${target().url} on`);
  expect(plain).toContain("h•••@acme.example asked");
  const own = words((await client.get(`/domains/${claim.domainId}`)).text);
  expect(own).toContain(`Deed at ${target().url} asks for the record.`);
  expect(plain).toContain("They chose the heading and the customer’s name");
  expect(text).toMatch(new RegExp(`<title>[^<]* · ${name} · Deed</title>`));
});

it(says("C28.3", "C28.4", "C28.7"), async ({ client, stranger }) => {
  const app = target().zone();
  const proof = await target().prove(client, app);
  const claim = await openClaim(client, newName());
  // app/features/handoffs/return-site.server.test.ts tries the others.
  expectError(await share(client, claim, { returnUrl: "/done" }), "invalid_request");
  const refused = await share(client, claim, { returnUrl: "https://a.listed.example/" });
  expectError(refused, "origin_not_registered");

  const back = async (slug: string) => {
    const { status, headers } = await stranger.get(`/h/${slug}/back`);
    expect([status, headers.get("cache-control")]).toEqual([303, "no-store"]);
    return headers.get("location");
  };
  const host = `app.${app}`;
  const slug = await slugOf(client, claim, { returnUrl: `https://${host}/done` });
  expect((await stranger.get(`/h/${slug}`)).text).toContain(`href="/h/${slug}/back"`);
  expect(await back(slug)).toBe(`https://${host}/done`);
  await client.post(`/api/domains/${proof.domainId}/archive`);
  const page = (await stranger.get(`/h/${slug}`)).text;
  expect(page).not.toContain("/back");
  expect(page).toContain(`no link back to <bdi>${host}</bdi>`);
  expect(await back(slug)).toBe(`/h/${slug}`);
  await client.post(`/api/domains/${proof.domainId}/unarchive`);

  await client.post(`/api/claims/${claim.id}/cancel`);
  const ended = { how: "canceled", at: expect.any(String) };
  const url = `${target().url}/h/${slug}/back`;
  for (const answer of [await read(slug), await stranger.post(`/api/handoffs/${slug}/waiting`)])
    expectError(answer, "handoff_ended", { ended, back: { host, url } });
  expect(await back(slug)).toBe(`https://${host}/done`);
});
