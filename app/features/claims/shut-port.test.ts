import { DENIED, foundAt, shutAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { claimed, NOON, proved, testService } from "#app/core/testing/service.ts";
import { iso, MINUTE } from "#app/core/time.ts";
import { readDnsState } from "#app/features/admin/health.server.ts";
import { readHolderReceipt } from "#app/features/proofs/receipts.server.ts";
import { claimView } from "../claim-page/claim-screen.server.ts";

const SECURE = { validation: { verdict: "secure" }, chain: Uint8Array.of(1, 2, 3) } as const;
const reason = { type: "unsigned", zone: "acme.com", parent: "com" } as const;
const UNSIGNED = { validation: { verdict: "insecure", reason } } as const;

async function opened() {
  const mine = await claimed();
  const { ctx, account, claim } = mine;
  return { ...mine, shut: async () => (await claimView(ctx, account.id, claim.id, {})).shut };
}

// C8.12
test("a proof by signatures alone names its rule, no nameserver and the opening", async () => {
  const service = testService();
  const { account, claim } = await proved(service, undefined, "acme.com", shutAt(SECURE, 0));
  const { statement, dnssec } = readHolderReceipt(service.ctx, account.id, claim.id).receipt;
  const [, payload = ""] = statement.split(".");
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
    ...{ rule: "deed-dnssec/1", claimedAt: iso(NOON), nameservers: [] },
    ...{ dnssec: "secure", assurance: "dnssec" },
  });
  expect(dnssec).toEqual({ chain: "AQID" });
  expect(service.asked.at(-1)?.overHttps).toEqual({ openedAt: NOON, held: [] });
});

test("C8.13: no resolver is asked before its denial ends, and the next read is told", async () => {
  const { service, run, shut } = await opened();
  const until = [NOON + 45 * MINUTE, NOON + 40 * MINUTE] as const;
  const after = await run(shutAt(DENIED, ...until));
  const diagnosed = { status: "needs_attention", diagnosis: { code: "record_absent" } };
  expect(after).toMatchObject({ ...diagnosed, nextRunAt: iso(until[1]) });
  const { lastRunAt: __, ...forced } = await run(shutAt({}, ...until), 20_000);
  const { lastRunAt: _, ...same } = { ...after, lastOutcome: "unresolvable" };
  const held = until.map((one, index) => ({ resolver: `r${index + 1}`, until: one }));
  expect([service.asked.at(-1)?.overHttps?.held, forced]).toEqual([held, same]);
  const says = /^This installation cannot reach nameservers, .* through one resolver at a time\.$/;
  expect(await shut()).toMatch(says);
  expect((await run(foundAt, 20_000)).status).toBe("proved");
});

test("an unsigned domain waits for the operator, and the page and health say why", async () => {
  const { service, ctx, run, shut } = await opened();
  const waits = { diagnosis: null, waitEstimate: { reason: "retry" } };
  expect(await run(shutAt(UNSIGNED, 0))).toMatchObject(waits);
  expect(await shut()).toMatch(/acme\.com has no DNSSEC/);
  expect(readDnsState(ctx)).toBe("port_53_shut");
  expect(service.complaints).toContain("nothing answers this server on port 53: open that port");
  await run(shutAt({}, ...[]), MINUTE);
  expect(await shut()).toMatch(/cannot be proved until the operator opens/);
  await run(foundAt, MINUTE);
  expect([await shut(), readDnsState(ctx)]).toEqual([null, "ok"]);
});
