import { foundAt, holdingAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { claimed, NOON, READ_ONLY, testService } from "#app/core/testing/service.ts";
import { DAY, iso } from "#app/core/time.ts";
import { claimScreen } from "#app/features/claim-page/claim-screen.server.ts";
import { cancelClaim } from "../claims/claims.server.ts";
import { addDomain, archiveDomain, deleteDomain } from "../domains/domains.server.ts";
import { handoffScreen } from "./handoff-screen.server.ts";
import { createHandoff, handoffOfClaim, revokeHandoff } from "./handoffs.server.ts";

const WEEK = 7 * DAY;
const failing = (code: string) => expect.objectContaining({ code });

async function handedOver(service = testService()) {
  const mine = await claimed(service);
  service.now += 1_000;
  const handoff = await createHandoff(service.ctx, mine.account.id, mine.claim.id);
  const screen = (ctx = service.ctx) => handoffScreen(ctx, handoff.slug);
  return { ...mine, handoff, screen };
}
const NAME = { ascii: "acme.com", unicode: "acme.com" };
type HandedOver = Awaited<ReturnType<typeof handedOver>>;
const OVER = { type: "ended", back: null, name: null };
const ended = (how: string, at: string, about: object | null = null) => ({
  ...OVER,
  how,
  at,
  about,
});
const NOT_NOW =
  "This claim’s value is no longer accepted: you can delete its TXT record, if there is one.";

test.each<[how: string, end: (mine: HandedOver) => unknown, name?: object]>([
  ["canceled", ({ ctx, account, claim }) => cancelClaim(ctx, account.id, claim.id)],
  ["canceled", ({ ctx, account, claim }) => archiveDomain(ctx, account.id, claim.domainId)],
  ["proved", ({ run }) => run(foundAt), NAME],
  ["expired", ({ service }) => Object.assign(service, { now: NOON + WEEK })],
])("C16.2, C16.7: is refused, ended and gone with the claim: %s", async (how, end, name) => {
  const mine = await handedOver();
  const { service, ctx, account, claim, screen } = mine;
  await end(mine);
  for (const act of [createHandoff, revokeHandoff])
    await expect(act(ctx, account.id, claim.id)).rejects.toEqual(failing("claim_ended"));
  const shown = await screen();
  const fate = name ? expect.any(String) : NOT_NOW;
  const about = { fate, askedBy: "m•••@example.org", askedAt: claim.createdAt };
  expect(shown).toEqual({ ...ended(how, iso(service.now), about), name: name ?? null });
  expect(JSON.stringify(shown)).not.toContain(claim.token);
  await deleteDomain(ctx, account.id, claim.domainId);
  await expect(screen()).rejects.toEqual(failing("handoff_not_found"));
});

test("C16.1, C16.10: shows the mask, or the address while its holder says so", async () => {
  const { ctx, account, claim, handoff, screen } = await handedOver();
  expect(handoff).toMatchObject({ claimId: claim.id, expiresAt: claim.expiresAt });
  for (const [showAddress, askedBy] of [
    [undefined, "m•••@example.org"],
    [true, "maria@example.org"],
    [undefined, "maria@example.org"],
    [false, "m•••@example.org"],
  ] as const) {
    expect(await createHandoff(ctx, account.id, claim.id, { showAddress })).toEqual(handoff);
    expect(await screen()).toMatchObject({ askedBy });
  }
});

test("C16.3: a page that was taken back says so, whatever became of its claim", async () => {
  const { ctx, account, claim, handoff, screen } = await handedOver();
  const { revokedAt } = await revokeHandoff(ctx, account.id, claim.id);
  expect(handoffOfClaim(ctx, claim)).toBeNull();
  const again = revokeHandoff(ctx, account.id, claim.id);
  await expect(again).rejects.toEqual(failing("handoff_not_found"));
  const next = await createHandoff(ctx, account.id, claim.id);
  expect(next.slug).not.toBe(handoff.slug);
  await cancelClaim(ctx, account.id, claim.id);
  expect(await screen()).toEqual(ended("revoked", revokedAt));
});

describe("its page", () => {
  test("does not name another domain of the account, whose token stands there", async () => {
    const { service, ctx, account, claim, run, screen } = await handedOver();
    const other = await claimed(service, "maria@example.org", "secret-project.com");
    const observed = { value: other.claim.token };
    await run(holdingAt(observed.value));

    const own = (await claimScreen(ctx, account.id, claim.id, {})).verification.diagnosis;
    const domain = "secret-project.com";
    expect(own).toMatchObject({ code: "foreign_token", observed: { ...observed, domain } });
    expect(own?.cause).toContain(`the value for ${domain}`);

    const diagnosis = { code: "foreign_token", observed };
    const shared = await screen();
    expect(JSON.stringify(shared)).not.toContain("secret-project");
    expect(shared).toMatchObject({ view: { verification: { diagnosis } } });
  });

  // C16.6
  test("shows the record, its panel and the reads, and nothing else of the account", async () => {
    const { ctx, account, claim, handoff, run, screen } = await handedOver();
    const other = await addDomain(ctx, account.id, "secret-plans.example");
    await run();
    const shown = await screen();
    expect(shown).toMatchObject({
      type: "open",
      askedBy: "m•••@example.org",
      view: {
        claim: { domain: "acme.com", state: "pending" },
        verification: { status: "needs_attention", diagnosis: { code: "record_absent" } },
        record: { value: claim.token },
        labels: { hostToType: "_service-challenge", valueToType: claim.token },
        ...{ checks: 1, timeline: [{ says: "no record yet", more: "by hand" }] },
      },
    });
    const { id, domainId, verificationId } = claim;
    const ids = [account.id, id, domainId, verificationId, handoff.slug, other.domain.id];
    for (const secret of [...ids, "maria", "secret-plans"])
      expect(JSON.stringify(shown)).not.toContain(secret);
  });

  test("ends where the deadline passes while it is read", async () => {
    const { service, screen } = await handedOver();
    service.now = NOON + WEEK - 2;
    const ctx = { ...service.ctx, clock: () => service.now++ };
    expect(await screen(ctx)).toMatchObject({ how: "expired" });
  });

  test("ends at the deadline on a copy of the database that cannot write it down", async () => {
    const { service, ctx, handoff, screen } = await handedOver();
    service.now = NOON + WEEK;
    ctx.db.$replication = READ_ONLY;
    const about = expect.objectContaining({ fate: NOT_NOW });
    expect(await screen()).toEqual(ended("expired", handoff.expiresAt, about));
  });
});
