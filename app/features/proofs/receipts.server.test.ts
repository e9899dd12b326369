import { createHash, createPublicKey, verify } from "node:crypto";
import { foundAt } from "@deed/dns/testing/readings.ts";
import { canonicalJson, type Statement } from "@deed/receipt/statement.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { expect, test } from "vitest";
import { deleteAccount } from "#app/core/accounts/accounts.server.ts";
import { claimed, type TestService, testService } from "#app/core/testing/service.ts";
import type { Db } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { attemptEvidence, receipts } from "#db/schema.ts";
import { databaseBefore } from "#db/testing.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { thumbprint } from "../receipts/signer.server.ts";
import { proofScreen } from "./proof-rows.server.ts";
import { publishProof, revokeProofLink } from "./proofs.server.ts";
import {
  readEvidence,
  readOwnReceipt,
  readReceipt,
  receiptOfOwnClaim,
  testReceipts,
} from "./receipts.server.ts";

const stay = new AbortController().signal;
const sha256 = (...parts: (string | Uint8Array)[]) =>
  createHash("sha256").update(Buffer.concat(parts.map((part) => Buffer.from(part))));

async function proved(service: TestService, see = foundAt) {
  const mine = await claimed(service, "maria@acme.com");
  service.see = see;
  await runVerification(service.ctx, mine.account.id, mine.claim.verificationId, stay);
  return mine;
}

const parts = (jws: string) => {
  const [header = "", payload = "", signature = ""] = jws.split(".");
  const text = (part: string) => Buffer.from(part, "base64url").toString();
  return { header: text(header), payload: text(payload), signature, input: `${header}.${payload}` };
};

test("a proof has a signed statement over its evidence and its holder", async () => {
  const service = testService();
  const { account, claim } = await proved(service);
  const { receipt, opening } = readOwnReceipt(service.ctx, account.id, claim.id);
  const { header, payload, signature, input } = parts(receipt.statement);

  const protectedHeader = JSON.parse(header);
  expect(header).toBe(canonicalJson(protectedHeader));
  const { jwk, kid } = protectedHeader;
  expect(protectedHeader).toEqual({ alg: "EdDSA", jwk, kid, typ: "deed-proof+jwt" });
  expect([kid, thumbprint(jwk)]).toEqual([service.ctx.signer.kid, kid]);
  const key = createPublicKey({ key: jwk, format: "jwk" });
  expect(verify(null, Buffer.from(input), key, Buffer.from(signature, "base64url"))).toBe(true);

  const holder = { address: "Maria@acme.com", opening };
  const report = await verifyReceipt(JSON.stringify(receipt), { keys: [kid], holder });
  expect([report.verdict, report.assurance]).toEqual(["good", "witnessed"]);
  expect(report.parts.at(-1)).toMatchObject({ part: "holder", state: "shown" });

  const statement: Statement = JSON.parse(payload);
  expect(payload).toBe(canonicalJson(statement));
  expect(statement).toMatchObject({ sub: "acme.com", token: claim.token, assurance: "witnessed" });
  const { content, fileStem } = readEvidence(service.ctx, account.id, claim.id);
  expect(fileStem).toBe("acme.com-2026-01-03");
  expect(statement.evidenceSha256).toBe(sha256(content).digest("base64url"));
  expect(JSON.parse(content)).toMatchObject({ domain: "acme.com", token: claim.token });
  expect(opening).toHaveLength(22);
  const salt = Buffer.from(opening, "base64url");
  expect(statement.holderCommitment).toBe(sha256(salt, "maria@acme.com").digest("base64url"));
});

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

test("the chain is there only where the statement says secure", async () => {
  const chain = Uint8Array.of(1, 2, 3);
  for (const verdict of ["secure", "insecure"] as const) {
    const reason = { type: "unsigned", zone: "acme.com", parent: "com" } as const;
    const validation = verdict === "secure" ? { verdict } : { verdict, reason };
    const service = testService();
    const { account, claim } = await proved(service, (question, at) => ({
      ...foundAt(question, at),
      validation,
      chain,
    }));
    const { receipt } = readOwnReceipt(service.ctx, account.id, claim.id);
    expect(receipt.dnssec).toEqual(verdict === "secure" ? { chain: "AQID" } : null);
  }
});

test("the evidence of a receipt outlives that of the reads", async () => {
  const service = testService();
  const { account, claim } = await proved(service);
  const before = readEvidence(service.ctx, account.id, claim.id);
  service.now += 40 * 86_400_000;
  await trimEverything(service.ctx, stay);
  expect(service.ctx.db.select().from(attemptEvidence).all()).toMatchObject([{ trimmed: true }]);
  expect(readEvidence(service.ctx, account.id, claim.id)).toEqual(before);
});

test("a receipt is public while its link is, and the account's own as long as the account is", async () => {
  const service = testService();
  const { ctx } = service;
  const { account, claim } = await proved(service);
  const { slug } = await publishProof(ctx, account.id, claim.id);
  const { receipt } = readOwnReceipt(ctx, account.id, claim.id);
  expect(readReceipt(ctx, slug)).toEqual({ content: receipt, fileStem: "acme.com-2026-01-03" });
  await revokeProofLink(ctx, account.id, claim.id, slug);
  expect(() => readReceipt(ctx, slug)).toThrow(expect.objectContaining({ code: "proof_revoked" }));
  expect(readOwnReceipt(ctx, account.id, claim.id).receipt).toEqual(receipt);
  await deleteAccount(ctx, account.id);
  expect(() => readReceipt(ctx, slug)).toThrow(
    expect.objectContaining({ code: "proof_not_found" }),
  );
  expect(ctx.db.select().from(receipts).all()).toEqual([]);
});

test("a claim that is not proved, not one's own or older than receipts has none", async () => {
  const service = testService();
  const { ctx } = service;
  const { account, claim } = await claimed(service);
  for (const read of [readOwnReceipt, readEvidence]) {
    const error = (code: string) => expect.objectContaining({ code });
    expect(() => read(ctx, account.id, claim.id)).toThrow(error("claim_not_proved"));
    expect(() => read(ctx, "acc_other", claim.id)).toThrow(error("claim_not_found"));
  }
  const old = await proved(service);
  const { slug } = await publishProof(ctx, old.account.id, old.claim.id);
  ctx.db.delete(receipts).run();
  for (const read of [
    () => readReceipt(ctx, slug),
    () => readOwnReceipt(ctx, old.account.id, old.claim.id),
  ])
    expect(read).toThrow(expect.objectContaining({ code: "receipt_not_found" }));
});

test("only the holder's own screen has the opening", async () => {
  const service = testService();
  const { ctx } = service;
  const { account, claim } = await proved(service);
  const { slug } = await publishProof(ctx, account.id, claim.id);
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

  const other = await claimed(service, "maria@acme.com", "globex.com");
  await runVerification(ctx, other.account.id, other.claim.verificationId, stay);
  const { statement } = readOwnReceipt(ctx, other.account.id, other.claim.id).receipt;
  ctx.db
    .update(receipts)
    .set({ statement: `${statement.slice(0, -4)}AAAA` })
    .run();
  await testReceipts(ctx, stay);
  expect(results).toEqual([true, false]);
  expect(service.complaints).toEqual(["a receipt just issued does not verify"]);
});
