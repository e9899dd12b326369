import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import { AT } from "@deed/dns/testing/dnssec/signer.ts";
import { foundAt } from "@deed/dns/testing/readings.ts";
import type { Jwk } from "@deed/receipt/ed25519.ts";
import { makeWorld } from "@deed/receipt/testing/issuer.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { beforeAll, expect, it } from "vitest";
import type { Context } from "#app/core/context.server.ts";
import { claimed, stay, type TestService, testService } from "#app/core/testing/service.ts";
import { iso } from "#app/core/time.ts";
import { claims } from "#db/schema.ts";
import { says } from "../../../tests/contract/sentences.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { readHolderReceipt } from "../proofs/receipts.server.ts";
import { ensureCurrentKey, jwkSet, listKeys, revokeKey } from "./keys.server.ts";
import { type Signer, signerOf, signJws } from "./signer.server.ts";

type Three = [Signer, Signer, Signer];
const [FIRST, SECOND, THIRD] = [5, 6, 7].map((n) => signerOf(`${n}`.repeat(64))) as Three;

const startedWith = ({ ctx }: TestService, signer: Signer): Context => ({ ...ctx, signer });

let world: Awaited<ReturnType<typeof makeWorld>>;
let anchors: Anchor[];
beforeAll(async () => {
  world = await makeWorld();
  anchors = world.anchors;
});

let names = 0;
async function claim(service: TestService, ctx = service.ctx) {
  const name = `n${names++}.test`;
  const { account, claim } = await claimed({ ...service, ctx }, "maria@acme.com", name);
  const chain = await world.unsigned(name);
  service.see = (question, at) => ({ ...foundAt(question, at), chain });
  return async (later = ctx) => {
    await runVerification(later, account.id, claim.verificationId, stay);
    return () => readHolderReceipt(later, account.id, claim.id).receipt;
  };
}

const prove = async (service: TestService, ctx = service.ctx) => (await claim(service, ctx))();

/** A service in the time of this file's signatures. */
function timedService() {
  const service = testService();
  service.now = AT * 1_000;
  return service;
}

async function reportOf(receipt: object, ...keys: string[]) {
  const report = await verifyReceipt(JSON.stringify(receipt), { keys, anchors });
  const token = report.parts.find(({ part }) => part === "token")?.code;
  return { ...report, told: `${report.verdict}, ${token}` };
}
const verdictOf = async (receipt: object, kid: string) => (await reportOf(receipt, kid)).verdict;

it("lists the key that signs, with the date of its first use", async () => {
  const { ctx } = timedService();
  const listed = { ...FIRST.jwk, kid: FIRST.kid, use: "sig", alg: "Ed25519" };
  expect(jwkSet(ctx)).toEqual({ keys: [listed] });
  await ensureCurrentKey(ctx);
  await ensureCurrentKey(ctx);
  expect(jwkSet(ctx)).toEqual({
    keys: [{ ...listed, "deed:notBefore": iso(AT * 1_000) }],
    "deed:history": expect.any(String),
  });
});

it(says("C24.2"), async () => {
  const service = timedService();
  const before = await prove(service);
  service.now += 1_000;
  const ctx = startedWith(service, SECOND);
  await ensureCurrentKey(ctx);
  const until = iso(service.now);
  service.now += 1_000;
  const after = await prove(service, ctx);

  expect(await verdictOf(before(), FIRST.kid)).toBe("good");
  expect(await verdictOf(after(), SECOND.kid)).toBe("good");
  expect(service.complaints).toEqual(["from now on another key signs receipts"]);
  expect(listKeys(ctx.db)).toEqual([
    { kid: SECOND.kid, jwk: SECOND.jwk, from: until, until: null, compromisedSince: null },
    { kid: FIRST.kid, jwk: FIRST.jwk, from: iso(AT * 1_000), until, compromisedSince: null },
  ]);
  const ended = { kid: FIRST.kid, "deed:notAfter": until };
  expect(jwkSet(ctx).keys).toMatchObject([{ kid: SECOND.kid }, ended]);
});

it("changes keys with the first receipt, and back, as on nodes of a cluster with different keys", async () => {
  const service = timedService();
  await prove(service);
  service.now += 1_000;
  const after = await prove(service, startedWith(service, SECOND));
  expect(await verdictOf(after(), SECOND.kid)).toBe("good");
  const lives = () => listKeys(service.ctx.db).map(({ kid, until }) => [kid, until]);
  const now = iso(service.now);
  expect(Object.fromEntries(lives())).toEqual({ [SECOND.kid]: null, [FIRST.kid]: now });
  await ensureCurrentKey(startedWith(service, FIRST));
  expect(Object.fromEntries(lives())).toEqual({ [FIRST.kid]: null, [SECOND.kid]: now });
});

it("proves a claim from before a rotation with what leads from its key to the new one", async () => {
  const service = timedService();
  await ensureCurrentKey(service.ctx);
  const finish = await claim(service);
  const rotated = { ...SECOND, earlier: [FIRST] };
  const receipt = (await finish(startedWith(service, rotated)))();
  const report = await reportOf(receipt, SECOND.kid);
  expect(report.told).toBe("good, bound");
  expect(report.statement?.successions).toHaveLength(1);

  const rotates = async (from: Signer, to: Signer) => {
    const finish = await claim(service, startedWith(service, from));
    return (await reportOf((await finish(startedWith(service, to)))(), to.kid)).told;
  };
  const third = { ...THIRD, earlier: [SECOND] };
  expect(await rotates(rotated, third)).toBe("good, bound");
  expect(await rotates(third, { ...FIRST, earlier: [THIRD] })).toBe("good, bound");
});

it("signs the history with the key that still signs, where a replica has the next one", async () => {
  const service = timedService();
  const before = await prove(service);
  const replica = startedWith(service, { ...SECOND, earlier: [FIRST] });
  const keyOf = async (ctx: Context, ...keys: string[]) => {
    const history = jwkSet(ctx)["deed:history"];
    const options = { keys, anchors, ...(history && { history }) };
    const { parts } = await verifyReceipt(JSON.stringify(before()), options);
    return parts.find(({ part }) => part === "key")?.code;
  };
  expect(await keyOf(replica, FIRST.kid)).toBe("expected");
  await revokeKey(service.ctx.db, FIRST.kid, service.now);
  expect(await keyOf(replica, FIRST.kid)).toBe("compromised");
  expect(jwkSet(startedWith(service, THIRD))["deed:history"]).toBeUndefined();
});

it("says that a receipt is not bound where its claim is from before such tokens, or no key at hand leads to its own", async () => {
  const service = timedService();
  const old = await claim(service);
  service.ctx.db.update(claims).set({ salt: null, nonce: null }).run();
  expect((await reportOf((await old())(), FIRST.kid)).told).toBe("good, not_bound");
  const finish = await claim(service);
  const receipt = (await finish(startedWith(service, SECOND)))();
  const report = await reportOf(receipt, SECOND.kid);
  expect([report.told, report.statement?.successions]).toEqual(["good, not_bound", undefined]);
});

it(says("C24.3"), async () => {
  const service = timedService();
  const before = (await prove(service))();
  service.now += 5_000;
  const ctx = startedWith(service, { ...SECOND, earlier: [FIRST] });
  await ensureCurrentKey(ctx);
  const after = (await prove(service, ctx))();
  const told = async (receipt: object, keys: (string | Jwk)[], set = jwkSet(ctx)) => {
    const history = set["deed:history"];
    const options = { keys, anchors, ...(history && { history }) };
    const { verdict, parts } = await verifyReceipt(JSON.stringify(receipt), options);
    return `${verdict}, ${parts.find(({ part }) => part === "key")?.code}`;
  };
  // Today's thumbprint is enough for earlier keys' receipts too, and no other key can vouch for them.
  expect(await told(after, [SECOND.kid])).toBe("good, expected");
  expect(await told(before, [SECOND.kid])).toBe("weaker, ended");
  expect(await told(before, [FIRST.kid])).toBe("good, end_unknown");
  expect(await told(after, [FIRST.kid])).toBe("bad, another");
  expect(await told(before, jwkSet(ctx).keys)).toBe("weaker, ended");
  const { statement } = await reportOf(before, FIRST.kid);
  const late = { ...statement, iat: service.now / 1_000 + 1 };
  const stolen = { ...before, statement: signJws(FIRST, "deed-proof+jwt", late) };
  expect(await told(stolen, [SECOND.kid])).toBe("bad, after_end");

  expect(await revokeKey(ctx.db, THIRD.kid, service.now)).toBe(false);
  expect(await revokeKey(ctx.db, FIRST.kid, service.now)).toBe(true);
  expect(await told(before, [SECOND.kid])).toBe("bad, compromised");
  expect(await told(after, [SECOND.kid])).toBe("good, expected");
  expect(jwkSet(ctx).keys[1]).toMatchObject({ "deed:compromisedSince": iso(service.now) });
  // A key that comes back stays revoked.
  const back = startedWith(service, FIRST);
  await ensureCurrentKey(back);
  expect(await told(before, [FIRST.kid], jwkSet(back))).toBe("bad, compromised");
});
