import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Handoff, SharedRecord } from "#app/services/resources.ts";
import { txt } from "../../scripts/playground/records.ts";
import type { Client } from "../support/client.ts";
import { type OpenClaim, openClaim } from "../support/deed.ts";
import { expectError, newEmail, newName, shaped, type Target, targetService } from "./kit.ts";
import { says } from "./sentences.ts";

const APP = "https://app.example.com";
const OriginList = z.strictObject({ origins: z.array(z.string()) });

const register = (client: Client, origins: unknown) =>
  client.request("PUT", "/api/account/origins", { json: { origins } });
const share = (client: Client, { id }: Pick<OpenClaim, "id">, own: object = {}) =>
  client.post(`/api/claims/${id}/handoff`, own);
const policyOf = ({ headers }: { headers: Headers }) =>
  /frame-ancestors ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1];

describe("a hand-off as a customer's screen", () => {
  const target: () => Target = targetService();
  const slugOf = async (client: Client, claim: OpenClaim, own: object = {}) =>
    shaped(await share(client, claim, own), 201, Handoff).slug;
  const read = (slug: string) => target().stranger().get(`/api/handoffs/${slug}`);
  const registered = async (email = newEmail()) => {
    const client = await target().signIn(email);
    shaped(await register(await target().browser(email), [APP]), 200, OriginList);
    return client;
  };
  const verified = async (url: string, origin = APP) => {
    const keys = createRemoteJWKSet(new URL(`${target().url}/.well-known/jwks.json`));
    const jws = new URL(url).searchParams.get("deed_outcome") ?? "";
    const options = { issuer: target().url, audience: origin, typ: "deed-outcome+jwt" };
    return (await jwtVerify(jws, keys, { ...options, algorithms: ["EdDSA"] })).payload;
  };

  it(says("C28.1", "C28.2", "C28.5"), async () => {
    const email = newEmail();
    const client = await registered(email);
    const claim = await openClaim(client, "acme.com");
    const other = await openClaim(client, newName());
    const words = { title: "Connect your domain to Acme", requestedFor: "Globex Corporation" };
    const handoff = shaped(
      await share(client, claim, { ...words, returnUrl: `${APP}/done` }),
      201,
      Handoff,
    );
    const { slug } = handoff;
    const shown = shaped(await read(slug), 200, SharedRecord);
    expect(shown).toEqual({
      domain: "acme.com",
      unicodeDomain: "acme.com",
      ...words,
      askedBy: `${email.charAt(0)}•••@acme.example`,
      askedAt: expect.any(String),
      record: {
        host: "_service-challenge",
        name: claim.name,
        type: "TXT",
        value: claim.token,
      },
      panel: null,
      status: "checking",
      diagnosis: null,
      waitEstimate: { reason: "first_check", secondsRemaining: expect.any(Number) },
      lastRunAt: null,
      nextRunAt: expect.any(String),
      expiresAt: handoff.expiresAt,
      back: { host: "app.example.com", url: `${target().url}/h/${slug}/back` },
    });
    expect(shaped(await share(client, claim), 201, Handoff)).toEqual(handoff);
    expect((await read(slug)).body).toMatchObject(words);
    await share(client, claim, { title: null, returnUrl: null, showAddress: true });
    expect((await read(`${slug}?utm_source=mail&utm_source=news`)).body).toMatchObject({
      title: null,
      requestedFor: words.requestedFor,
      askedBy: email,
      back: null,
    });

    target().own.playground.addRecord("acme.com", txt(`${claim.name}.acme.com`, claim.token));
    await client.post(`/api/verifications/${claim.verificationId}/runs`);
    const wrong = await read(slug);
    expect(shaped(wrong, 200, SharedRecord)).toMatchObject({
      status: "needs_attention",
      diagnosis: { code: "domain_appended" },
      panel: { zone: "acme.com" },
    });
    const { accountId } = z
      .object({ session: z.object({ accountId: z.string() }) })
      .parse((await (await target().browser(email)).get("/api/auth/session")).body).session;
    for (const secret of [
      accountId,
      claim.id,
      claim.domainId,
      claim.verificationId,
      other.token,
      other.name.split(".")[1] ?? "",
    ])
      expect(wrong.text).not.toContain(secret);

    expectError(await read("0".repeat(26)), "handoff_not_found");
    await client.post(`/api/claims/${claim.id}/cancel`);
    const ended = { how: "canceled", at: expect.any(String) };
    expectError(await read(slug), "handoff_ended", { ended, back: null });
  });

  it(says("C28.3", "C28.4"), async () => {
    const email = newEmail();
    const browser = await target().browser(email);
    const list = async () => (await browser.get("/api/account/origins")).body;
    expect(await list()).toEqual({ origins: [] });
    const given = ["https://B.example/", APP, "https://b.example:443", "http://localhost:4000"];
    const kept = { origins: ["http://localhost:4000", APP, "https://b.example"] };
    expect((await register(browser, given)).body).toEqual(kept);
    expect(await list()).toEqual(kept);
    for (const bad of [
      ["https://*.example.com"],
      ["https://a.example; script-src *"],
      ["https://a.example,https://b.example"],
      ["https://192.0.2.1"],
      ["http://app.example.com"],
      [`${APP}/path`],
      [APP, "x"],
      [7],
      APP,
      Array.from({ length: 21 }, (_, at) => `https://a${at}.example`),
    ])
      expectError(await register(browser, bad), "invalid_request");
    expect(await list()).toEqual(kept);
    const many = Array.from({ length: 20 }, (_, at) => `https://a${at}.example`);
    expect(shaped(await register(browser, many), 200, OriginList).origins).toHaveLength(20);
    expect((await register(browser, [])).body).toEqual({ origins: [] });
    expectError(await register(target().stranger(), [APP]), "unauthenticated");
    expect(await (await target().browser()).get("/api/account/origins")).toMatchObject({
      body: { origins: [] },
    });
    const log = (await browser.get("/account?log=all")).text;
    expect(log).toContain("Origin registered");
    expect(log).toContain("Origin removed");
    const { key } = (await browser.post("/api/keys", { name: "CI", scopes: ["domains:write"] }))
      .body as { key: string };
    const headers = { authorization: `Bearer ${key}` };
    const json = { origins: [APP] };
    const byKey = await target()
      .stranger()
      .request("PUT", "/api/account/origins", { headers, json });
    expectError(byKey, "insufficient_scope");
  });

  it(says("C2.12", "C16.11", "C28.6"), async () => {
    const client = await registered();
    const claim = await openClaim(client, newName());
    for (const text of [
      ...["a\u202eb", "a\u2066b", "a\u200bb", "a\u0000b", "a\nb", "a\u2028b", "a\u00adb"],
      ...[
        "a\u3164b",
        "a\u2800b",
        "a\u115fb",
        "a\u034fb",
        "a\u200d\u200db",
        "a\ufe0f",
        "a\u{e0041}b",
      ],
      ...["", "   ", "\u200d", "…", `a${"\u0301".repeat(5)}`, "a".repeat(101), 7, "a\ud800"],
    ])
      for (const name of ["title", "requestedFor"])
        expectError(await share(client, claim, { [name]: text }), "invalid_request");
    const title = '<script>alert("x")</script> & co';
    const requestedFor = "Müller & Søn, 株式会社, נעמי, می‌خواهم, श्री, 👩‍❤️‍👨 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣ ❤️";
    const slug = await slugOf(client, claim, { title, requestedFor });
    expect((await read(slug)).body).toMatchObject({ title, requestedFor });
    const { text } = await target().stranger().get(`/h/${slug}`);
    expect(text).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; co");
    expect(text).not.toContain("<script>alert");
    const words = (page: string) => page.replace(/<!-- -->|<[^>]+>/g, "").replace(/\s+/g, " ");
    const plain = words(text);
    expect(plain).toContain(`asked through Deed at ${target().url} on`);
    expect(plain).toContain("h•••@acme.example asked");
    const own = words((await client.get(`/claims/${claim.id}`)).text);
    expect(own).toContain(`Deed at ${target().url} asks for the record.`);
    expect(plain).toContain("The heading and the name in quotes are theirs");
    expect(text).toMatch(/<title>[^<]* · n[^<]* · Deed<\/title>/);
  });

  it(says("C28.7"), async () => {
    const client = await registered();
    const claim = await openClaim(client, newName());
    for (const returnUrl of [
      ...[
        "/done",
        "app.example.com",
        "javascript:alert(1)",
        "data:text/html,x",
        "//app.example.com",
      ],
      ...["http://app.example.com/", "https://user@app.example.com/", "https://[::1]/", ""],
      ...[`${APP}/?deed_outcome=x`, `${APP}/${"a".repeat(1_000)}`, 7],
    ])
      expectError(await share(client, claim, { returnUrl }), "invalid_request");
    for (const returnUrl of [
      ...["https://other.example/", `${APP}.other.example/`, `${APP}:8443/`],
      ...[
        "https://app.example.com@other.example".replace("app.example.com@", ""),
        "http://localhost/",
      ],
    ])
      expectError(await share(client, claim, { returnUrl }), "origin_not_registered");
    expect((await client.get(`/claims/${claim.id}`)).text).not.toContain("Take the link back");
    expect(
      (await share(client, claim, { returnUrl: "HTTPS://APP.example.com\\\\done" })).status,
    ).toBe(201);
  });

  it(says("C28.8", "C28.9"), async () => {
    const client = await registered();
    const zone = newName();
    target().own.playground.addZone({ name: zone, nameservers: ["ns1.hosting.example"] });
    const claim = await openClaim(client, zone);
    const slug = await slugOf(client, claim, { returnUrl: `${APP}/done?state=9f3a&a=b#tab` });
    const stranger = target().stranger();
    const back = async () => {
      const answer = await stranger.get(`/h/${slug}/back`);
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([303, "no-store"]);
      return answer.headers.get("location") ?? "";
    };
    const early = await back();
    expect(early).toMatch(
      /^https:\/\/app\.example\.com\/done\?state=9f3a&a=b&deed_outcome=[\w-]+\.[\w-]+\.[\w-]+#tab$/,
    );
    expect((await stranger.get(`/h/${slug}`)).text).toContain(`href="/h/${slug}/back"`);
    const said = await verified(early);
    expect(said).toEqual({
      iss: target().url,
      aud: APP,
      sub: zone,
      claim: claim.id,
      reference: null,
      outcome: "pending",
      state: "9f3a",
      iat: expect.any(Number),
      exp: (said.iat ?? 0) + 300,
      jti: expect.any(String),
    });
    expect((await verified(await back())).jti).not.toBe(said.jti);
    await expect(verified(early, "https://other.example")).rejects.toThrow('"aud"');

    target().own.playground.addRecord(zone, txt(claim.name, claim.token));
    target().own.playground.flushWitnesses();
    await client.post(`/api/verifications/${claim.verificationId}/runs`);
    expect(await verified(await back())).toMatchObject({ outcome: "proved", claim: claim.id });
    const page = await stranger.get(`/h/${slug}`);
    expect(page.status).toBe(410);
    expect(page.text).toMatch(/class="button primary"[^>]*>Back to /);
    expectError(await read(slug), "handoff_ended", {
      ended: { how: "proved", at: expect.any(String) },
      back: { host: "app.example.com", url: `${target().url}/h/${slug}/back` },
    });

    const second = await openClaim(client, newName());
    const gone = await slugOf(client, second, { returnUrl: APP });
    await client.post(`/api/claims/${second.id}/handoff/revoke`);
    const plain = await slugOf(client, second);
    for (const nowhere of [gone, plain, "0".repeat(26)]) {
      const answer = await stranger.get(`/h/${nowhere}/back`);
      expect([answer.status, answer.headers.get("location")]).toEqual([404, null]);
      expect((await stranger.get(`/h/${nowhere}`)).text).not.toContain("/back");
    }
    expectError(await read(gone), "handoff_ended", {
      ended: { how: "revoked", at: expect.any(String) },
      back: null,
    });
  });

  it(says("C28.10"), async () => {
    const email = newEmail();
    const client = await registered(email);
    const browser = await target().browser(email);
    const claim = await openClaim(client, newName());
    const slug = await slugOf(client, claim, { returnUrl: `${APP}/done` });
    await register(browser, [APP, "https://b.example"]);
    const stranger = target().stranger();
    const page = () => stranger.get(`/h/${slug}`);
    const check = () =>
      stranger.request("POST", `/h/${slug}`, {
        body: "intent=nothing",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    for (const answer of [await page(), await check()]) {
      expect(policyOf(answer)).toBe(`${APP} https://b.example`);
      expect(answer.headers.get("x-frame-options")).toBeNull();
    }
    const other = await target().signIn();
    const foreign = await slugOf(other, await openClaim(other, newName()));
    for (const path of [
      ...[`/h/${foreign}`, `/h/${"0".repeat(26)}`, `/h/${"0".repeat(26)}/back`, `/h/${slug}/none`],
      ...["/", "/account", `/claims/${claim.id}`, `/api/handoffs/${slug}`, "/docs/what-is-this"],
    ])
      for (const who of [stranger, browser])
        expect([path, policyOf(await who.get(path))]).toEqual([path, "'none'"]);

    await register(browser, ["https://b.example"]);
    expect(policyOf(await page())).toBe("https://b.example");
    expect((await page()).text).not.toContain("/back");
    expect((await read(slug)).body).toMatchObject({ back: null });
    expect((await stranger.get(`/h/${slug}/back`)).status).toBe(404);
    await register(browser, []);
    expect(policyOf(await page())).toBe("'none'");
    await register(browser, [APP]);
    expect((await stranger.get(`/h/${slug}/back`)).status).toBe(303);
    await client.post(`/api/claims/${claim.id}/cancel`);
    expect(policyOf(await page())).toBe(APP);
  });
});
