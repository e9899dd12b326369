import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { count, eq, sql } from "drizzle-orm";
import { Webhook as Receiver } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { commit } from "#app/core/commit.server.ts";
import { queueForWebhooks } from "#app/core/feed/feed.server.ts";
import { personOf } from "#app/core/testing/accounts.ts";
import { claimed, NOON, stay, testService } from "#app/core/testing/service.ts";
import { DAY, HOUR, iso, MINUTE, SECOND } from "#app/core/time.ts";
import { accounts, people, webhookDeliveries, webhookMessages, webhooks } from "#db/schema.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { cancelClaim } from "../claims/claims.server.ts";
import { addDomain, deleteDomain } from "../domains/domains.server.ts";
import { createHandoff } from "../handoffs/handoffs.server.ts";
import { Deliveries, sendEndMails } from "./deliver.server.ts";
import {
  listDeliveries,
  sendAgain,
  sendFailedAgain,
  shownWebhooks,
  testWebhook,
} from "./deliveries.server.ts";
import { EVENTS_SHOWN } from "./events.ts";
import { MESSAGES, type MessageType } from "./messages.server.ts";
import {
  addWebhook,
  endWebhook,
  endWebhooksOfKey,
  rotateSecret,
  updateWebhook,
} from "./webhooks.server.ts";

const URL_ = "https://hooks.example.org/deed";

type Post = { url: string; headers: Record<string, string>; body: string };
const typeOf = ({ body }: Post): MessageType => JSON.parse(body).type;
const isOfContract = (post: Post): boolean =>
  MESSAGES[typeOf(post)].safeParse(JSON.parse(post.body)).success;

/** An account with a webhook for every event, and the posts its receiver got. */
async function subscribed(service = testService(), email?: string) {
  const mine = await claimed(service, email);
  const { ctx, account } = mine;
  const acting = personOf(account);
  const webhook = await addWebhook(ctx, acting, { url: URL_, events: EVENTS_SHOWN });
  const posts: Post[] = [];
  const next = { status: 204, headers: {} };
  service.answer = async ({ url, headers = {}, body = "" }) => {
    posts.push({ url, headers, body: String(body) });
    return { ...next, body: Buffer.from("hello") };
  };
  const rounds = new Deliveries(ctx);
  const deliver = async () => {
    const before = posts.length;
    while (await rounds.round());
    await rounds.drain(10_000);
    return posts.slice(before);
  };
  const deliveries = () =>
    listDeliveries(ctx, account.id, webhook.id, { limit: 100 }).deliveries.toReversed();
  const answers = (status: number, headers = {}) => Object.assign(next, { status, headers });
  /** Two events about one domain, `TWO`. */
  const happen = async () => {
    await createHandoff(ctx, account.id, mine.claim.id);
    await cancelClaim(ctx, account.id, mine.claim.id);
  };
  const types = async () => (await deliver()).map(typeOf);
  const test = () => testWebhook(ctx, account.id, webhook.id);
  const enable = () => updateWebhook(ctx, acting, webhook.id, { enabled: true });
  const acts = { deliver, types, deliveries, answers, happen, test, enable };
  return { ...mine, ...acts, webhook, posts, rounds, acting };
}
const TWO = ["handoff.opened", "claim.ended"];

describe("an event", () => {
  it("is posted to webhooks that want it, in order, one at a time, per domain", async () => {
    const { service, ctx, acting, types, answers, happen, posts } = await subscribed();
    const other = { url: "https://other.example.org/", events: ["claim.proved" as const] };
    await addWebhook(ctx, acting, other);
    answers(500);
    await happen();
    expect(await types()).toEqual(["handoff.opened"]);
    service.now += MINUTE;
    answers(200);
    expect([await types(), await types()]).toEqual([TWO, []]);
    expect(posts.every(isOfContract)).toBe(true);
    // Nor those of another account on the same name.
    const rival = await claimed(service, "rival@example.org", "acme.com");
    await createHandoff(ctx, rival.account.id, rival.claim.id);
    expect(await types()).toEqual([]);
  });

  it("says that a claim needs its claimant once for each diagnosis, and when it is proved", async () => {
    const { deliver, types, run } = await subscribed();
    await run();
    expect(await types()).toEqual(["verification.ran", "claim.needs_attention"]);
    await run(absentAt, MINUTE);
    expect(await types()).toEqual(["verification.ran"]);
    await run(foundAt, MINUTE);
    const posts = await deliver();
    const end = ["claim.ended", "domain.holds", "claim.proved", "notice.created"];
    expect(posts.map(typeOf)).toEqual(["verification.ran", ...end]);
    expect(posts.every(isOfContract)).toBe(true);
    expect(JSON.parse(posts[0]?.body ?? "").data.verification.status).toBe("proved");
  });
});

it("C26.13: lists deliveries of one millisecond by cursors that count nobody else's", async () => {
  const { ctx, account, webhook, deliver, deliveries, happen } = await subscribed();
  await happen();
  await deliver();
  const page = (cursor?: string) =>
    listDeliveries(ctx, account.id, webhook.id, { limit: 1, cursor });
  const { deliveries: newest, nextCursor } = page();
  const [{ id = "", createdAt = "" } = {}] = newest;
  const place = Buffer.from(nextCursor ?? "", "base64url").toString();
  expect(place).toBe(`${Date.parse(createdAt)}.${id}`);
  const rest = page(nextCursor ?? "");
  expect(rest.nextCursor).toBeNull();
  expect([...rest.deliveries, ...newest]).toEqual(deliveries());
  expect(deliveries()).toHaveLength(2);
});

describe("C26.9, C26.10, C26.11, C26.14: a webhook that fails", () => {
  it("is tried ten times within the three days of the specification, then disabled with a mail", async () => {
    const mine = await subscribed();
    const { service, ctx, account, webhook, deliver, deliveries, answers } = mine;
    answers(500);
    await mine.happen();
    const waits = [];
    const shown = () => shownWebhooks(ctx, account.id);
    expect(shown()).toMatchObject([{ refused: null }]);
    for (;;) {
      expect(await deliver()).toHaveLength(1);
      const [first] = deliveries();
      if (first?.state === "pending") expect(shown()).toMatchObject([{ refused: { status: 500 } }]);
      if (first?.state !== "pending") break;
      const at = Date.parse(first.nextTryAt ?? "");
      waits.push(at - service.now);
      service.now = at - 1;
      expect(await deliver()).toEqual([]);
      service.now = at;
    }
    const advised = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
    expect(waits).toEqual([...advised, 14 * HOUR, 20 * HOUR, 24 * HOUR]);
    expect(deliveries()).toMatchObject([
      { state: "failed", tries: 10, status: 500, answer: "hello" },
      { state: "failed", tries: 0, status: null },
    ]);
    expect(shown()).toMatchObject([{ disabledBecause: "failing", refused: null }]);
    await sendEndMails(ctx);
    await sendEndMails(ctx);
    const subject = "Deed no longer sends events to hooks.example.org";
    const { mails } = service;
    expect([mails.length, mails[0]]).toMatchObject([1, { to: "maria@example.org", subject }]);
    const again = () => sendAgain(ctx, account.id, webhook.id, deliveries()[1]?.id ?? "");
    await expect(again()).rejects.toThrow(/disabled/);
    await mine.enable();
    answers(200);
    await again();
    expect(await mine.types()).toEqual(["claim.ended"]);
  });

  it("is given the time it asks for", async () => {
    const { deliver, deliveries, answers, test } = await subscribed();
    answers(503, { "retry-after": "3600" });
    await test();
    await deliver();
    expect(deliveries()[0]?.nextTryAt).toBe(iso(NOON + HOUR));
  });
});

it("a webhook that hangs has four posts under way, and its account leaves places to others", async () => {
  const { service, ctx, account, posts, rounds } = await subscribed();
  const other = await subscribed(service, "kim@example.org");
  service.answer = (request, signal) => {
    posts.push(request as Post);
    return new Promise((_, reject) => signal?.addEventListener("abort", reject));
  };
  for (let index = 0; index < 6; index++) await addDomain(ctx, account.id, `n${index}.example`);
  const posted = async (...types: MessageType[]) => {
    void rounds.round();
    await vi.waitFor(() => expect(posts).toHaveLength(rounds.size), 30_000);
    expect(posts.map(typeOf)).toEqual(types);
  };
  const four = Array<MessageType>(4).fill("domain.created");
  await posted(...four);
  await other.test();
  await posted(...four, "webhook.test");
  await rounds.drain(0);
});

it("what cannot be written down is not posted over and over", async () => {
  const { service, ctx, test, posts, rounds } = await subscribed();
  await test();
  ctx.db.$client.exec(
    "create trigger full before update on webhook_deliveries begin select raise(abort, 'full'); end",
  );
  void rounds.round();
  const failed = ["webhook delivery failed"];
  await vi.waitFor(() => expect(service.complaints).toEqual(failed), 30_000);
  expect([await rounds.round(), await rounds.round()]).toEqual([false, false]);
  expect([posts.length, service.complaints]).toEqual([1, failed]);
  await rounds.drain(0);
});

it("what a transaction queued that was rolled back is not posted", async () => {
  const { ctx, account, test, types } = await subscribed();
  const failing = commit(ctx, (tx) => {
    queueForWebhooks(tx, account.id, "domain.deleted", { domainId: "dom_1" }, NOON);
    throw new Error("after the event");
  });
  await expect(failing).rejects.toThrow("after the event");
  await test();
  expect(await types()).toEqual(["webhook.test"]);
});

it("C26.12: a rotated secret signs beside the one before for a day", async () => {
  const { service, ctx, acting, webhook, test, deliver } = await subscribed();
  const { secret } = await rotateSecret(ctx, acting, webhook.id);
  service.now = Date.now();
  const previousUntil = service.now + 1;
  ctx.db.update(webhooks).set({ previousUntil }).run();
  /** Which of the two secrets signs a test, the new one first. */
  const signing = async () => {
    await test();
    const [{ body, headers } = { body: "", headers: {} }] = await deliver();
    return [secret, webhook.secret].filter((one) => {
      try {
        return new Receiver(one).verify(body, headers);
      } catch {
        return false;
      }
    });
  };
  expect(await signing()).toEqual([secret, webhook.secret]);
  service.now += 1;
  expect(await signing()).toEqual([secret]);
});

it("messages are kept for a week, and longer while one is on its way", async () => {
  const { service, ctx, test, deliver, deliveries, answers, happen } = await subscribed();
  await test();
  await deliver();
  answers(500);
  await happen();
  await deliver();
  const keptAfter = async (ms: number) => {
    service.now += ms;
    await trimEverything(ctx, stay);
    return deliveries().map(({ type }) => type);
  };
  expect(await keptAfter(7 * DAY - 1)).toEqual(["webhook.test", ...TWO]);
  expect(await keptAfter(1)).toEqual(TWO);
});

describe("C26.11: a webhook of a revoked key", () => {
  /** A webhook with its first event pending while its key is revoked, after `before`. */
  async function revoked() {
    const mine = await subscribed();
    const { ctx, service, account, claim } = mine;
    ctx.db.update(webhooks).set({ urlByKey: "key_1" }).run();
    mine.answers(500);
    await createHandoff(ctx, account.id, claim.id);
    await mine.deliver();
    service.now += MINUTE;
    await commit(ctx, (tx) => endWebhooksOfKey(tx, account.id, "key_1", service.now));
    await cancelClaim(ctx, account.id, claim.id);
    mine.answers(204);
    return { ...mine, states: () => mine.deliveries().map(({ state }) => state) };
  }

  it("is sent nothing, and keeps its events for a day, which go out in order once it is enabled", async () => {
    const { ctx, service, types, enable, states } = await revoked();
    service.now += DAY - 1;
    await trimEverything(ctx, stay);
    expect([await types(), states()]).toEqual([[], ["pending", "pending"]]);
    await enable();
    expect(await types()).toEqual(TWO);
  });

  it.each(["the trimming", "enabling it"])("gives them up after a day, by %s", async (by) => {
    const { ctx, service, account, types, enable, states } = await revoked();
    service.now += DAY;
    await addDomain(ctx, account.id, "late.example");
    await (by === "enabling it" ? enable() : trimEverything(ctx, stay));
    expect(states()).toEqual(["failed", "failed", "failed"]);
    await enable();
    expect(await types()).toEqual([]);
  });

  it.each([
    ["tries an event again that failed meanwhile", 500, TWO],
    ["goes on behind one that failed for good", 410, TWO.slice(1)],
  ])("%s: %i", async (_, status, kept) => {
    const { ctx, service, account, ...mine } = await subscribed();
    ctx.db.update(webhooks).set({ urlByKey: "key_1" }).run();
    await mine.happen();
    const { answer } = service;
    service.answer = async (...asked) => {
      // The key is revoked while the first post is on its way.
      await commit(ctx, (tx) => endWebhooksOfKey(tx, account.id, "key_1", service.now));
      return answer(...asked);
    };
    mine.answers(status);
    await mine.deliver();
    Object.assign(service, { answer });
    mine.answers(204);
    service.now += MINUTE;
    await mine.enable();
    expect(await mine.types()).toEqual(kept);
  });
});

it("C26.11, C26.14: a disabled webhook keeps what comes, and sends it when asked", async () => {
  const mine = await subscribed();
  const { ctx, service, account, webhook, types, deliveries } = mine;
  const again = (since = 0) => sendFailedAgain(ctx, account.id, webhook.id, since);
  for (const because of ["holder", "gone", "failing", "person_left"] as const) {
    await commit(ctx, (tx) => endWebhook(tx, webhook.id, because, service.now));
    await addDomain(ctx, account.id, `${because.replace("_", "-")}.example`);
  }
  service.now += MINUTE;
  const since = service.now;
  await mine.happen();
  expect(await types()).toEqual([]);
  await expect(again()).rejects.toMatchObject({ code: "webhook_disabled" });
  await mine.enable();
  expect([await types(), await again(since), await types()]).toEqual([[], 2, TWO]);
  expect([await again(), await types()]).toEqual([4, Array(4).fill("domain.created")]);
  expect(deliveries().every(({ state }) => state === "delivered")).toBe(true);
  expect(await again()).toBe(0);
});

it("a disabled webhook keeps ten thousand events", async () => {
  const { ctx, service, account, webhook, deliveries } = await subscribed();
  await commit(ctx, (tx) => endWebhook(tx, webhook.id, "holder", service.now));
  await addDomain(ctx, account.id, "first.example");
  const [kept] = deliveries();
  ctx.db.run(sql`with recursive more (n) as (select 2 union all select n + 1 from more where n < 9999)
    insert into webhook_deliveries (id, message_id, webhook_id, lane, created_at, state)
    select 'dlv_' || n, ${kept?.messageId}, ${webhook.id}, 'one', 0, 'failed' from more`);
  const all = () => ctx.db.select({ count: count() }).from(webhookDeliveries).get();
  await addDomain(ctx, account.id, "last.example");
  await addDomain(ctx, account.id, "late.example");
  expect(all()).toEqual({ count: 10_000 });
});

it("C26.16: a deleted domain takes all its messages, but that it is deleted", async () => {
  const { ctx, account, claim, happen, deliver, deliveries, posts } = await subscribed();
  await happen();
  await deliver();
  await deleteDomain(ctx, account.id, claim.domainId);
  await deliver();
  expect(deliveries().map(({ type }) => type)).toEqual(["domain.deleted"]);
  const { data } = JSON.parse(posts.at(-1)?.body ?? "");
  expect(data).toEqual({ domain: { id: claim.domainId } });
});

it("C26.20: a disabled account gets nothing, and an erased one leaves nothing", async () => {
  const { ctx, account, claim, deliver } = await subscribed();
  const { db } = ctx;
  await createHandoff(ctx, account.id, claim.id);
  db.update(accounts).set({ disabledAt: NOON }).run();
  expect(await deliver()).toEqual([]);
  db.delete(accounts).where(eq(accounts.id, account.id)).run();
  for (const table of [webhooks, webhookMessages, webhookDeliveries, people])
    expect(db.select().from(table).all()).toEqual([]);
});
