import { verifyReceipt } from "@deed/receipt/verify.ts";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { call } from "#app/api/testing.ts";
import { jwkSet } from "#app/features/receipts/keys.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { DAY, EMAIL, HOUR, receiving, startedWorld } from "./testing.ts";

describe("what leaves test mode", () => {
  it("C32.5: are posts, at their moments, with a signature that receivers accept", async () => {
    const app = testApp();
    const posts = receiving(app);
    const { cookie, prove, move, ok, real } = await startedWorld(app);
    const wanted = { url: "https://hooks.example/deed", events: ["claim.proved", "claim.opened"] };
    const { secret } = await ok<{ secret: string }>("POST", "/api/webhooks", wanted);
    await call(app, "POST", "/api/webhooks", { cookie, json: wanted });
    expect((await real("GET", "/api/webhooks")).body).not.toEqual(await ok("GET", "/api/webhooks"));
    const { claim } = await prove("value-formatted.test");
    await move(2 * HOUR);
    expect(posts.map(({ type }) => type)).toEqual(["claim.opened", "claim.proved"]);
    const provedAt = Date.parse(posts[1]?.at ?? "");
    expect(provedAt - app.clock()).toBeGreaterThanOrEqual(30 * 60_000);
    expect(provedAt - app.clock()).toBeLessThan(40 * 60_000);
    for (const { headers, body } of posts) {
      expect(Number(headers["webhook-timestamp"])).toBe(Math.floor(app.clock() / 1_000));
      const id = headers["webhook-id"] ?? "";
      const signature = new Webhook(secret).sign(id, new Date(app.clock()), body);
      expect(headers["webhook-signature"]).toBe(signature);
      expect(JSON.parse(body).data.claim.id).toBe(claim.id);
    }
  });

  it("C32.4: are no mails: they are in the outbox", async () => {
    const { app, prove, move } = await startedWorld();
    await prove("proved.test");
    await prove("expired.test");
    const { mails } = await move(2 * DAY);
    expect(app.mails).toEqual([]);
    const subjects = ["expired.test is not proved yet", "proved.test is proved"];
    expect(mails.map(({ subject }) => subject)).toEqual(subjects);
    expect(mails.every(({ to }) => to === EMAIL)).toBe(true);
    expect(Date.parse(mails[0]?.at ?? "") - app.clock()).toBe(DAY * 1_000);
  });

  it("C32.6: are receipts that no verifier accepts, by a key in no key set", async () => {
    const { app, prove, move, ok } = await startedWorld();
    const { claim } = await prove("proved.test");
    await move(60);
    const link = await ok<{ slug: string }>("POST", `/api/claims/${claim.id}/proof_links`);
    expect(link.slug).toMatch(/^test_[0-9a-f]{24}_[0-9a-hjkmnp-tv-z]{26}$/);
    const { body } = await call(app, "GET", `/api/proofs/${link.slug}/receipt`);
    const receipt = body as { about: string; statement: string };
    expect(receipt.about).toMatch(/^TEST\. /);
    const [header = ""] = receipt.statement.split(".");
    const { typ, kid, jwk } = JSON.parse(Buffer.from(header, "base64url").toString());
    expect(typ).toBe("deed-test+jwt");
    expect(jwkSet(app).keys.map((one) => one.kid)).not.toContain(kid);
    // Even if a reader takes its key for the installation's.
    for (const keys of [jwkSet(app).keys, [{ ...jwk, kid }]]) {
      const report = await verifyReceipt(JSON.stringify(receipt), { keys, anchors: [] });
      expect(report.verdict).toBe("bad");
    }
    const proof = () => call(app, "GET", `/api/proofs/${link.slug}`);
    expect((await proof()).body).toMatchObject({ domain: "proved.test" });
    await ok("POST", `/api/claims/${claim.id}/proof_links/${link.slug}/revoke`);
    expect((await proof()).status).toBe(410);
  });
});
