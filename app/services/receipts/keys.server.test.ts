import { expect, it } from "vitest";
import { canonicalJson } from "#app/receipt/canonical.ts";
import { verifyReceipt } from "#app/receipt/verify.ts";
import { logEntries } from "#db/schema.ts";
import { runVerification } from "../claims/verifications.server.ts";
import type { Context } from "../context.server.ts";
import { publishCheckpoint } from "../log/checkpoints.server.ts";
import { currentLog, logNamed } from "../log/log-rows.server.ts";
import { readOwnReceipt } from "../proofs/receipts.server.ts";
import { foundAt } from "../testing/observations.ts";
import { claimed, NOON, type TestService, testService } from "../testing/service.ts";
import { entryOf } from "./jws.server.ts";
import { Keyring } from "./keyring.server.ts";
import { jwkSet, listKeys, settleKeys } from "./keys.server.ts";
import { signerOf } from "./signer.server.ts";

const [FIRST, SECOND] = [signerOf("5".repeat(64)), signerOf("6".repeat(64))];
const iso = (ms: number) => new Date(ms).toISOString();

/** As a process that is started with these keys. */
function startedWith(
  { ctx }: TestService,
  ...signers: [typeof FIRST, ...(typeof FIRST)[]]
): Context {
  const keys = new Keyring(signers);
  return { ...ctx, keys, signer: keys };
}

let names = 0;
async function prove(service: TestService, ctx = service.ctx) {
  const { account, claim } = await claimed(service, "maria@acme.com", `n${names++}.example.com`);
  service.see = foundAt;
  const { signal } = new AbortController();
  await runVerification(ctx, account.id, claim.verificationId, signal);
  return () => readOwnReceipt(ctx, account.id, claim.id).receipt;
}

async function partsOf(receipt: object, kid: string) {
  const { parts } = await verifyReceipt(JSON.stringify(receipt), { keys: [kid] });
  return parts.filter(({ part }) => part === "key" || part === "log").map(({ code }) => code);
}

it("lists the key that signs, with the date of its first use", async () => {
  const service = testService();
  const { ctx } = service;
  const listed = { ...FIRST.jwk, kid: FIRST.kid, use: "sig", alg: "EdDSA" };
  expect(jwkSet(ctx)).toEqual({ keys: [listed] });
  await settleKeys(ctx);
  await settleKeys(ctx);
  expect(jwkSet(ctx)).toEqual({ keys: [{ ...listed, "deed:notBefore": iso(NOON) }] });
});

it("rotates in steps: named by the old key, its log complete, then the new key signs", async () => {
  const service = testService();
  const before = await prove(service);
  await publishCheckpoint(service.ctx);
  const oldLog = currentLog(service.ctx.db)?.id ?? "";

  service.now += 1_000;
  const ctx = startedWith(service, SECOND, FIRST);
  await settleKeys(ctx);
  // Until the log of the old key is complete, it signs.
  expect(ctx.signer.kid).toBe(FIRST.kid);
  const between = await prove(service, ctx);
  await settleKeys(ctx);
  expect([ctx.signer.kid, ctx.keys.hasFormer]).toEqual([FIRST.kid, true]);
  await publishCheckpoint(ctx);
  service.now += 1_000;
  await settleKeys(ctx);
  expect([ctx.signer.kid, ctx.keys.hasFormer]).toEqual([SECOND.kid, false]);
  await publishCheckpoint(ctx);
  const after = await prove(service, ctx);
  await publishCheckpoint(ctx);

  for (const [receipt, { kid }] of [
    [before(), FIRST],
    [between(), FIRST],
    [after(), SECOND],
  ] as const)
    expect(await partsOf(receipt, kid)).toEqual(["expected", "included"]);

  const [current, old] = listKeys(ctx.db);
  expect(current).toMatchObject({ kid: SECOND.kid, from: iso(NOON + 2_000), until: null });
  expect(old).toMatchObject({ kid: FIRST.kid, from: iso(NOON), until: iso(NOON + 2_000) });
  const [header, payload] = (old?.succession ?? "")
    .split(".")
    .map((part) => Buffer.from(part, "base64url").toString());
  expect(JSON.parse(header ?? "")).toMatchObject({ kid: FIRST.kid, typ: "deed-key+jwt" });
  const successor = { successor: SECOND.jwk, successorKid: SECOND.kid };
  expect(payload).toBe(
    canonicalJson({ iss: "http://deed.test", iat: NOON / 1_000 + 1, ...successor }),
  );
  const [, named] = jwkSet(ctx).keys;
  expect(named).toMatchObject({
    kid: FIRST.kid,
    "deed:notAfter": iso(NOON + 2_000),
    "deed:succession": old?.succession,
  });

  const newLog = currentLog(ctx.db)?.id ?? "";
  expect(newLog).not.toBe(oldLog);
  expect(logNamed(ctx.db, oldLog)).toMatchObject({ kid: FIRST.kid, size: 3, checkpointSize: 3 });
  const entry = entryOf(old?.succession ?? "");
  const places = ctx.db.select().from(logEntries).all();
  expect(
    places.filter((one) => one.entry.equals(entry)).map(({ log, index }) => [log, index]),
  ).toEqual(
    expect.arrayContaining([
      [oldLog, 1],
      [newLog, 0],
    ]),
  );
});

it("goes on with the rotation that another process began", async () => {
  const service = testService();
  await prove(service);
  const first = startedWith(service, SECOND, FIRST);
  await settleKeys(first);
  const second = startedWith(service, SECOND, FIRST);
  await prove(service, second);
  expect(second.signer.kid).toBe(FIRST.kid);
  await publishCheckpoint(second);
  await settleKeys(second);
  expect(listKeys(service.ctx.db).map(({ kid }) => kid)).toEqual([SECOND.kid, FIRST.kid]);
  // Started again before the old key was deleted.
  const third = startedWith(service, SECOND, FIRST);
  await settleKeys(third);
  expect([third.signer.kid, third.keys.hasFormer]).toEqual([SECOND.kid, false]);
});

it("begins with its own key where the current one is not here, and says so", async () => {
  const service = testService();
  const before = await prove(service);
  await publishCheckpoint(service.ctx);
  service.now += 1_000;
  const other = startedWith(service, SECOND);
  const after = await prove(service, other);
  expect(service.complaints).toEqual([expect.stringMatching(/another signs$/)]);
  await publishCheckpoint(other);
  expect(await partsOf(before(), FIRST.kid)).toEqual(["expected", "included"]);
  expect(await partsOf(after(), SECOND.kid)).toEqual(["expected", "included"]);
  expect(listKeys(service.ctx.db)).toMatchObject([
    { kid: SECOND.kid, until: null },
    { kid: FIRST.kid, until: iso(service.now), succession: null },
  ]);
  // And back, as on two nodes of a cluster with different keys.
  const back = startedWith(service, FIRST);
  await settleKeys(back);
  expect(listKeys(service.ctx.db)).toMatchObject([
    { kid: FIRST.kid, until: null },
    { kid: SECOND.kid, until: iso(service.now) },
  ]);
});
