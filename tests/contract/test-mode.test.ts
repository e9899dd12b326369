import { expect, it } from "vitest";
import type { Handoff } from "#app/features/handoffs/resources.ts";
import type { ProofLink } from "#app/features/proofs/resources.ts";
import { keyOf } from "../support/deed.ts";
import { targetService } from "./kit.ts";
import { says } from "./sentences.ts";

const target = targetService();

it(says("C32.6"), async () => {
  const { key } = await keyOf(await target().signIn(), ["domains:read", "domains:write"], true);
  const [stranger, program] = [target().stranger(), target().program(key)];
  const call = async <Body>(method: string, path: string, json?: object) =>
    (await program.request(method, `/api/${path}`, { json })).body as Body;
  type ByName = { claim: { id: string }; handoff: Handoff };
  const place = "domains/by-name/record-absent.test";
  const asked = await call<ByName>("PUT", place, { handoff: {} });
  const says = async (path: string, status: number) => {
    const answer = await stranger.get(path);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.text).toContain("TEST. This page belongs to test mode");
    return answer.text;
  };
  const page = `/h/${asked.handoff.slug}`;
  expect(page).toMatch(/^\/h\/test_/);
  // Reads in test mode, and shows what the check found.
  expect((await stranger.submit(page, { intent: "check" })).status).toBe(303);
  expect(await says(page, 200)).toContain("History: 1 check");
  await call("POST", "test/clock", { seconds: 7200 });
  await says(page, 410);
  const links = `claims/${asked.claim.id}/proof_links`;
  const { slug } = await call<ProofLink>("POST", links);
  expect(await says(`/p/${slug}`, 200)).toContain("<title>TEST: Proof of control");
  const checked = await stranger.submit(`/p/${slug}`);
  expect(checked.text).toContain("<title>TEST: This proof is not genuine · Proof of control");
  expect(checked.text).toContain("This proof is not genuine: do not rely on it");
  await call("POST", `${links}/${slug}/revoke`);
  await says(`/p/${slug}`, 410);
  const real = await stranger.get("/p/00000000000000000000000000");
  expect(real.text).not.toContain("TEST.");
});
