import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Handoff } from "#app/features/handoffs/resources.ts";
import type { ProofLink } from "#app/features/proofs/resources.ts";
import { Client } from "../support/deed.ts";
import { newEmail, targetService } from "./kit.ts";
import { says } from "./sentences.ts";

const target = targetService();

/** A program with a test key, and the browser of who made it. */
async function program(email = newEmail()) {
  const browser = await target().signIn(email);
  const { key } = await browser.expect<{ key: string }>(201, "POST", "/api/keys", {
    name: "Tests",
    scopes: ["domains:read", "domains:write"],
    test: true,
  });
  class Program extends Client {
    override request(...[method, path, options = {}]: Parameters<Client["request"]>) {
      const headers = { ...options.headers, authorization: `Bearer ${key}` };
      return super.request(method, path, { ...options, headers });
    }
  }
  return { browser, email, client: new Program(target().url) };
}

type ByName = { claim: { id: string; state: string }; handoff: Handoff | null };
const at = (name: string) => `/api/domains/by-name/${name}`;
const worlds = () =>
  readdirSync(target().own.service.dataDir).filter((f) => /^test-.*\.db$/.test(f));

describe("test mode", () => {
  it(says("C32.6"), async () => {
    const { client } = await program();
    const stranger = target().stranger();
    const asked = await client.expect<ByName>(201, "PUT", at("record-absent.test"), {
      handoff: {},
    });
    const page = `/h/${asked.handoff?.slug}`;
    const says = async (path: string, status: number) => {
      const answer = await stranger.get(path);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.text).toContain("TEST. This page is of test mode");
      return answer.text;
    };
    expect(asked.handoff?.slug).toMatch(/^test_/);
    await says(page, 200);
    // Reads in test mode, and says what the check found.
    expect((await stranger.submit(page, { intent: "check" })).status).toBe(303);
    expect(await says(page, 200)).toContain("History: 1 check");
    await client.expect(200, "POST", "/api/test/clock", { seconds: 7200 });
    await says(page, 410);
    const { slug } = await client.expect<ProofLink>(
      201,
      "POST",
      `/api/claims/${asked.claim.id}/proof_links`,
    );
    expect(await says(`/p/${slug}`, 200)).toContain("<title>TEST: Proof of control");
    const checked = await stranger.submit(`/p/${slug}`);
    expect(checked.text).toContain("This proof is not genuine: do not rely on it");
    await client.expect(200, "POST", `/api/claims/${asked.claim.id}/proof_links/${slug}/revoke`);
    await says(`/p/${slug}`, 410);
    const real = await stranger.get("/p/00000000000000000000000000");
    expect(real.text).not.toContain("TEST.");
  });

  it(says("C32.8"), async () => {
    const before = worlds();
    const { client, browser, email } = await program();
    const { handoff } = await client.expect<ByName>(201, "PUT", at("proved.test"), { handoff: {} });
    expect(worlds()).toHaveLength(before.length + 1);
    await browser.expect(204, "DELETE", "/api/account", { email });
    expect(worlds()).toEqual(before);
    expect((await target().stranger().get(`/h/${handoff?.slug}`)).status).toBe(404);
    expect((await client.get(at("proved.test"))).status).toBe(401);
  });
});
