import { foundAt } from "@deed/dns/testing/readings.ts";
import { isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { claimed, proved, stay, testService } from "#app/core/testing/service.ts";
import { changeFeed, claims, domains, handoffs, watches } from "#db/schema.ts";
import { cancelClaim, openClaim } from "../claims/claims.server.ts";
import { WINDOW_MS } from "../claims/transition.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { archiveDomain } from "../domains/domains.server.ts";
import { ensureByName, findByName } from "./by-name.server.ts";

const name = "acme.com";

test("C31.4: an expired claim is answered as ended, and followed only once", async () => {
  const { service, ctx, account, claim } = await claimed();
  service.now += WINDOW_MS;
  const ensure = (again?: string) => ensureByName(ctx, account.id, { name, again, handoff: {} });
  const ended = { claim: { id: claim.id, state: "expired" }, record: null, handoff: null };
  expect(await ensure()).toMatchObject({ isNew: false, answer: ended });
  const next = await ensure(claim.id);
  expect(next).toMatchObject({ isNew: true, answer: { claim: { state: "pending" } } });
  expect(next.answer.handoff).not.toBeNull();
  const same = { isNew: false, answer: { claim: next.answer.claim } };
  expect(await ensure(claim.id)).toMatchObject(same);
  service.now += 1;
  await cancelClaim(ctx, account.id, next.answer.claim.id);
  // If two claims ended, the newest is answered, whatever their states.
  const canceled = { id: next.answer.claim.id, state: "canceled" };
  expect(await ensure(claim.id)).toMatchObject({ isNew: false, answer: { claim: canceled } });
});

test("C31.2: the newest proof is answered, until a claim is open", async () => {
  const { service, ctx, account, claim } = await proved();
  const shown = async () => (await findByName(ctx, account.id, { name })).claim.id;
  service.now += 1_000;
  const later = await openClaim(ctx, account.id, claim.domainId);
  expect(await shown()).toBe(later.id);
  await cancelClaim(ctx, account.id, later.id);
  expect(await shown()).toBe(claim.id);
});

test("what is refused leaves nothing: no domain, claim, page or event", async () => {
  const service = testService();
  service.ctx.settings.openClaims = 1;
  const { ctx, account, claim } = await claimed(service);
  const rows = () =>
    [domains, claims, handoffs, changeFeed].map((table) => ctx.db.select().from(table).all());
  const before = rows();
  const refused = async (wanted: object, code: string) => {
    const asked = ensureByName(ctx, account.id, { name: "b.example", ...wanted });
    await expect(asked).rejects.toMatchObject({ code });
  };
  await refused({}, "too_many_claims");
  service.ctx.settings.openClaims = 2;
  await refused({ handoff: { returnUrl: "https://x.example" } }, "origin_not_registered");
  await refused({ again: claim.id }, "claim_not_found");
  await refused({ name: "a..b" }, "invalid_domain");
  expect(rows()).toEqual(before);
  await archiveDomain(ctx, account.id, claim.domainId);
  await refused({ name, again: claim.id }, "domain_archived");
});

test("after a proof, its id opens another claim, once at a time, and takes nothing away", async () => {
  const { service, ctx, account, claim } = await proved();
  service.now += 1_000;
  const ensure = (again?: string) => ensureByName(ctx, account.id, { name, again });
  expect(await ensure()).toMatchObject({ isNew: false, answer: { claim: { id: claim.id } } });
  const next = await ensure(claim.id);
  const opened = { holds: true, record: { type: "TXT" }, claim: { state: "pending" } };
  expect(next).toMatchObject({ isNew: true, answer: opened });
  expect(await ensure(claim.id)).toMatchObject({ isNew: false, answer: next.answer });
});

test("`watch` has the record watched from its proof on, or at once", async () => {
  const { ctx, account, claim, run } = await claimed();
  const ensure = (watch?: boolean) => ensureByName(ctx, account.id, { name, watch });
  await ensure(true);
  await ensure(false);
  await run(foundAt);
  const watch = { claimId: claim.id, state: "published" };
  expect((await ensure()).answer.watch).toBeNull();
  expect((await ensure(true)).answer).toMatchObject({ watch, claim: { watch } });
  const other = await ensureByName(ctx, account.id, { name: "b.example", watch: true });
  expect(other.answer).toMatchObject({ watch: null, holds: false });
  await ensureByName(ctx, account.id, { name: "b.example" });
  await runVerification(ctx, account.id, other.answer.claim.verificationId, stay);
  const after = await findByName(ctx, account.id, { name: "b.example" });
  expect(after).toMatchObject({ holds: true, watch: { claimId: other.answer.claim.id } });
  expect(ctx.db.select().from(watches).where(isNull(watches.nextAskAt)).all()).toEqual([]);
});
