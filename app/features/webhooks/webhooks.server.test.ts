import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { accountLog, personOf } from "#app/core/accounts/accounts.server.ts";
import { claimed, NOON, type TestService, testService } from "#app/core/testing/service.ts";
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

const { signal } = new AbortController();
const MANY = 1_203;

/** An account with a webhook, and `MANY` pending deliveries to it in three lanes. */
async function piledUp(service: TestService) {
  const { account } = await claimed(service);
  const acting = personOf(account);
  const fields = { url: "https://hooks.example.org/deed", events: EVENTS_SHOWN };
  const { id } = await addWebhook(service.ctx, acting, fields);
  const { db } = service.ctx;
  const messageId = "msg_1";
  const message = { id: messageId, accountId: account.id, type: "webhook.test" };
  db.insert(webhookMessages)
    .values({ ...message, body: "{}", at: NOON })
    .run();
  for (let index = 0; index < MANY; index++)
    db.insert(webhookDeliveries)
      .values({
        id: `dlv_${index}`,
        webhookId: id,
        messageId,
        lane: `lane${index % 3}`,
        createdAt: NOON,
        dueAt: index < 3 ? NOON : null,
      })
      .run();
  const states = () => {
    const all = db.select({ state: webhookDeliveries.state }).from(webhookDeliveries).all();
    return Object.fromEntries(
      [...new Set(all.map(({ state }) => state))].map((one) => [
        one,
        all.filter(({ state }) => state === one).length,
      ]),
    );
  };
  /** The most rows that one statement changed since. */
  let most = 0;
  const { announce } = service.ctx.feed;
  service.ctx.feed.announce = () => {
    const { changes } = db.$client.prepare("select changes() as changes").get() as {
      changes: number;
    };
    most = Math.max(most, changes);
    announce.call(service.ctx.feed);
  };
  return { account, acting, id, db, states, mostAtOnce: () => most };
}

it("what is pending is given up in transactions of 500 rows when a webhook is disabled", async () => {
  const service = testService();
  const { acting, id, states, mostAtOnce } = await piledUp(service);
  await updateWebhook(service.ctx, acting, id, { enabled: false });
  expect(states()).toEqual({ failed: MANY });
  expect(mostAtOnce()).toBe(500);
});

it("what a crash left pending is given up before a webhook is enabled again", async () => {
  const service = testService();
  const { acting, id, states } = await piledUp(service);
  await write(service.ctx.db, (tx) => endWebhook(tx, id, "failing", NOON));
  expect(states()).toEqual({ pending: MANY });
  await updateWebhook(service.ctx, acting, id, { enabled: true });
  expect(states()).toEqual({ failed: MANY });
  expect(readWebhook(service.ctx, acting.accountId, id).disabledBecause).toBeNull();
});

it("enabling a webhook that is enabled gives nothing up", async () => {
  const service = testService();
  const { acting, id, states } = await piledUp(service);
  await updateWebhook(service.ctx, acting, id, { enabled: true });
  expect(states()).toEqual({ pending: MANY });
});

it("a deleted webhook leaves neither deliveries nor a secret, some rows at a time", async () => {
  const service = testService();
  const { acting, id, db, states, mostAtOnce } = await piledUp(service);
  await removeWebhook(service.ctx, acting, id);
  expect([states(), db.select().from(webhooks).all()]).toEqual([{}, []]);
  expect(mostAtOnce()).toBe(500);
});

it("what is pending for a disabled account is kept no longer than anything else", async () => {
  const service = testService();
  const { account, db, states } = await piledUp(service);
  service.now += 7 * DAY;
  await trimEverything(service.ctx, signal);
  expect(states()).toEqual({ pending: MANY });
  db.update(accounts).set({ disabledAt: NOON }).where(eq(accounts.id, account.id)).run();
  await trimEverything(service.ctx, signal);
  expect(states()).toEqual({});
});

it("the secret before a rotation is erased a day later", async () => {
  const service = testService();
  const { acting, id, db } = await piledUp(service);
  await rotateSecret(service.ctx, acting, id);
  const kept = () => db.select({ secret: webhooks.previousSecret }).from(webhooks).get()?.secret;
  service.now += DAY - 1;
  await trimEverything(service.ctx, signal);
  expect(kept()).toMatch(/^whsec_/);
  service.now += 1;
  await trimEverything(service.ctx, signal);
  expect(kept()).toBeNull();
});

it("the account's log tells who added, changed, rotated and deleted a webhook", async () => {
  const service = testService();
  const { acting, id } = await piledUp(service);
  await updateWebhook(service.ctx, acting, id, { url: "https://elsewhere.example.org/" });
  await rotateSecret(service.ctx, acting, id);
  await removeWebhook(service.ctx, acting, id);
  const { events } = accountLog(service.ctx, acting.accountId, 4);
  expect(events.map(({ kind, subject, email }) => [kind, subject, email])).toEqual([
    ["webhook_removed", "elsewhere.example.org", "maria@example.org"],
    ["webhook_rotated", "elsewhere.example.org", "maria@example.org"],
    ["webhook_changed", "elsewhere.example.org", "maria@example.org"],
    ["webhook_added", "hooks.example.org", "maria@example.org"],
  ]);
});
