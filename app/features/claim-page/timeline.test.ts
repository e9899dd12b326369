import { absentAt, foundAt, partialAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { claimed, stay } from "#app/core/testing/service.ts";
import { DAY, HOUR, iso, MINUTE } from "#app/core/time.ts";
import { cancelClaim, openClaim } from "#app/features/claims/claims.server.ts";
import { runVerification } from "#app/features/claims/verifications.server.ts";
import { createHandoff, revokeHandoff } from "#app/features/handoffs/handoffs.server.ts";
import { publishProof, revokeProofLink } from "#app/features/proofs/proofs.server.ts";
import { live } from "#app/features/watching/testing.ts";
import { unwatchClaim, watchClaim } from "#app/features/watching/watches.server.ts";
import { handoffs } from "#db/schema.ts";
import { claimScreen } from "./claim-screen.server.ts";
import type { ReadGroup } from "./claim-screen-reads.ts";
import { timelineOf } from "./timeline.ts";

const at = (minutes: number) => Date.UTC(2026, 2, 1) + minutes * MINUTE;
const group = (id: string, from: number, until: number, says: string, count = 1): ReadGroup => ({
  ...{ id, at: iso(at(until)), since: iso(at(from)), trigger: "requested" },
  results: [{ says, tone: says === "found" ? "proved" : "needs", count }],
});
const domainId = "dom_1";
const claimId = "clm_2";

describe("the timeline of a domain", () => {
  test("is one list of what happened, newest first, and a change of verdict where it began", () => {
    const event = (kind: "opened" | "proved" | "handed_off", minutes: number, id = claimId) => ({
      ...{ kind, claimId: id, at: at(minutes), what: kind === "opened" ? "89abcdef" : null },
    });
    const events = [event("proved", 40), event("handed_off", 20), event("opened", 5)];
    const earlier = [event("proved", 3, "clm_1"), event("opened", 1, "clm_1")];
    const groups = [group("att_9", 39, 39, "found"), group("att_8", 10, 30, "record on www", 3)];
    const entries = timelineOf([...events, ...earlier], groups, { domainId, claimId });
    expect(entries.map(({ at, says, more }) => [at, says, more])).toEqual([
      [iso(at(40)), "Proved again", undefined],
      [iso(at(20)), "Handed off", undefined],
      [iso(at(10)), "record on www", "3 checks"],
      [iso(at(5)), "Claim opened", "value …89abcdef"],
      [iso(at(3)), "Proved", undefined],
      [iso(at(1)), "Claim opened", "value …89abcdef"],
    ]);
    expect(entries[2]).toMatchObject({ until: iso(at(30)) });
    const own = `/domains/${domainId}?claim=${claimId}`;
    expect(entries.map(({ to }) => to)).toEqual([
      `${own}&read=att_9#evidence`,
      undefined,
      `${own}&read=att_8#evidence`,
      own,
      undefined,
      `/domains/${domainId}?claim=clm_1`,
    ]);
  });

  test("is made of what the database has: a life, from the claim to the record's return", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    const { id, domainId } = claim;
    const minute = () => {
      service.now += MINUTE;
    };
    const says = async (which = id) =>
      (await claimScreen(ctx, account.id, which, {})).timeline.map((entry) => entry.says);
    await run(absentAt, MINUTE);
    minute();
    await createHandoff(ctx, account.id, id);
    minute();
    await revokeHandoff(ctx, account.id, id);
    await run(partialAt, MINUTE);
    await run(foundAt, MINUTE);
    const open = ["found, not confirmed yet", "Hand-off link revoked", "Handed off", "no record"];
    expect(await says()).toEqual(["Proved", ...open, "Claim opened"]);

    minute();
    const { slug } = await publishProof(ctx, account.id, id);
    minute();
    await revokeProofLink(ctx, account.id, id, slug);
    minute();
    await watchClaim(ctx, account.id, id);
    await live(service, 3, absentAt);
    const shared = ["Watched", "Proof link revoked", "Proof link published", "Proved"];
    expect((await says()).slice(0, 5)).toEqual(["Missing its record", ...shared]);
    const [missing] = (await claimScreen(ctx, account.id, id, {})).timeline;
    expect(missing?.more).toBe("confirmed by another check");
    await live(service, 8, absentAt);
    await live(service, 2, foundAt);
    const lost = ["Record there again, last seen", "Lost its record", "Missing its record"];
    expect((await says()).slice(0, 4)).toEqual([...lost, "Watched"]);

    service.now += DAY;
    const second = await openClaim(ctx, account.id, domainId);
    const { otherProof } = await claimScreen(ctx, account.id, second.id, {});
    expect(otherProof?.path).toBe(`/domains/${domainId}?claim=${id}`);
    minute();
    await runVerification(ctx, account.id, second.verificationId, stay);
    const again = ["Proved again", "Claim opened", ...lost];
    expect((await says(second.id)).slice(0, 5)).toEqual(again);
    expect(await says(second.id)).not.toContain("found, not confirmed yet");
    expect((await says()).slice(0, 3)).toEqual(lost);
  });

  test("says of a claim that came to nothing how it ended, and of a record that it was deleted", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    await cancelClaim(ctx, account.id, claim.id);
    const canceled = await claimScreen(ctx, account.id, claim.id, {});
    expect(canceled.timeline.map(({ says }) => says)).toEqual(["Canceled", "Claim opened"]);
    const other = await claimed(service, "joao@example.org", "globex.com");
    await other.run(foundAt);
    await live(service, 3, absentAt);
    const { timeline } = await claimScreen(ctx, other.account.id, other.claim.id, {});
    expect(timeline.map(({ says }) => says)).toEqual(["Record deleted", "Proved", "Claim opened"]);
    await expect(run()).rejects.toMatchObject({ code: "verification_not_running" });
  });

  test("calls a missing record deleted only once a read without its watch shows that", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    await run(foundAt);
    await watchClaim(ctx, account.id, claim.id);
    await live(service, 3, absentAt);
    await unwatchClaim(ctx, account.id, claim.id);
    const says = async () =>
      (await claimScreen(ctx, account.id, claim.id, {})).timeline.map((entry) => entry.says);
    expect(await says()).not.toContain("Record deleted");
    await live(service, 2, absentAt);
    expect(await says()).toContain("Record deleted");
  });

  test("has an end, after which the API has the rest", async () => {
    const { service, ctx, account, claim } = await claimed();
    const row = { claimId: claim.id, revokedAt: service.now + HOUR, createdAt: service.now + 1 };
    const rows = Array.from({ length: 70 }, (_, n) => ({ ...row, slug: `s${n}` }));
    ctx.db.insert(handoffs).values(rows).run();
    const { timeline, hasMore } = await claimScreen(ctx, account.id, claim.id, {});
    expect([timeline.length, hasMore]).toEqual([100, true]);
    ctx.db.delete(handoffs).where(eq(handoffs.claimId, claim.id)).run();
    expect(await claimScreen(ctx, account.id, claim.id, {})).toMatchObject({ hasMore: false });
  });
});
