import { readdirSync, readFileSync } from "node:fs";
import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "./report.ts";
import { factsOf, headlineOf } from "./sentences.ts";
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
import { verifyReceipt } from "./verify.ts";

const keys = [ISSUER.kid];
const NO_HOLDER = ["holder: not_asked"];
const holder = { address: ADDRESS, opening: base64url(SALT) };

let world: Awaited<ReturnType<typeof makeWorld>>;
let anchors: Anchor[];
let unsigned: string;
beforeAll(async () => {
  world = await makeWorld();
  anchors = world.anchors;
  unsigned = JSON.stringify(receiptOf(ISSUER, STATEMENT, await world.unsigned("acme.test")));
});

/** "part: code" of each part that is wrong or not shown. */
const lacks = ({ parts }: Report) =>
  parts.flatMap(({ part, state, code }) =>
    state === "shown" || part === "stamp" ? [] : `${part}: ${code}`,
  );

describe("a history of keys whose signer it says is compromised", () => {
  it("is not believed about other keys, and is about that one", async () => {
    const [thief, since] = [issuerOf("the thief's"), new Date(0).toISOString()];
    const lives = [
      { kid: thief.kid, from: since },
      { kid: ISSUER.kid, from: since },
      { kid: ISSUER.kid, from: since, compromisedSince: since },
    ];
    const history = jwsOf(ISSUER, { keys: lives }, { ...headerOf(ISSUER), typ: "deed-keys+jwt" });
    const told = async (issuer: typeof ISSUER) => {
      const one = receiptOf(issuer, STATEMENT, await world.unsigned("acme.test"));
      const report = await verifyReceipt(JSON.stringify(one), { keys, anchors, history });
      return [report.verdict, report.parts.find(({ part }) => part === "key")?.code];
    };
    expect(await told(thief)).toEqual(["bad", "another"]);
    expect(await told(ISSUER)).toEqual(["bad", "compromised"]);
  });
});

describe("a receipt of an unsigned zone", () => {
  it("is good with the key that was expected, as a thumbprint or as a key", async () => {
    for (const key of [ISSUER.kid, { ...ISSUER.jwk, use: "sig" }]) {
      const report = await verifyReceipt(unsigned, {
        keys: [issuerOf("other").kid, key],
        anchors,
        holder,
      });
      expect([report.verdict, report.assurance]).toEqual(["good", "witnessed"]);
      expect(lacks(report)).toEqual([]);
      expect(report.statement).toEqual(STATEMENT);
    }
  });

  it("is weaker without a key to compare, and where DNSSEC is required", async () => {
    const open = await verifyReceipt(unsigned, { anchors });
    expect([open.verdict, lacks(open)[0]]).toEqual(["weaker", "key: not_given"]);
    expect((await verifyReceipt(unsigned, { keys, anchors, require: "witnessed" })).verdict).toBe(
      "good",
    );
    expect((await verifyReceipt(unsigned, { keys, anchors, require: "dnssec" })).verdict).toBe(
      "weaker",
    );
  });

  it("is bad for another key, another address and a malformed opening", async () => {
    const codes = async (options: object) => {
      const report = await verifyReceipt(unsigned, { anchors, ...options });
      return [report.verdict, ...lacks(report)];
    };
    expect(await codes({ keys: [issuerOf("other").kid], holder })).toEqual(["bad", "key: another"]);
    const short = { ...holder, opening: base64url(SALT.subarray(16)) };
    expect(await codes({ keys, holder: short })).toEqual(["bad", "holder: opening"]);
    const other = { ...holder, address: "mara@acme.org" };
    expect(await codes({ keys, holder: other })).toEqual(["bad", "holder: another"]);
    const malformed = { ...holder, opening: `${holder.opening}=` };
    expect(await codes({ keys, holder: malformed })).toEqual(["bad", "holder: opening"]);
  });

  it("is not of a look-alike that signs with its own key for a record that stands in public", async () => {
    const other = issuerOf("look-alike.example");
    const chain = await world.unsigned("acme.test");
    const file = JSON.stringify(receiptOf(other, STATEMENT, chain));
    const codes = async (...given: string[]) =>
      lacks(await verifyReceipt(file, { keys: given, anchors }));
    expect(await codes(other.kid)).toEqual(["token: another", ...NO_HOLDER]);
    expect(await codes(other.kid, ISSUER.kid)).toEqual(["token: issuer", ...NO_HOLDER]);
    const own = { ...STATEMENT, token: tokenOf(other) };
    const good = await verifyReceipt(JSON.stringify(receiptOf(other, own, chain)), {
      keys: [other.kid],
      anchors,
    });
    expect(good.verdict).toBe("good");
  });
});

describe("a receipt of a signed zone", () => {
  let signed: string;
  beforeAll(async () => {
    const statement = { ...STATEMENT, ...SECURE };
    signed = JSON.stringify(receiptOf(ISSUER, statement, await world.signed(statement)));
  });

  it("shows the chain, in the time of its signatures", async () => {
    const report = await verifyReceipt(signed, { keys, anchors, holder, require: "dnssec" });
    expect([report.verdict, report.assurance, lacks(report)]).toEqual(["good", "dnssec", []]);
    expect(report.parts.find(({ part }) => part === "dnssec")?.facts).toEqual({
      zones: [".", "test", "acme.test"],
      from: STATEMENT.iat - 86_400,
      until: STATEMENT.iat + 86_400,
    });
  });

  it("is bad by the root's own keys, and is not followed without an anchor above it", async () => {
    expect(lacks(await verifyReceipt(signed, { keys, holder }))).toEqual(["dnssec: invalid"]);
    const elsewhere = anchors.map((anchor) => ({ ...anchor, zone: "example" }));
    const report = await verifyReceipt(signed, { keys, holder, anchors: elsewhere });
    expect([report.verdict, report.assurance]).toEqual(["weaker", "witnessed"]);
    expect(lacks(report)).toEqual(["dnssec: no_anchor"]);
  });

  it("rests on the word of the installation if nothing shows whom the record was made for", async () => {
    const { nonce: _, ...open } = { ...STATEMENT, ...SECURE };
    const file = JSON.stringify(receiptOf(ISSUER, open, await world.signed(open)));
    const report = await verifyReceipt(file, { keys, anchors });
    expect([report.verdict, report.assurance]).toEqual(["good", "witnessed"]);
    expect(lacks(report)).toEqual(["token: not_bound", ...NO_HOLDER]);
    const strict = await verifyReceipt(file, { keys, anchors, require: "dnssec" });
    expect(strict.verdict).toBe("weaker");
  });
});

it("shows nothing of a proof by signatures alone where they cannot be followed", async () => {
  const chain = await world.signed(SHUT);
  const file = JSON.stringify(receiptOf(ISSUER, SHUT, chain));
  const good = await verifyReceipt(file, { keys, anchors });
  expect([good.verdict, good.assurance, lacks(good)]).toEqual(["good", "dnssec", NO_HOLDER]);
  expect(factsOf(SHUT)).toContainEqual(["Nameservers", expect.stringMatching(/deed-dnssec\/1/)]);
  const elsewhere = anchors.map((anchor) => ({ ...anchor, zone: "example" }));
  const open = await verifyReceipt(file, { keys, anchors: elsewhere });
  expect([open.verdict, open.assurance]).toEqual(["weaker", null]);
  expect(headlineOf(open)).toBe("Weaker: the signatures of DNS could not be followed here.");
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
  const first = metafile.outputs["out/verify.js"];
  expect(foreign(first?.inputs ?? {})).toEqual([]);
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
