import { describe, expect, onTestFinished, test } from "vitest";
import {
  archiveDomain,
  deleteDomain,
  unarchiveDomain,
} from "#app/features/domains/domains.server.ts";
import { publishProof, revokeProofLink } from "#app/features/proofs/proofs.server.ts";
import { openDatabase } from "#db/client.ts";
import { testFile } from "#db/testing.files.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { claimed, proved, testService } from "../testing/service.ts";
import { feedPosition, readFeed, writeFeedEvent } from "./feed.server.ts";

test("every change of the account is in the feed, in order, with the ids it concerns", async () => {
  const { ctx, account, claim } = await proved();
  const one = await publishProof(ctx, account.id, claim.id);
  await revokeProofLink(ctx, account.id, claim.id, one.slug);
  const two = await publishProof(ctx, account.id, claim.id);
  await archiveDomain(ctx, account.id, claim.domainId);
  await unarchiveDomain(ctx, account.id, claim.domainId);
  await deleteDomain(ctx, account.id, claim.domainId);

  const { domainId, id: claimId, verificationId } = claim;
  const feed = readFeed(ctx, account.id, 0, 100);
  expect(feed.map(({ type, ids }) => [type, ids])).toEqual([
    ["domain.created", { domainId }],
    ["claim.opened", { claimId, verificationId, domainId }],
    ["verification.ran", { verificationId, claimId }],
    ["claim.ended", { claimId, verificationId, domainId }],
    ["domain.holds", { domainId }],
    ["notice.created", { noticeId: expect.stringMatching(/^ntc_/), domainId, claimId }],
    ["proof_link.issued", { slug: one.slug, claimId }],
    ["proof_link.revoked", { slug: one.slug, claimId }],
    ["proof_link.issued", { slug: two.slug, claimId }],
    ["proof_link.revoked", { slug: two.slug, claimId }],
    ["domain.archived", { domainId }],
    ["domain.no_longer_holds", { domainId }],
    ["domain.unarchived", { domainId }],
    ["domain.holds", { domainId }],
    ["domain.deleted", { domainId }],
  ]);
  expect(readFeed(ctx, account.id, feed[2]?.id ?? 0, 2)).toEqual(feed.slice(3, 5));
  expect(feedPosition(ctx)).toBe(feed.at(-1)?.id);
});

test("ids go on after the feed was trimmed", async () => {
  const { service, ctx } = await claimed();
  const position = feedPosition(ctx);
  service.now += 86_400_000;
  await trimEverything(ctx, new AbortController().signal);
  const { account: other } = await claimed(service, "other@example.org");
  expect(readFeed(ctx, other.id, 0, 1)[0]?.id).toBe(position + 1);
});

/** The account ids that a subscriber gets, with the ids of their messages, after the feed was read. */
function listen(ctx: Context, follows: (id: string) => boolean) {
  const heard: Record<string, number[]> = {};
  const leave = ctx.feed.subscribe({
    follows,
    onMessages(moved) {
      for (const [id, messages] of moved)
        heard[id] = [...(heard[id] ?? []), ...messages.map((message) => message.id)];
    },
  });
  onTestFinished(leave);
  return { heard, leave };
}

describe("listening", () => {
  test("hears the account's own changes at once, nobody else's, and nothing once it has left", async () => {
    const { service, ctx, account } = await claimed();
    const all = listen(ctx, () => true);
    const own = listen(ctx, (id) => id === account.id);
    const idsOf = (id: string) => readFeed(ctx, id, 0, 100).map((message) => message.id);
    const before = idsOf(account.id).length;
    const { account: other } = await claimed(service, "other@example.org");
    await expect.poll(() => all.heard[other.id]).toEqual(idsOf(other.id));
    expect(own.heard).toEqual({});
    await claimed(service, "maria@example.org", "second.example");
    const news = { [account.id]: idsOf(account.id).slice(before) };
    await expect.poll(() => own.heard).toEqual(news);
    own.leave();
    own.leave();
    await claimed(service, "maria@example.org", "third.example");
    await expect.poll(() => all.heard[account.id]).toEqual(idsOf(account.id).slice(before));
    expect(own.heard).toEqual(news);
  });

  test("hears every row once and in order, however many are committed at a time", async () => {
    const { ctx } = testService();
    const { heard } = listen(ctx, (id) => id !== "acc_nobody");
    const accounts = ["acc_one", "acc_nobody", "acc_two"];
    await commit(ctx, (tx) => {
      for (let i = 0; i < 3_000; i++)
        writeFeedEvent(tx, accounts[i % 3] ?? "", "domain.created", {}, ctx.clock());
    });
    await commit(ctx, (tx) => writeFeedEvent(tx, "acc_last", "domain.created", {}, ctx.clock()));
    await expect.poll(() => heard.acc_last).toHaveLength(1);
    const ids = (account: string) => readFeed(ctx, account, 0, 3_000).map(({ id }) => id);
    expect(ids("acc_one")).toHaveLength(1_000);
    expect([heard.acc_one, heard.acc_two]).toEqual([ids("acc_one"), ids("acc_two")]);
  });

  test("is told of an account that is only to be looked at again, with no message", () => {
    const { ctx } = testService();
    const { heard } = listen(ctx, (id) => id === "acc_one");
    ctx.feed.wake("acc_two");
    ctx.feed.wake("acc_one");
    expect(heard).toEqual({ acc_one: [] });
  });

  test("hears what another process wrote", async () => {
    const { path, db: mine } = testFile();
    const theirs = openDatabase(path);
    const here = testService(mine);
    const { account } = await claimed(here);
    const { heard } = listen(here.ctx, (id) => id === account.id);
    await claimed(testService(theirs), "maria@example.org", "second.example");
    await expect.poll(() => heard[account.id]).toHaveLength(2);
    theirs.$client.close();
  });
});
