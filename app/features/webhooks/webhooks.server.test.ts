import { count, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { accountLog } from "#app/core/accounts/accounts.server.ts";
import { personOf } from "#app/core/testing/accounts.ts";
import { claimed, NOON, stay } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { write } from "#db/client.ts";
import { accounts, webhookDeliveries, webhookMessages, webhooks } from "#db/schema.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { EVENTS_SHOWN } from "./events.ts";
import {
  addWebhook,
  endWebhook,
  readWebhook,
  removeWebhook,
  rotateSecret,
  updateWebhook,
} from "./webhooks.server.ts";

const MANY = 1_203;

/** An account with a webhook, and so many pending deliveries in three lanes. */
async function piledUp(many = MANY) {
  const { service, ctx, account } = await claimed();
  const { db } = ctx;
  const acting = personOf(account);
  const fields = { url: "https://hooks.example.org/deed", events: EVENTS_SHOWN };
  const { id } = await addWebhook(ctx, acting, fields);
  const sent = { accountId: account.id, type: "webhook.test", body: "{}" };
  const message = { id: "msg_1", ...sent, at: NOON };
  db.insert(webhookMessages).values(message).run();
  for (let index = 0; index < many; index++) {
    const times = { createdAt: NOON, dueAt: index < 3 ? NOON : null };
    const lane = `lane${index % 3}`;
    const row = { id: `dlv_${index}`, webhookId: id, messageId: message.id, lane, ...times };
    db.insert(webhookDeliveries).values(row).run();
  }
  const states = () => {
    const rows = db.select({ state: webhookDeliveries.state, count: count() });
    const all = rows.from(webhookDeliveries).groupBy(webhookDeliveries.state).all();
    return Object.fromEntries(all.map(({ state, count }) => [state, count]));
  };
  /** The most rows that one statement has changed from now on. */
  let most = 0;
  const { announce } = ctx.feed;
  ctx.feed.announce = () => {
    const [changes] = db.$client.prepare("select changes()").raw().get() as [number];
    most = Math.max(most, changes);
    announce.call(ctx.feed);
  };
  return { service, ctx, account, acting, id, db, states, mostAtOnce: () => most };
}

it("what is pending is given up in transactions of 500 rows when a webhook is disabled", async () => {
  const { ctx, acting, id, states, mostAtOnce } = await piledUp();
  await updateWebhook(ctx, acting, id, { enabled: false });
  expect([states(), mostAtOnce()]).toEqual([{ failed: MANY }, 500]);
});

it("what a crash left pending is given up before a webhook is enabled again, and nothing of one that is enabled", async () => {
  const { ctx, acting, id, states } = await piledUp();
  await updateWebhook(ctx, acting, id, { enabled: true });
  await write(ctx.db, (tx) => endWebhook(tx, id, "failing", NOON));
  expect(states()).toEqual({ pending: MANY });
  await updateWebhook(ctx, acting, id, { enabled: true });
  expect(states()).toEqual({ failed: MANY });
  expect(readWebhook(ctx, acting.accountId, id).disabledBecause).toBeNull();
});

it("a deleted webhook leaves neither deliveries nor a secret, some rows at a time", async () => {
  const { ctx, acting, id, db, states, mostAtOnce } = await piledUp();
  await removeWebhook(ctx, acting, id);
  expect([states(), db.select().from(webhooks).all()]).toEqual([{}, []]);
  expect(mostAtOnce()).toBe(500);
});

it("what is pending for a disabled account is kept no longer than anything else", async () => {
  const { service, ctx, account, db, states } = await piledUp(3);
  service.now += 7 * DAY;
  await trimEverything(ctx, stay);
  expect(states()).toEqual({ pending: 3 });
  db.update(accounts).set({ disabledAt: NOON }).where(eq(accounts.id, account.id)).run();
  await trimEverything(ctx, stay);
  expect(states()).toEqual({});
});

it("the secret before a rotation is erased a day later", async () => {
  const { service, ctx, acting, id, db } = await piledUp(0);
  await rotateSecret(ctx, acting, id);
  const kept = () => db.select({ secret: webhooks.previousSecret }).from(webhooks).get()?.secret;
  service.now += DAY - 1;
  await trimEverything(ctx, stay);
  expect(kept()).toMatch(/^whsec_/);
  service.now += 1;
  await trimEverything(ctx, stay);
  expect(kept()).toBeNull();
});

it("the account's log tells who added, changed, rotated and deleted a webhook", async () => {
  const { ctx, acting, id } = await piledUp(0);
  await updateWebhook(ctx, acting, id, { url: "https://elsewhere.example.org/" });
  await rotateSecret(ctx, acting, id);
  await removeWebhook(ctx, acting, id);
  const { events } = accountLog(ctx, acting.accountId, 4);
  expect(events.map(({ kind, subject }) => [kind, subject])).toEqual([
    ["webhook_removed", "elsewhere.example.org"],
    ["webhook_rotated", "elsewhere.example.org"],
    ["webhook_changed", "elsewhere.example.org"],
    ["webhook_added", "hooks.example.org"],
  ]);
  expect(events).toMatchObject(Array(4).fill({ email: "maria@example.org" }));
});
