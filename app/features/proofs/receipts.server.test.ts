import { foundAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { NOON, proved, published, stay, testService } from "#app/core/testing/service.ts";
import { iso } from "#app/core/time.ts";
import { claims, receipts } from "#db/schema.ts";
import { signOldReceiptsAgain } from "../receipts/issue.server.ts";
import { ensureCurrentKey, revokeKey } from "../receipts/keys.server.ts";
import { signerOf } from "../receipts/signer.server.ts";
import { proofScreen } from "./proofs.server.ts";
import {
  doubtOf,
  readHolderReceipt,
  readReceipt,
  receiptForHolder,
  testReceipts,
} from "./receipts.server.ts";

const EMAIL = "maria@acme.com";
test("C10.18: the file says what it is and where to check it, then what was proved", async () => {
  const { ctx, account, claim } = await proved(testService(), EMAIL, "shop.acme.com");
  const { receipt } = readHolderReceipt(ctx, account.id, claim.id);
  expect(Object.entries(receipt)[0]).toEqual([
    "about",
    "A signed receipt: http://deed.test says that control of shop.acme.com was proved at 2026-01-03T12:00:00.000Z. Check it at http://deed.test/verify, or at any other installation of Deed. http://deed.test/docs/how-to-check has the steps, in a browser and in a shell.",
  ]);
  const [, payload = ""] = receipt.statement.split(".");
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
    ...{ iss: ctx.settings.baseUrl, sub: "shop.acme.com", iat: NOON / 1_000, token: claim.token },
    ...{ challengeName: "_service-challenge.shop.acme.com", provedAt: iso(NOON) },
    ...{ scope: "exact_name", rule: "deed-proof/3", dnssec: "indeterminate" },
    heldBy: "m•••@acme.com",
  });
});

const unsigned = { type: "unsigned", zone: "acme.com", parent: "com" } as const;
test.each([
  [{ verdict: "secure" }, { chain: "AQID" }],
  [{ verdict: "insecure", reason: unsigned }, { chain: "AQID" }],
  [{ verdict: "indeterminate", reason: { type: "no_anchor" } }, null],
] as const)("its chain is there unless it says indeterminate: %j", async (validation, dnssec) => {
  const found = { validation, chain: Uint8Array.of(1, 2, 3) };
  const see: typeof foundAt = (...asked) => ({ ...foundAt(...asked), ...found });
  const { ctx, account, claim } = await proved(undefined, EMAIL, "acme.com", see);
  expect(readHolderReceipt(ctx, account.id, claim.id).receipt.dnssec).toEqual(dnssec);
});

test("one of an earlier version is unavailable until it is signed again, and no reader signs it", async () => {
  const { ctx, account, claim, link } = await published();
  const own = () => readHolderReceipt(ctx, account.id, claim.id);
  const byLink = () => readReceipt(ctx, link.slug);
  const end = new RegExp(` Its link: http://deed\\.test/p/${link.slug}$`);
  expect(byLink().content.about).toMatch(end);
  expect(own().receipt).toEqual(byLink().content);
  const reads = [own, byLink];
  ctx.db.update(claims).set({ salt: null, nonce: null }).run();
  const changes = ctx.db.$client.prepare("select total_changes()").pluck();
  const before = changes.get();
  const details = expect.objectContaining({ retryAfter: 60 });
  const unavailable = expect.objectContaining({ code: "unavailable", details });
  for (const read of reads) expect(read).toThrow(unavailable);
  expect(receiptForHolder(ctx, claim.id)).toBeNull();
  expect(changes.get()).toBe(before);
  await signOldReceiptsAgain(ctx, stay);
  for (const read of reads) expect(read).not.toThrow();
});

test("a proof is doubted unasked once its key was replaced or stolen, unless it is good", async () => {
  const { ctx, link } = await published();
  expect(await doubtOf(ctx, link.slug)).toBeNull();
  await revokeKey(ctx.db, ctx.signer.kid, NOON);
  expect(await doubtOf(ctx, link.slug)).toMatchObject({ verdict: "bad" });
  await ensureCurrentKey({ ...ctx, signer: signerOf("6".repeat(64)) });
  expect(await doubtOf(ctx, link.slug)).not.toBeNull();
});

test("C23.11: only the holder's own screen has the opening", async () => {
  const { ctx, account, claim, link } = await published();
  const { slug } = link;
  const { opening } = readHolderReceipt(ctx, account.id, claim.id);
  const own = receiptForHolder(ctx, claim.id);
  const shown = proofScreen(ctx, slug).receipt;
  expect(own).toMatchObject({ opening, assurance: "witnessed", thumbprint: ctx.signer.kid });
  expect({ ...shown, opening }).toEqual(own);
  expect(shown).not.toHaveProperty("opening");
  ctx.db.delete(receipts).run();
  const missing = expect.objectContaining({ code: "receipt_not_found" });
  expect(() => readReceipt(ctx, slug)).toThrow(missing);
  expect([receiptForHolder(ctx, claim.id), proofScreen(ctx, slug).receipt]).toEqual([null, null]);
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
  const { statement } = readHolderReceipt(ctx, other.account.id, other.claim.id).receipt;
  const forged = { statement: `${statement.slice(0, -4)}AAAA` };
  ctx.db.update(receipts).set(forged).run();
  await testReceipts(ctx, stay);
  expect(results).toEqual([true, false]);
  expect(service.complaints).toEqual(["a receipt just issued does not verify"]);
});
