import { foundAt } from "@deed/dns/testing/readings.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { expect, test } from "vitest";
import { proved, published, testService } from "#app/core/testing/service.ts";
import type { Db } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { attemptEvidence, receipts } from "#db/schema.ts";
import { databaseBefore } from "#db/testing.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { proofScreen } from "./proofs.server.ts";
import { readOwnReceipt, receiptOfOwnClaim, testReceipts } from "./receipts.server.ts";

const EMAIL = "maria@acme.com";
const stay = new AbortController().signal;

test("a receipt of 0.2.0, which had a place in its log, is served without it and verifies", async () => {
  const made = testService();
  const { account, claim } = await proved(made);
  const before = databaseBefore("0022_webhook_people");
  const columnsOf = (db: Db, table: string) =>
    db.$client.prepare("select name from pragma_table_info(?)").pluck().all(table) as string[];
  for (const table of ["accounts", "domains", "claims", "verifications", "receipts"]) {
    const known = new Set(columnsOf(before, table));
    const columns = columnsOf(made.ctx.db, table).filter((name) => known.has(name));
    const names = columns.join();
    for (const row of made.ctx.db.$client.prepare(`select ${names} from ${table}`).raw().all())
      before.$client
        .prepare(`insert into ${table} (${names}) values (${columns.map(() => "?").join()})`)
        .run(...(row as unknown[]));
  }
  before.$client.exec("update receipts set log = '01234567', log_index = 0");
  migrateDatabase(before);
  const { ctx } = testService(before);
  const { receipt } = readOwnReceipt(ctx, account.id, claim.id);
  expect(receipt.log).toBeNull();
  const report = await verifyReceipt(JSON.stringify(receipt), { keys: [ctx.signer.kid] });
  expect(report.verdict).toBe("good");
});

test("a statement says what was proved, when, by which rule, and for whom", async () => {
  const service = testService();
  const { account, claim } = await proved(service, EMAIL, "shop.acme.com");
  const { statement } = readOwnReceipt(service.ctx, account.id, claim.id).receipt;
  const [, payload = ""] = statement.split(".");
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
    iss: service.ctx.settings.baseUrl,
    sub: "shop.acme.com",
    iat: service.now / 1_000,
    challengeName: "_service-challenge.shop.acme.com",
    token: claim.token,
    provedAt: new Date(service.now).toISOString(),
    scope: "exact_name",
    rule: "deed-proof/1",
    dnssec: "insecure",
    heldBy: "m•••@acme.com",
  });
});

test("the chain is there only where the statement says secure", async () => {
  const chain = Uint8Array.of(1, 2, 3);
  for (const verdict of ["secure", "insecure"] as const) {
    const reason = { type: "unsigned", zone: "acme.com", parent: "com" } as const;
    const validation = verdict === "secure" ? { verdict } : { verdict, reason };
    const service = testService();
    const { account, claim } = await proved(service, EMAIL, "acme.com", (question, at) => ({
      ...foundAt(question, at),
      validation,
      chain,
    }));
    const { receipt } = readOwnReceipt(service.ctx, account.id, claim.id);
    expect(receipt.dnssec).toEqual(verdict === "secure" ? { chain: "AQID" } : null);
  }
});

test("the evidence of a receipt outlives that of the reads", async () => {
  const { service, ctx, account, claim } = await proved();
  const before = readOwnReceipt(ctx, account.id, claim.id);
  service.now += 40 * 86_400_000;
  await trimEverything(ctx, stay);
  expect(ctx.db.select().from(attemptEvidence).all()).toMatchObject([{ trimmed: true }]);
  expect(readOwnReceipt(ctx, account.id, claim.id)).toEqual(before);
});

test("only the holder's own screen has the opening", async () => {
  const { ctx, account, claim, link } = await published();
  const { slug } = link;
  const { opening } = readOwnReceipt(ctx, account.id, claim.id);
  const own = receiptOfOwnClaim(ctx, claim.id);
  const shown = proofScreen(ctx, slug).receipt;
  expect(own).toMatchObject({ opening, assurance: "witnessed", thumbprint: ctx.signer.kid });
  expect({ ...shown, opening }).toEqual(own);
  expect(shown).not.toHaveProperty("opening");
  ctx.db.delete(receipts).run();
  expect([receiptOfOwnClaim(ctx, claim.id), proofScreen(ctx, slug).receipt]).toEqual([null, null]);
});

test("each receipt is verified once, and a bad one is an error", async () => {
  const service = testService();
  const results: boolean[] = [];
  const ctx = { ...service.ctx, onReceiptTested: (isGood: boolean) => void results.push(isGood) };
  await proved(service);
  await testReceipts(ctx, stay);
  await testReceipts(ctx, stay);
  expect([results, service.complaints]).toEqual([[true], []]);

  const other = await proved(service, EMAIL, "globex.com");
  const { statement } = readOwnReceipt(ctx, other.account.id, other.claim.id).receipt;
  ctx.db
    .update(receipts)
    .set({ statement: `${statement.slice(0, -4)}AAAA` })
    .run();
  await testReceipts(ctx, stay);
  expect(results).toEqual([true, false]);
  expect(service.complaints).toEqual(["a receipt just issued does not verify"]);
});
