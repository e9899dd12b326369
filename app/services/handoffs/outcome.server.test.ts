import { readFileSync } from "node:fs";
import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { jwkSet } from "../receipts/keys.server.ts";
import { signerOf, signJws } from "../receipts/signer.server.ts";
import { NOON, testService } from "../testing/service.ts";
import { OUTCOME_PARAMETER, OUTCOME_TYPE, withOutcome } from "./outcome.server.ts";

const APP = "https://app.example";
const RETURN = `${APP}/done?state=9f3a&plan=a+b%20c#tab`;
const PROVED = {
  name: "acme.com",
  reference: "cus_81",
  claimId: "clm_1",
  outcome: "proved",
} as const;

type Expected = { origin: string; state: string | null };
type Checked = { domain: string; claim: string; outcome: string };

const DOCUMENT = readFileSync(new URL("../../../docs/handoffs.md", import.meta.url), "utf8");

/** The check that docs/handoffs.md tells integrators to copy, against the keys of `ctx` and at its clock's time. */
function documentedCheck({ ctx }: ReturnType<typeof testService>) {
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(DOCUMENT) ?? [];
  expect(code).toContain(`typ: "${OUTCOME_TYPE}"`);
  const body = code
    .replace(/^import .*$/m, "")
    .replace("https://deed.example", ctx.settings.baseUrl);
  const make = new Function("createRemoteJWKSet", "jwtVerify", `${body}\nreturn outcomeOf;`);
  return make(
    () => createLocalJWKSet(jwkSet(ctx) as never),
    (jwt: string, keys: never, options: object) =>
      jwtVerify<JWTPayload>(jwt, keys, { ...options, currentDate: new Date(ctx.clock()) }),
  ) as (jwt: string, expected: Expected) => Promise<Checked>;
}

const jwsIn = (url: string) => new URL(url).searchParams.get(OUTCOME_PARAMETER) ?? "";
const claimsOf = (jws: string) =>
  JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString());
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("keeps the address it was given, its query and its fragment", () => {
  const { ctx } = testService();
  for (const [given, start, end] of [
    [RETURN, `${APP}/done?state=9f3a&plan=a+b%20c&${OUTCOME_PARAMETER}=`, "#tab"],
    [`${APP}/`, `${APP}/?${OUTCOME_PARAMETER}=`, ""],
    [`${APP}/?`, `${APP}/?${OUTCOME_PARAMETER}=`, ""],
  ] as const) {
    const url = withOutcome(ctx, new URL(given), PROVED);
    expect(url.startsWith(start)).toBe(true);
    expect(new URL(url).hash).toBe(end);
    expect(jwsIn(url)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
  }
});

test("says what became of which claim, for whom and until when, and not with which key to check it", () => {
  const { ctx } = testService();
  const jws = jwsIn(withOutcome(ctx, new URL(RETURN), PROVED));
  expect(decodeProtectedHeader(jws)).toEqual({
    alg: "EdDSA",
    kid: ctx.signer.kid,
    typ: "deed-outcome+jwt",
  });
  expect(claimsOf(jws)).toEqual({
    iss: "http://deed.test",
    aud: APP,
    sub: "acme.com",
    claim: "clm_1",
    reference: "cus_81",
    outcome: "proved",
    state: "9f3a",
    iat: NOON / 1_000,
    exp: NOON / 1_000 + 300,
    jti: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{26}$/),
  });
  const bare = jwsIn(withOutcome(ctx, new URL(APP), { ...PROVED, reference: "" }));
  expect(claimsOf(bare)).toMatchObject({ state: null, reference: null });
});

test("the documented check accepts it, for its origin and its visit, for five minutes", async () => {
  const service = testService();
  const check = documentedCheck(service);
  const jws = jwsIn(withOutcome(service.ctx, new URL(RETURN), PROVED));
  const here = { origin: APP, state: "9f3a" };
  const said = { domain: "acme.com", claim: "clm_1", outcome: "proved" };
  expect(await check(jws, here)).toEqual(said);
  service.now += 299_000;
  expect(await check(jws, here)).toEqual(said);
  await expect(check(jws, { ...here, origin: "https://other.example" })).rejects.toThrow('"aud"');
  await expect(check(jws, { ...here, state: "1111" })).rejects.toThrow("another visit");
  service.now += 1_000;
  await expect(check(jws, here)).rejects.toThrow('"exp"');
});

test("the documented check refuses every forgery", async () => {
  const service = testService();
  const check = documentedCheck(service);
  const genuine = jwsIn(
    withOutcome(service.ctx, new URL(RETURN), { ...PROVED, outcome: "pending" }),
  );
  const [head = "", body = "", signature = ""] = genuine.split(".");
  const claims = { ...claimsOf(genuine), outcome: "proved" };
  const forger = signerOf("6".repeat(64));
  const ours = service.ctx.signer;
  const header = { alg: "EdDSA", kid: ours.kid, typ: OUTCOME_TYPE };
  const signedBy = (by: typeof forger, head: object, claims: object) => {
    const input = `${base64url(head)}.${base64url(claims)}`;
    return `${input}.${Buffer.from(by.sign(Buffer.from(input))).toString("base64url")}`;
  };
  const elsewhere = testService();
  elsewhere.ctx.settings.baseUrl = "http://other.test";
  const forgeries = {
    "another outcome": `${head}.${base64url(claims)}.${signature}`,
    "no signature": `${head}.${body}.`,
    "alg none": `${base64url({ ...header, alg: "none" })}.${base64url(claims)}.`,
    "HMAC by the public key": `${base64url({ ...header, alg: "HS256" })}.${base64url(claims)}.${signature}`,
    "another key": signedBy(forger, { ...header, kid: forger.kid }, claims),
    "another key under our name": signedBy(forger, header, claims),
    "another key, brought along": signJws(forger, OUTCOME_TYPE, claims, forger.jwk),
    "another key, brought along under our name": signedBy(
      forger,
      { ...header, jwk: forger.jwk },
      claims,
    ),
    "another installation with our key": jwsIn(withOutcome(elsewhere.ctx, new URL(RETURN), PROVED)),
    "another kind of ours": signJws(ours, "deed-proof+jwt", claims, ours.jwk),
    "no kind": signedBy(ours, { alg: "EdDSA", kid: ours.kid }, claims),
    "no end": signedBy(ours, header, { ...claims, exp: undefined }),
    "an outcome that is none": "x",
  };
  for (const [what, jws] of Object.entries(forgeries))
    expect([what, await check(jws, { origin: APP, state: "9f3a" }).catch(() => "refused")]).toEqual(
      [what, "refused"],
    );
});

test("while keys are rotated it is signed by the one that is published", () => {
  const service = testService();
  const { db, signer } = service.ctx;
  const signed = () =>
    decodeProtectedHeader(jwsIn(withOutcome(service.ctx, new URL(RETURN), PROVED)));
  const former = signerOf("4".repeat(64));
  db.$client
    .prepare("insert into signing_keys (kid, x, not_before) values (?, ?, ?)")
    .run(former.kid, former.jwk.x, NOON);
  expect(signed().kid).toBe(signer.kid);
  service.ctx.formerSigners = [former];
  expect(signed().kid).toBe(former.kid);
});
