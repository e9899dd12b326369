import { holdingAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { claimed, NOON, READ_ONLY, testService } from "#app/core/testing/service.ts";
import { claimScreen } from "#app/features/claim-page/claim-screen.server.ts";
import { cancelClaim } from "../claims/claims.server.ts";
import { addDomain } from "../domains/domains.server.ts";
import { handoffScreen } from "./handoff-screen.server.ts";
import { createHandoff, handoffOfClaim, revokeHandoff } from "./handoffs.server.ts";

const WEEK = 7 * 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
const failing = (code: string) => expect.objectContaining({ code });

/** A claim handed off a second after it was opened. */
async function handedOver(service = testService()) {
  const mine = await claimed(service);
  service.now += 1_000;
  const handoff = await createHandoff(service.ctx, mine.account.id, mine.claim.id);
  return { ...mine, handoff };
}

test("is refused and ended once the claim is expired", async () => {
  const { service, ctx, account, claim, handoff } = await handedOver();
  service.now = NOON + WEEK;
  for (const act of [createHandoff, revokeHandoff])
    await expect(act(ctx, account.id, claim.id)).rejects.toEqual(failing("claim_ended"));
  const ended = { type: "ended", back: null, name: null, how: "expired", at: iso(service.now) };
  expect(await handoffScreen(ctx, handoff.slug, null)).toEqual(ended);
});

test("a page that was taken back says so, whatever became of its claim", async () => {
  const { ctx, account, claim, handoff } = await handedOver();
  const { revokedAt } = await revokeHandoff(ctx, account.id, claim.id);
  expect(handoffOfClaim(ctx, claim)).toBeNull();
  await cancelClaim(ctx, account.id, claim.id);
  const ended = { type: "ended", back: null, name: null, how: "revoked", at: revokedAt };
  expect(await handoffScreen(ctx, handoff.slug, null)).toEqual(ended);
});

describe("its page", () => {
  test("does not name another domain of the account, whose token stands there", async () => {
    const { service, ctx, account, claim, handoff, run } = await handedOver();
    const other = await claimed(service, "maria@example.org", "secret-project.com");
    service.see = holdingAt(other.claim.token);
    await run();

    const own = await claimScreen(ctx, account.id, claim.id, null);
    expect(own.verification.diagnosis).toMatchObject({
      code: "foreign_token",
      observed: { value: other.claim.token, domain: "secret-project.com" },
    });
    expect(own.verification.diagnosis?.cause).toContain("the value for secret-project.com");

    const screen = await handoffScreen(ctx, handoff.slug, null);
    expect(JSON.stringify(screen)).not.toContain("secret-project");
    expect(screen).toMatchObject({
      view: {
        verification: {
          diagnosis: { code: "foreign_token", observed: { value: other.claim.token } },
        },
      },
    });
  });

  test("shows the record, its panel and the reads, and nothing else of the account", async () => {
    const { ctx, account, claim, handoff, run } = await handedOver();
    const other = await addDomain(ctx, account.id, "secret-plans.example");
    await run();
    const screen = await handoffScreen(ctx, handoff.slug, null);
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
          groups: [{ trigger: "requested", results: [{ says: "record missing" }] }],
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

  test("ends where the deadline passes while it is read", async () => {
    const { service, handoff } = await handedOver();
    service.now = NOON + WEEK - 2;
    const ctx = { ...service.ctx, clock: () => service.now++ };
    expect(await handoffScreen(ctx, handoff.slug, null)).toMatchObject({ how: "expired" });
  });

  test("ends at the deadline on a copy of the database that cannot write it down", async () => {
    const { service, ctx, handoff } = await handedOver();
    service.now = NOON + WEEK;
    ctx.db.$replication = READ_ONLY;
    const ended = { type: "ended", back: null, name: null, how: "expired", at: handoff.expiresAt };
    expect(await handoffScreen(ctx, handoff.slug, null)).toEqual(ended);
  });
});
