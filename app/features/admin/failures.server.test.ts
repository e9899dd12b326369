import { expect, test } from "vitest";
import { recordMailFailure } from "#app/core/mail/mail.server.ts";
import { testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { failuresOfLastDay } from "./failures.server.ts";

test("failed mails are told for a day, without the address", async () => {
  const service = testService();
  await recordMailFailure(service.ctx, "kim@example.org", new Error("EAUTH AUTH 535"));
  const { mails, reads } = failuresOfLastDay(service.ctx);
  const newest = [{ domain: "example.org", reason: "EAUTH AUTH 535" }];
  expect(mails).toMatchObject({ count: 1, newest });
  expect(reads).toEqual({ count: 0, claims: 0, newestAt: null });
  service.now += DAY;
  expect(failuresOfLastDay(service.ctx).mails).toEqual({ count: 0, newest: [] });
});
