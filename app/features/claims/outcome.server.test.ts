import { foundAt } from "@deed/dns/testing/readings.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import { expect, test } from "vitest";
import { claimed, leased, type TestService, testService } from "#app/core/testing/service.ts";
import { attempts } from "#db/schema.ts";
import { readClaim } from "./claims.server.ts";
import { recordRead } from "./outcome.server.ts";

/** Creates `count` claims, each held by a read that has found its token. */
async function held(service: TestService, count: number) {
  const all = [];
  for (let i = 0; i < count; i++) {
    const { account, claim } = await claimed(service, "maria@example.org", `n${i}.example.com`);
    const run = await leased(service, claim.verificationId);
    const question = { domain: claim.domain, label: "_service-challenge", token: claim.token };
    const read = {
      decision: { outcome: "found" } as const,
      evidence: JSON.stringify(evidenceOf(foundAt(question, service.now))),
      seen: null,
      chain: null,
      progress: {},
      startedAt: service.now,
      endedAt: service.now,
      forced: false,
    };
    all.push({ account, claim, run, read });
  }
  return all;
}

test("one that cannot be written takes no other along", async () => {
  const service = testService();
  const reads = await held(service, 3);
  const outcomes = await Promise.allSettled(
    reads.map(({ run, read }, i) =>
      // The database rejects a proof without evidence.
      recordRead(service.ctx, run, i === 1 ? { ...read, evidence: null } : read),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const states = reads.map(async ({ account, claim }) =>
    readClaim(service.ctx, account.id, claim.id),
  );
  expect((await Promise.all(states)).map(({ state }) => state)).toEqual([
    "proved",
    "pending",
    "proved",
  ]);
  expect(service.ctx.db.select().from(attempts).all()).toHaveLength(2);
});
