import { expect, it } from "vitest";
import { DeedError } from "#app/core/errors.server.ts";
import { claimed, NOON, testService } from "#app/core/testing/service.ts";
import type { Replication } from "#db/client.ts";
import { readClaim } from "./claims.server.ts";
import { expireOverdue, expireOverdueOfAccount, hasOverdue } from "./expiry.server.ts";

const WEEK_MS = 7 * 24 * 3_600_000;

/** A read-only copy of the database. */
const READ_ONLY: Replication = {
  isWritable: () => false,
  waitUntilWritable: async () => {
    throw new DeedError("unavailable");
  },
  position: () => 1n,
  confirmCommit: () => {},
  readOnlyError: () => new DeedError("unavailable"),
  outcomeUnknownError: () => new DeedError("unavailable"),
};

it("knows whether any claim is past its deadline and not expired yet", async () => {
  const service = testService();
  await claimed(service);
  service.now = NOON + WEEK_MS - 1;
  expect(hasOverdue(service.ctx)).toBe(false);
  service.now = NOON + WEEK_MS;
  expect(hasOverdue(service.ctx)).toBe(true);
  await expireOverdue(service.ctx);
  expect(hasOverdue(service.ctx)).toBe(false);
});

it("reads on where nothing can be written, and leaves expiring to the primary", async () => {
  const service = testService();
  const { account, claim } = await claimed(service);
  service.now = NOON + WEEK_MS;
  service.ctx.db.$replication = READ_ONLY;
  await expireOverdueOfAccount(service.ctx, account.id);
  expect((await readClaim(service.ctx, account.id, claim.id)).state).toBe("pending");
  expect(hasOverdue(service.ctx)).toBe(true);
});

it("expires nothing while nobody knows what time it is", async () => {
  const service = testService();
  const { account, claim } = await claimed(service);
  service.now = NOON + WEEK_MS;
  service.waitsFor = "somebody who knows";
  expect(await expireOverdue(service.ctx)).toBe(false);
  await expireOverdueOfAccount(service.ctx, account.id);
  expect((await readClaim(service.ctx, account.id, claim.id)).state).toBe("pending");
  service.waitsFor = null;
  expect((await readClaim(service.ctx, account.id, claim.id)).state).toBe("expired");
});
