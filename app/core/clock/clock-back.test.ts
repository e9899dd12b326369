import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { cancelClaim, openClaim } from "#app/features/claims/claims.server.ts";
import { rescheduleAfterRollback } from "#app/features/claims/expiry.server.ts";
import { listAttempts } from "#app/features/claims/verifications.server.ts";
import { addDomain, archiveDomain } from "#app/features/domains/domains.server.ts";
import { createHandoff, revokeHandoff } from "#app/features/handoffs/handoffs.server.ts";
import { createKey, listKeys, revokeKey, rotateKey } from "#app/features/keys/keys.server.ts";
import { listNotices, markNoticeRead } from "#app/features/notices/notices.server.ts";
import {
  listProofLinks,
  publishProof,
  readProof,
  revokeProofLink,
} from "#app/features/proofs/proofs.server.ts";
import { keyById, noteUse, shouldNoteUse } from "#app/http/caller/api-key.server.ts";
import { accountForEmail, personOf } from "../testing/accounts.ts";
import { claimed, NOON, published, testService } from "../testing/service.ts";
import { DAY, HOUR, iso } from "../time.ts";

/** A restart with the clock a day behind: all stored times are later, and each write must pass the CHECKs on times. */

const BEHIND = NOON - DAY;

test("the CHECKs that compare times are those whose writers are tried here and in session.test.ts", () => {
  const { $client } = testService().ctx.db;
  const tables = $client.prepare("select sql from sqlite_master where sql is not null").pluck();
  const instant = String.raw`"\w+"\."(?:\w+_at|\w+_until|deadline)"`;
  const comparison = new RegExp(`${instant} (?:[<>]=?|=) ${instant}`);
  const names = (tables.all() as string[]).flatMap((text) =>
    [...text.matchAll(/CONSTRAINT "(\w+)" CHECK\((.*)\)/g)]
      .filter(([, , rule = ""]) => comparison.test(rule))
      .map(([, name]) => name),
  );
  expect(names.sort().join(" ")).toBe(
    "api_keys_order claims_expired_at_deadline claims_proved_in_window claims_window handoffs_order " +
      "invitations_order proof_links_order sessions_order verifications_next_before_deadline",
  );
});

describe("with the clock a day behind", () => {
  test("archiving revokes the domain's links, at the moment they were issued", async () => {
    const { service, ctx, account, claim, link } = await published();
    service.now = BEHIND;
    expect((await archiveDomain(ctx, account.id, claim.domainId)).archived).toBe(true);
    const revoked = expect.objectContaining({ code: "proof_revoked" });
    expect(() => readProof(ctx, link.slug)).toThrow(revoked);
    expect(listProofLinks(ctx, account.id, claim.id)).toEqual([
      { ...link, standing: "revoked", revokedAt: link.issuedAt },
    ]);
  });

  test("so do revoking a link and a hand-off", async () => {
    const { service, ctx, account, claim, link } = await published();
    const other = (await addDomain(ctx, account.id, "other.example")).domain;
    const open = await openClaim(ctx, account.id, other.id);
    const handoff = await createHandoff(ctx, account.id, open.id);
    service.now = BEHIND;
    const revoked = await revokeProofLink(ctx, account.id, claim.id, link.slug);
    expect(revoked.revokedAt).toBe(link.issuedAt);
    const back = await revokeHandoff(ctx, account.id, open.id);
    expect(back.revokedAt).toBe(handoff.createdAt);
  });

  test("an API key is used, rotated, used again and revoked, and another made", async () => {
    const service = testService();
    const { ctx } = service;
    const person = personOf(await accountForEmail(ctx, "mara@acme.com"));
    const fields = { name: "CI", scopes: ["domains:read" as const], addresses: [] };
    const end = { ...fields, expiresAt: NOON + HOUR };
    const { id } = await createKey(ctx, person, { ...end, id: "key_1", secretHash: "first" });
    const used = async (secretHash: string) => {
      const row = keyById(ctx, id);
      if (!row) throw new Error("no key");
      const use = { lastUsedAt: service.now, lastUsedFrom: "203.0.113.7", secretHash };
      expect(shouldNoteUse(row, use.lastUsedFrom, use.lastUsedAt)).toBe(true);
      await noteUse(ctx, row, use);
      return listKeys(ctx, person.accountId)[0]?.lastUsedAt;
    };
    expect(await used("first")).toBe(iso(NOON));
    service.now = BEHIND;
    expect(await used("first")).toBe(iso(BEHIND));
    const rotated = await rotateKey(ctx, person, id, "second");
    expect(rotated).toMatchObject({ rotatedAt: iso(BEHIND), previousUntil: iso(NOON) });
    service.now -= DAY;
    expect(await used("second")).toBe(iso(BEHIND - DAY));
    const other = { ...fields, id: "key_2", secretHash: "other" };
    // The time may pass while the write waits for others.
    const expired = createKey(ctx, person, { ...other, expiresAt: service.now });
    await expect(expired).rejects.toMatchObject({ code: "invalid_request" });
    await createKey(ctx, person, { ...other, expiresAt: service.now + 1 });
    await revokeKey(ctx, person, id);
    expect(listKeys(ctx, person.accountId).map((key) => key.id)).toEqual(["key_2"]);
  });

  test("a claim is canceled, and archived, at the moment it was opened", async () => {
    const { service, ctx, account, claim } = await claimed();
    const other = (await addDomain(ctx, account.id, "other.example")).domain;
    const second = await openClaim(ctx, account.id, other.id);
    service.now = BEHIND;
    const canceled = await cancelClaim(ctx, account.id, claim.id);
    expect(canceled).toMatchObject({ state: "canceled", endedAt: claim.createdAt, records: [] });
    expect((await archiveDomain(ctx, account.id, second.domainId)).archived).toBe(true);
  });

  test("a claim opens, is read, replanned and proved, and its link issued", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    service.now = BEHIND;
    service.see = absentAt;
    expect((await run()).status).toBe("needs_attention");
    await rescheduleAfterRollback(ctx);
    service.see = foundAt;
    expect((await run()).status).toBe("proved");
    const link = await publishProof(ctx, account.id, claim.id);
    expect(link.issuedAt).toBe(iso(BEHIND));
    const [notice] = listNotices(ctx, account.id, {}).notices;
    expect((await markNoticeRead(ctx, account.id, notice?.id ?? "")).readAt).not.toBeNull();
    const again = await openClaim(ctx, account.id, claim.domainId);
    expect(again.createdAt).toBe(iso(BEHIND));
  });

  test("a read during which the clock went back took no time", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    service.see = (question, at) => {
      service.now -= 5_000;
      return absentAt(question, at);
    };
    await run();
    const [attempt] = await listAttempts(ctx, account.id, claim.verificationId);
    expect(attempt?.latencyMs).toBe(0);
  });
});
