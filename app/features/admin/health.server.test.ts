import { foundAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { claimed, testService } from "#app/core/testing/service.ts";
import { FIRST_READ_AFTER_MS } from "#app/features/claims/transition.ts";
import { archiveDomain } from "#app/features/domains/domains.server.ts";
import { assess, dnsWatch, readBacklog, readDnsState } from "./health.server.ts";

test("tells how many claims are open and how many reads are due", async () => {
  const service = testService();
  const { ctx } = service;
  expect(readBacklog(ctx)).toMatchObject({ openClaims: 0, dueReads: 0 });
  const first = await claimed(service, "maria@example.org", "one.example");
  const second = await claimed(service, "maria@example.org", "two.example");
  await claimed(service, "noor@example.org", "one.example");
  expect(readBacklog(ctx)).toMatchObject({ openClaims: 3, dueReads: 0 });
  service.now += FIRST_READ_AFTER_MS;
  expect(readBacklog(ctx)).toMatchObject({ openClaims: 3, dueReads: 3, oldestDueReadMs: 0 });
  service.now += 5_000;
  expect(readBacklog(ctx)).toMatchObject({ dueReads: 3, oldestDueReadMs: 5_000, dueMails: 0 });
  await archiveDomain(ctx, first.account.id, first.claim.domainId);
  service.see = foundAt;
  await second.run();
  service.now += 1_000;
  expect(readBacklog(ctx)).toMatchObject({
    openClaims: 1,
    dueReads: 1,
    dueMails: 1,
    oldestDueMailMs: 1_000,
  });
});

test("judges a node by the worst of its state", () => {
  const fine = {
    isClosing: false,
    database: "ok",
    isSuperseded: false,
    isWorkerMissing: false,
    hasLostPrimary: false,
    isClockAwaited: false,
  } as const;
  expect(assess(fine)).toEqual({ status: "ok", reason: null });
  const waiting = { ...fine, isClockAwaited: true };
  expect(assess(waiting)).toEqual({ status: "degraded", reason: "clock" });
  const orphan = { ...waiting, hasLostPrimary: true };
  expect(assess(orphan)).toEqual({ status: "degraded", reason: "no_primary" });
  const idle = { ...orphan, isWorkerMissing: true };
  expect(assess(idle)).toEqual({ status: "failing", reason: "worker" });
  const former = { ...idle, isSuperseded: true };
  expect(assess(former)).toEqual({ status: "failing", reason: "superseded" });
  const broken = { ...former, database: "failing" } as const;
  expect(assess(broken)).toEqual({ status: "failing", reason: "database" });
  expect(assess({ ...former, database: "gone" })).toEqual(assess(broken));
  const closing = { ...broken, isClosing: true };
  expect(assess(closing)).toEqual({ status: "failing", reason: "shutting_down" });
});

test("logs once that DNS fails, and once that it works again", async () => {
  const service = testService();
  const { ctx } = service;
  const told: string[] = [];
  ctx.log.info = (_, message) => told.push(message);
  ctx.log.error = (_, message) => told.push(message);
  const look = dnsWatch(ctx);
  const read = async (name: string) => {
    const { run } = await claimed(service, "maria@example.org", name);
    await run();
    look();
  };
  look();
  service.see = unreachableAt;
  await read("one.example");
  await read("two.example");
  expect(readDnsState(ctx)).toBe("failing");
  expect(told).toEqual(["none of the last reads reached DNS"]);
  service.now += 16 * 60_000;
  look();
  expect(readDnsState(ctx)).toBe("unknown");
  expect(told).toHaveLength(1);
  service.see = foundAt;
  await read("three.example");
  look();
  expect(told).toEqual(["none of the last reads reached DNS", "reads reach DNS again"]);
});
