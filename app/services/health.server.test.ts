import { expect, test } from "vitest";
import { FIRST_READ_AFTER_MS } from "./claims/schedule.ts";
import { runVerification } from "./claims/verifications.server.ts";
import { archiveDomain } from "./domains/domains.server.ts";
import { readBacklog } from "./health.server.ts";
import { foundAt } from "./testing/observations.ts";
import { claimed, testService } from "./testing/service.ts";

test("tells how many claims are open and how many reads are due", async () => {
  const service = testService();
  const { ctx } = service;
  expect(readBacklog(ctx)).toEqual({ openClaims: 0, dueReads: 0 });
  const first = await claimed(service, "maria@example.org", "one.example");
  const second = await claimed(service, "maria@example.org", "two.example");
  await claimed(service, "noor@example.org", "one.example");
  expect(readBacklog(ctx)).toEqual({ openClaims: 3, dueReads: 0 });
  service.now += FIRST_READ_AFTER_MS;
  expect(readBacklog(ctx)).toEqual({ openClaims: 3, dueReads: 3 });
  await archiveDomain(ctx, first.account.id, first.claim.domainId);
  service.see = foundAt;
  const { signal } = new AbortController();
  await runVerification(ctx, second.account.id, second.claim.verificationId, signal);
  expect(readBacklog(ctx)).toEqual({ openClaims: 1, dueReads: 1 });
});
