import { describe, expect, test } from "vitest";
import { accountForEmail, deleteAccount, personOf } from "../accounts/accounts.server.ts";
import { listOrigins, setOrigins } from "../accounts/origins.server.ts";
import { cancelClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { addDomain, archiveDomain, deleteDomain } from "../domains/domains.server.ts";
import { claimScreen } from "../screens/claim-screen.server.ts";
import { handoffScreen, wayBackOf } from "../screens/handoff-screen.server.ts";
import { foundAt, holdingAt } from "../testing/observations.ts";
import { claimed, NOON, type TestService, testService } from "../testing/service.ts";
import {
  createHandoff,
  framersOf,
  handoffOfClaim,
  resolveHandoff,
  revokeHandoff,
} from "./handoffs.server.ts";

const stay = new AbortController().signal;
const WEEK = 7 * 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
/** A page shared without any field. */
const PLAIN = { showAddress: false, title: null, requestedFor: null, backTo: null };
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
    const end = { type: "ended", backTo: null, how: "revoked", at: revoked.revokedAt };
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
          groups: [
            { trigger: "requested", results: [{ outcome: "absent", code: "record_absent" }] },
          ],
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
      backTo: null,
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
      backTo: null,
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

describe("the way back", () => {
  const returnUrl = "https://app.example/done?state=1";
  const asked = async (service: TestService) => {
    const { account, claim } = await claimed(service);
    await setOrigins(service.ctx, personOf(account), ["https://app.example"]);
    const { slug } = await createHandoff(service.ctx, account.id, claim.id, { returnUrl });
    return { account, claim, slug };
  };
  const backTo = async ({ ctx }: TestService, slug: string) =>
    (await handoffScreen(ctx, slug, null)).backTo;

  test("is there while its origin is registered, and again once it is again", async () => {
    const service = testService();
    const { account, claim, slug } = await asked(service);
    const holds = () => handoffOfClaim(service.ctx, account.id, claim)?.backTo;
    expect([await backTo(service, slug), holds()]).toEqual(["app.example", "app.example"]);
    expect(await wayBackOf(service.ctx, slug)).toContain(`${returnUrl}&deed_outcome=`);
    expect(framersOf(service.ctx, slug)).toEqual(["https://app.example"]);
    await setOrigins(service.ctx, personOf(account), ["https://app.example:8443"]);
    expect([await backTo(service, slug), holds()]).toEqual([null, null]);
    await expect(wayBackOf(service.ctx, slug)).rejects.toEqual(failing("handoff_not_found"));
    expect(framersOf(service.ctx, slug)).toEqual(["https://app.example:8443"]);
    await setOrigins(service.ctx, personOf(account), ["https://app.example"]);
    expect(await backTo(service, slug)).toBe("app.example");
  });

  test.each(Object.entries(ENDINGS))("tells that the claim is %s", async (name, end) => {
    const service = testService();
    const mine = await asked(service);
    await end(service, mine);
    const outcome = name === "archived" ? "canceled" : name;
    const [, body = ""] = (await wayBackOf(service.ctx, mine.slug)).split(".").slice(-3);
    expect(JSON.parse(Buffer.from(body, "base64url").toString())).toMatchObject({ outcome });
  });

  test("ends when the link is revoked, and with the account", async () => {
    const service = testService();
    const { account, claim, slug } = await asked(service);
    await revokeHandoff(service.ctx, account.id, claim.id);
    expect(await backTo(service, slug)).toBeNull();
    await expect(wayBackOf(service.ctx, slug)).rejects.toEqual(failing("handoff_not_found"));
    await deleteAccount(service.ctx, account.id);
    expect(listOrigins(service.ctx, account.id)).toEqual([]);
  });

  test("leads to no origin of another account", async () => {
    const service = testService();
    await asked(service);
    const rival = await claimed(service, "noor@example.net", "acme.org");
    await expect(
      createHandoff(service.ctx, rival.account.id, rival.claim.id, { returnUrl }),
    ).rejects.toEqual(failing("origin_not_registered"));
    expect(handoffOfClaim(service.ctx, rival.account.id, rival.claim)).toBeNull();
  });
});
