import { foundAt } from "@deed/dns/testing/readings.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { expect, it } from "vitest";
import type { Context } from "#app/core/context.server.ts";
import { claimed, NOON, type TestService, testService } from "#app/core/testing/service.ts";
import { says } from "../../../tests/contract/sentences.ts";
import { readOwnReceipt } from "../proofs/receipts.server.ts";
import { jwkSet, listKeys, settleKey } from "./keys.server.ts";
import { type Signer, signerOf } from "./signer.server.ts";

const [FIRST, SECOND] = [signerOf("5".repeat(64)), signerOf("6".repeat(64))];
const iso = (ms: number) => new Date(ms).toISOString();

/** As a process that is started with this key. */
const startedWith = ({ ctx }: TestService, signer: Signer): Context => ({ ...ctx, signer });

let names = 0;
async function prove(service: TestService, ctx = service.ctx) {
  const name = `n${names++}.example.com`;
  const { account, claim, run } = await claimed({ ...service, ctx }, "maria@acme.com", name);
  service.see = foundAt;
  await run();
  return () => readOwnReceipt(ctx, account.id, claim.id).receipt;
}

async function verdictOf(receipt: object, kid: string) {
  const { verdict } = await verifyReceipt(JSON.stringify(receipt), { keys: [kid] });
  return verdict;
}

it("lists the key that signs, with the date of its first use", async () => {
  const service = testService();
  const { ctx } = service;
  const listed = { ...FIRST.jwk, kid: FIRST.kid, use: "sig", alg: "EdDSA" };
  expect(jwkSet(ctx)).toEqual({ keys: [listed] });
  await settleKey(ctx);
  await settleKey(ctx);
  expect(jwkSet(ctx)).toEqual({ keys: [{ ...listed, "deed:notBefore": iso(NOON) }] });
});

it(says("C24.2"), async () => {
  const service = testService();
  const before = await prove(service);
  service.now += 1_000;
  const ctx = startedWith(service, SECOND);
  await settleKey(ctx);
  const until = iso(service.now);
  service.now += 1_000;
  const after = await prove(service, ctx);

  expect(await verdictOf(before(), FIRST.kid)).toBe("good");
  expect(await verdictOf(after(), SECOND.kid)).toBe("good");
  expect(service.complaints).toEqual(["from now on another key signs receipts"]);
  expect(listKeys(ctx.db)).toEqual([
    { kid: SECOND.kid, jwk: SECOND.jwk, from: until, until: null },
    { kid: FIRST.kid, jwk: FIRST.jwk, from: iso(NOON), until },
  ]);
  expect(jwkSet(ctx).keys).toMatchObject([
    { kid: SECOND.kid },
    { kid: FIRST.kid, "deed:notAfter": until },
  ]);
});

it("changes keys with the first receipt, and back, as on nodes of a cluster with different keys", async () => {
  const service = testService();
  await prove(service);
  service.now += 1_000;
  const after = await prove(service, startedWith(service, SECOND));
  expect(await verdictOf(after(), SECOND.kid)).toBe("good");
  expect(listKeys(service.ctx.db)).toMatchObject([
    { kid: SECOND.kid, until: null },
    { kid: FIRST.kid, until: iso(service.now) },
  ]);
  await settleKey(startedWith(service, FIRST));
  expect(listKeys(service.ctx.db)).toMatchObject([
    { kid: FIRST.kid, until: null },
    { kid: SECOND.kid, until: iso(service.now) },
  ]);
});
