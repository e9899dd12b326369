import { readdirSync, readFileSync } from "node:fs";
import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { factsOf, headlineOf } from "./sentences.ts";
import type { Receipt } from "./statement.ts";
import {
  ADDRESS,
  base64url,
  headerOf,
  ISSUER,
  issuerOf,
  jwsOf,
  makeWorld,
  receiptOf,
  SALT,
  SECURE,
  SHUT,
  STATEMENT,
  tokenOf,
} from "./testing/issuer.ts";
import { type Options, verifyReceipt } from "./verify.ts";

const keys = [ISSUER.kid];
const NO_HOLDER = "holder: not_asked";
const holder = { address: ADDRESS, opening: base64url(SALT) };

let world: Awaited<ReturnType<typeof makeWorld>>;
let anchors: Anchor[];
let unsigned: string;
beforeAll(async () => {
  world = await makeWorld();
  anchors = world.anchors;
  unsigned = JSON.stringify(receiptOf(ISSUER, STATEMENT, await world.unsigned("acme.test")));
});

/** Verdict and assurance, then "part: code" of each part that is wrong or not shown, but stamps. */
async function told(file: string | Receipt, options: Options = {}) {
  const text = typeof file === "string" ? file : JSON.stringify(file);
  const { verdict, assurance, parts } = await verifyReceipt(text, { keys, anchors, ...options });
  const lacking = parts.flatMap(({ part, state, code }) =>
    state === "shown" || part === "stamp" ? [] : `${part}: ${code}`,
  );
  return [`${verdict} ${assurance}`, ...lacking].join(", ");
}

it("does not believe a history of keys whose signer it says is compromised about other keys", async () => {
  const [thief, since] = [issuerOf("the thief's"), new Date(0).toISOString()];
  const lives = [
    { kid: thief.kid, from: since },
    { kid: ISSUER.kid, from: since },
    { kid: ISSUER.kid, from: since, compromisedSince: since },
  ];
  const history = jwsOf(ISSUER, { keys: lives }, { ...headerOf(ISSUER), typ: "deed-keys+jwt" });
  const denial = await world.unsigned("acme.test");
  const [another, own] = [thief, ISSUER].map((one) => receiptOf(one, STATEMENT, denial));
  expect(await told(another ?? "", { history })).toMatch(/^bad witnessed, key: another,/);
  expect(await told(own ?? "", { history })).toBe(`bad witnessed, key: compromised, ${NO_HOLDER}`);
});

it("is not called forged where the platform cannot check signatures", async () => {
  vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new Error("no such algorithm"));
  expect(await told(unsigned)).toContain("signature: platform");
});

describe("a receipt of an unsigned zone", () => {
  it("is good with the key that was expected, as a thumbprint or as a key", async () => {
    for (const key of [ISSUER.kid, { ...ISSUER.jwk, use: "sig" }]) {
      const given = [issuerOf("other").kid, key];
      expect(await told(unsigned, { keys: given, holder })).toBe("good witnessed");
    }
    expect((await verifyReceipt(unsigned)).statement).toEqual(STATEMENT);
  });

  const HALF = base64url(SALT.subarray(16));
  const opened = (opening: string) => ({ holder: { ...holder, opening } });
  it.each<[string, Options, string]>([
    ["weaker without a key to compare", { keys: [] }, "weaker witnessed, key: not_given"],
    ["good where witnesses are required", { require: "witnessed" }, "good witnessed"],
    ["weaker where DNSSEC is required", { require: "dnssec" }, "weaker witnessed"],
    ["bad for another key", { keys: [issuerOf("other").kid] }, "bad witnessed, key: another"],
    ["bad for half an opening", opened(HALF), "bad witnessed, holder: opening"],
    ["bad for a malformed one", opened(`${holder.opening}=`), "bad witnessed, holder: opening"],
    [
      "bad for another address",
      { holder: { ...holder, address: "mara@acme.org" } },
      "bad witnessed, holder: another",
    ],
  ])("is %s", async (_, options, expected) => {
    expect(await told(unsigned, { holder, ...options })).toBe(expected);
  });

  it("is bad if a look-alike signs it with its own key for a public record", async () => {
    const other = issuerOf("look-alike.example");
    const chain = await world.unsigned("acme.test");
    const copied = receiptOf(other, STATEMENT, chain);
    const by = (...given: string[]) => told(copied, { keys: given });
    expect(await by(other.kid)).toBe(`bad witnessed, token: another, ${NO_HOLDER}`);
    expect(await by(other.kid, ISSUER.kid)).toBe(`bad witnessed, token: issuer, ${NO_HOLDER}`);
    const own = receiptOf(other, { ...STATEMENT, token: tokenOf(other) }, chain);
    expect(await told(own, { keys: [other.kid] })).toContain("good witnessed");
  });
});

describe("a receipt of a signed zone", () => {
  const elsewhere = () => anchors.map((anchor) => ({ ...anchor, zone: "example" }));
  let signed: string;
  beforeAll(async () => {
    const statement = { ...STATEMENT, ...SECURE };
    signed = JSON.stringify(receiptOf(ISSUER, statement, await world.signed(statement)));
  });

  it("shows the chain, in the time of its signatures", async () => {
    expect(await told(signed, { holder, require: "dnssec" })).toBe("good dnssec");
    const { parts } = await verifyReceipt(signed, { anchors });
    expect(parts.find(({ part }) => part === "dnssec")?.facts).toEqual({
      zones: [".", "test", "acme.test"],
      from: STATEMENT.iat - 86_400,
      until: STATEMENT.iat + 86_400,
    });
  });

  it("is bad by the root's own keys, and is not followed without an anchor above it", async () => {
    expect(await told(signed, { holder, anchors: undefined })).toBe(
      "bad witnessed, dnssec: invalid",
    );
    const open = await told(signed, { holder, anchors: elsewhere() });
    expect(open).toBe("weaker witnessed, dnssec: no_anchor");
  });

  it("rests on the word of the installation if nothing shows whom the record was made for", async () => {
    const { nonce: _, ...open } = { ...STATEMENT, ...SECURE };
    const file = receiptOf(ISSUER, open, await world.signed(open));
    expect(await told(file)).toBe(`good witnessed, token: not_bound, ${NO_HOLDER}`);
    expect(await told(file, { require: "dnssec" })).toContain("weaker witnessed");
  });

  it("shows nothing of a proof by signatures alone where they cannot be followed", async () => {
    const file = receiptOf(ISSUER, SHUT, await world.signed(SHUT));
    expect(await told(file)).toBe(`good dnssec, ${NO_HOLDER}`);
    expect(factsOf(SHUT)).toContainEqual(["Nameservers", expect.stringMatching(/deed-dnssec\/1/)]);
    const options = { keys, anchors: elsewhere() };
    expect(await told(file, options)).toContain("weaker null");
    expect(headlineOf(await verifyReceipt(JSON.stringify(file), options))).toBe(
      "Genuine, but the signatures of DNS could not be followed here.",
    );
  });
});

it("is a package of at most 1,100 lines, which needs the validator of DNSSEC, and pkijs for stamps alone", async () => {
  const { metafile } = await build({
    entryPoints: [`${import.meta.dirname}/verify.ts`],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    metafile: true,
    splitting: true,
    outdir: "out",
  });
  const sources = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const lines = sources.flatMap((name) =>
    readFileSync(`${import.meta.dirname}/${name}`, "utf8")
      .trimEnd()
      .split("\n"),
  );
  console.log(`packages/receipt: ${lines.length} lines`);
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.length).toBeLessThanOrEqual(1_100);
  const foreign = (files: object) =>
    Object.keys(files).filter((file) => !file.startsWith("packages/"));
  expect(foreign(metafile.outputs["out/verify.js"]?.inputs ?? {})).toEqual([]);
  const packages = foreign(metafile.inputs).map(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1],
  );
  expect([...new Set(packages)].sort()).toEqual([
    "@noble/hashes",
    "@peculiar/utils",
    "asn1js",
    "bytestreamjs",
    "pkijs",
  ]);
});
