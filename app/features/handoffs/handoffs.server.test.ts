import { foundAt, holdingAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { deleteAccount } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed, NOON, type TestService, testService } from "#app/core/testing/service.ts";
import { claimScreen } from "#app/features/claims/view/claim-screen.server.ts";
import { cancelClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { addDomain, archiveDomain, deleteDomain } from "../domains/domains.server.ts";
import { handoffScreen } from "./handoff-screen.server.ts";
import { createHandoff, handoffOfClaim, resolveHandoff, revokeHandoff } from "./handoffs.server.ts";

const stay = new AbortController().signal;
const WEEK = 7 * 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
/** A page shared without any field. */
const PLAIN = { showAddress: false, title: null, requestedFor: null, back: null };
const failing = (code: string) => expect.objectContaining({ code });

/** A claim handed off a second after it was opened. */
async function handedOver(service: TestService) {
  const mine = await claimed(service);
  service.now += 1_000;
  const handoff = await createHandoff(service.ctx, mine.account.id, mine.claim.id);
  return { ...mine, handoff };
}

const ENDINGS = {
  proved: async (service: TestService, { account, claim }: Awaited<ReturnType<typeof claimed>>) => {
    service.see = foundAt;
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
  },
  canceled: ({ ctx }, { account, claim }) => cancelClaim(ctx, account.id, claim.id),
  archived: ({ ctx }, { account, claim }) => archiveDomain(ctx, account.id, claim.domainId),
  expired: async (service) => {
    service.now = NOON + WEEK;
  },
} satisfies Record<
  string,
  (service: TestService, mine: Awaited<ReturnType<typeof claimed>>) => Promise<unknown>
>;

describe("handing a claim over", () => {
  test("issues one page, and the same when asked twice", async () => {
    const service = testService();
    const { account, claim, handoff } = await handedOver(service);
    expect(handoff).toEqual({
      slug: handoff.slug,
      url: `http://deed.test/h/${handoff.slug}`,
      claimId: claim.id,
      createdAt: iso(NOON + 1_000),
      expiresAt: claim.expiresAt,
    });
    expect(handoff.slug).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
    service.now += 1_000;
    expect(await createHandoff(service.ctx, account.id, claim.id)).toEqual(handoff);
    expect(handoffOfClaim(service.ctx, account.id, claim)).toEqual({ ...handoff, ...PLAIN });
  });

  test.each(Object.entries(ENDINGS))("is refused once the claim is %s", async (_, end) => {
    const service = testService();
    const mine = await handedOver(service);
    await end(service, mine);
    for (const act of [createHandoff, revokeHandoff])
      await expect(act(service.ctx, mine.account.id, mine.claim.id)).rejects.toEqual(
        failing("claim_ended"),
      );
  });

  test("is the account's own to do", async () => {
    const service = testService();
    const { account, claim, handoff } = await handedOver(service);
    const stranger = await accountForEmail(service.ctx, "stranger@example.org");
    for (const act of [createHandoff, revokeHandoff])
      await expect(act(service.ctx, stranger.id, claim.id)).rejects.toEqual(
        failing("claim_not_found"),
      );
    expect(handoffOfClaim(service.ctx, account.id, claim)).toEqual({ ...handoff, ...PLAIN });
  });
});

describe("the page of a hand-off", () => {
  test("does not name another domain of the account, whose token stands there", async () => {
    const service = testService();
    const { account, claim, handoff } = await handedOver(service);
    const other = await claimed(service, "maria@example.org", "secret-project.com");
    service.see = holdingAt(other.claim.token);
    await runVerification(service.ctx, account.id, claim.verificationId, stay);

    const own = await claimScreen(service.ctx, account.id, claim.id, null);
    expect(own.verification.diagnosis).toMatchObject({
      code: "foreign_token",
      observed: { value: other.claim.token, domain: "secret-project.com" },
    });
    expect(own.verification.diagnosis?.cause).toContain("the value for secret-project.com");

    const screen = await handoffScreen(service.ctx, handoff.slug, null);
    expect(JSON.stringify(screen)).not.toContain("secret-project");
    expect(screen).toMatchObject({
      view: {
        verification: {
          diagnosis: { code: "foreign_token", observed: { value: other.claim.token } },
        },
      },
    });
  });
});

describe("taking it back", () => {
  test("ends it for good; there is nothing to take back twice; a new one gets a new slug", async () => {
    const service = testService();
    const { account, claim, handoff } = await handedOver(service);
    service.now += 5_000;
    const revoked = await revokeHandoff(service.ctx, account.id, claim.id);
    expect(revoked).toEqual({ ...handoff, revokedAt: iso(service.now) });
    expect(handoffOfClaim(service.ctx, account.id, claim)).toBeNull();
    await expect(revokeHandoff(service.ctx, account.id, claim.id)).rejects.toEqual(
      failing("handoff_not_found"),
    );
    const fresh = await createHandoff(service.ctx, account.id, claim.id);
    expect(fresh.slug).not.toBe(handoff.slug);
    expect((await resolveHandoff(service.ctx, fresh.slug)).end).toBeNull();

    await cancelClaim(service.ctx, account.id, claim.id);
    const end = { type: "ended", back: null, how: "revoked", at: revoked.revokedAt };
    expect(await handoffScreen(service.ctx, handoff.slug, null)).toEqual(end);
  });
});

describe("its page", () => {
  test("shows the record, its panel and the reads, and nothing else of the account", async () => {
    const service = testService();
    const { account, claim, handoff } = await handedOver(service);
    const other = await addDomain(service.ctx, account.id, "secret-plans.example");
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
    const screen = await handoffScreen(service.ctx, handoff.slug, null);
    expect(screen).toMatchObject({
      type: "open",
      askedBy: "m•••@example.org",
      view: {
        claim: { domain: "acme.com", state: "pending" },
        verification: { status: "needs_attention", diagnosis: { code: "record_absent" } },
        record: { value: claim.token },
        labels: { hostToType: "_service-challenge", valueToType: claim.token },
        reads: {
          count: 1,
          groups: [{ trigger: "requested", results: [{ says: "no record" }] }],
        },
      },
    });
    const text = JSON.stringify(screen);
    for (const secret of [
      account.id,
      "maria",
      claim.id,
      claim.domainId,
      claim.verificationId,
      handoff.slug,
      other.domain.id,
      "secret-plans",
    ])
      expect(text).not.toContain(secret);
  });

  test.each(Object.entries(ENDINGS))("says how it ended: %s", async (name, end) => {
    const service = testService();
    const mine = await handedOver(service);
    service.now += 60_000;
    await end(service, mine);
    const how = name === "archived" ? "canceled" : name;
    expect(await handoffScreen(service.ctx, mine.handoff.slug, null)).toEqual({
      type: "ended",
      back: null,
      how,
      at: iso(service.now),
    });
  });

  test("ends where the deadline passes while it is read", async () => {
    const service = testService();
    const { handoff } = await handedOver(service);
    service.now = NOON + WEEK - 2;
    const ctx = { ...service.ctx, clock: () => service.now++ };
    expect(await handoffScreen(ctx, handoff.slug, null)).toMatchObject({ how: "expired" });
  });

  test("ends at the deadline on a copy of the database that cannot write it down", async () => {
    const service = testService();
    const { handoff } = await handedOver(service);
    service.now = NOON + WEEK;
    service.ctx.db.$replication = {
      isWritable: () => false,
      waitUntilWritable: () => Promise.reject(new Error("no writes here")),
      position: () => 0n,
      confirmCommit: () => {},
      readOnlyError: () => new Error("refused"),
      outcomeUnknownError: () => new Error("lost"),
    };
    expect(await handoffScreen(service.ctx, handoff.slug, null)).toEqual({
      type: "ended",
      back: null,
      how: "expired",
      at: handoff.expiresAt,
    });
  });

  test("is not found where none was issued, and once its domain or account is erased", async () => {
    const service = testService();
    const { account, claim, handoff } = await handedOver(service);
    for (const slug of ["0", "", claim.id, claim.token])
      await expect(handoffScreen(service.ctx, slug, null)).rejects.toEqual(
        failing("handoff_not_found"),
      );
    await deleteDomain(service.ctx, account.id, claim.domainId);
    await expect(handoffScreen(service.ctx, handoff.slug, null)).rejects.toEqual(
      failing("handoff_not_found"),
    );
    const again = await handedOver(service);
    await deleteAccount(service.ctx, account.id);
    await expect(handoffScreen(service.ctx, again.handoff.slug, null)).rejects.toEqual(
      failing("handoff_not_found"),
    );
  });
});
