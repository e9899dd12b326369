import { DENIED, foundAt, shutAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { claimed, NOON, proved, testService } from "#app/core/testing/service.ts";
import { readDnsState } from "#app/features/admin/health.server.ts";
import { readOwnReceipt } from "#app/features/proofs/receipts.server.ts";
import { claimView } from "../claim-page/claim-screen.server.ts";
import { readVerification } from "./verifications.server.ts";

const MINUTE = 60_000;
const SECURE = { validation: { verdict: "secure" }, chain: Uint8Array.of(1, 2, 3) } as const;
const reason = { type: "unsigned", zone: "acme.com", parent: "com" } as const;
const UNSIGNED = { validation: { verdict: "insecure", reason } } as const;

// C8.12
test("a proof by signatures alone names its rule, no nameserver and the opening", async () => {
  const service = testService();
  const { account, claim } = await proved(service, undefined, "acme.com", shutAt(SECURE, 0));
  const { statement, dnssec } = readOwnReceipt(service.ctx, account.id, claim.id).receipt;
  const [, payload = ""] = statement.split(".");
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
    rule: "deed-dnssec/1",
    claimedAt: new Date(NOON).toISOString(),
    nameservers: [],
    dnssec: "secure",
    assurance: "dnssec",
  });
  expect(dnssec).toEqual({ chain: "AQID" });
  expect(service.asked.at(-1)?.overHttps).toEqual({
    openedAt: claim.createdAt ? NOON : 0,
    held: [],
  });
});

// C8.13
test("no resolver is asked before its denial is forgotten, and the next read is told", async () => {
  const mine = await claimed();
  const { service, ctx, account, claim, run } = mine;
  const until = [NOON + 45 * MINUTE, NOON + 40 * MINUTE] as const;
  service.see = shutAt(DENIED, ...until);
  const after = await run();
  expect(after).toMatchObject({
    status: "needs_attention",
    diagnosis: { code: "record_absent" },
    nextRunAt: new Date(until[1]).toISOString(),
  });
  service.now += 20_000;
  service.see = shutAt({}, ...until);
  const forced = await run();
  expect(service.asked.at(-1)?.overHttps?.held).toEqual([
    { resolver: "r1", until: until[0] },
    { resolver: "r2", until: until[1] },
  ]);
  expect(forced).toMatchObject({
    ...after,
    lastOutcome: "unresolvable",
    lastRunAt: forced.lastRunAt,
  });
  expect((await claimView(ctx, account.id, claim.id, null)).shut).toMatch(
    /^This installation reaches no nameserver, .* through one resolver at a time\.$/,
  );
  service.now += 20_000;
  service.see = foundAt;
  await run();
  expect(await readVerification(ctx, account.id, claim.verificationId)).toMatchObject({
    status: "proved",
  });
});

test("an unsigned domain waits for the operator, and the page and health say why", async () => {
  const { service, ctx, account, claim, run } = await claimed();
  service.see = shutAt(UNSIGNED, 0);
  expect(await run()).toMatchObject({ diagnosis: null, waitEstimate: { reason: "retry" } });
  expect((await claimView(ctx, account.id, claim.id, null)).shut).toMatch(
    /acme\.com has no DNSSEC/,
  );
  expect(readDnsState(ctx)).toBe("port_53_shut");
  expect(service.complaints).toContain("nothing answers this server on port 53: open it outward");
  service.now += MINUTE;
  service.see = shutAt({}, ...[]);
  await run();
  expect((await claimView(ctx, account.id, claim.id, null)).shut).toMatch(
    /cannot be proved until the operator opens/,
  );
  service.now += MINUTE;
  service.see = foundAt;
  await run();
  expect((await claimView(ctx, account.id, claim.id, null)).shut).toBeNull();
  expect(readDnsState(ctx)).toBe("ok");
});
