import { expect, test } from "vitest";
import { testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { handoffMailboxes } from "#db/schema.ts";
import { isStopped, reserveMailbox, stopMails } from "./handoff-mails.server.ts";

const KIM = "kim@example.net";
const unknown = expect.objectContaining({ code: "handoff_not_found" });

test("a mailbox gets one mail a day, by one slug, and none once they are stopped", async () => {
  const service = testService();
  const { ctx } = service;
  const slug = (await reserveMailbox(ctx, KIM)) ?? "";
  service.now += DAY - 1;
  for (const address of [KIM, "kim+dns@example.net"])
    expect(await reserveMailbox(ctx, address)).toBeNull();
  expect(await reserveMailbox(ctx, "lee@example.net")).not.toBe(slug);
  service.now += 1;
  expect(await reserveMailbox(ctx, "kim+dns@example.net")).toBe(slug);
  expect(isStopped(ctx, slug)).toBe(false);
  await stopMails(ctx, slug);
  expect(isStopped(ctx, slug)).toBe(true);
  for (const days of [1, 30, 300]) {
    service.now += days * DAY;
    expect(await reserveMailbox(ctx, KIM)).toBeNull();
  }
});

test("a clock that was ahead keeps no mailbox waiting for longer than a day", async () => {
  const service = testService();
  service.now += 2 * DAY;
  const slug = await reserveMailbox(service.ctx, KIM);
  service.now -= 2 * DAY;
  expect(await reserveMailbox(service.ctx, KIM)).toBe(slug);
});

test("a slug that no mailbox has stops nothing; no address is kept", async () => {
  const { ctx } = testService();
  const slug = (await reserveMailbox(ctx, KIM)) ?? "";
  await expect(stopMails(ctx, "0".repeat(26))).rejects.toEqual(unknown);
  expect(() => isStopped(ctx, "0".repeat(26))).toThrow(unknown);
  expect(isStopped(ctx, slug)).toBe(false);
  const [row] = ctx.db.select().from(handoffMailboxes).all();
  expect(row?.mailboxHash).toHaveLength(43);
  expect(JSON.stringify(row)).not.toMatch(/kim|example/);
});
