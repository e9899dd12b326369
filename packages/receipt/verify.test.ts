import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "./report.ts";
import { factsOf, headlineOf } from "./sentences.ts";
import {
  ADDRESS,
  base64url,
  chainOf,
  issuerOf,
  receiptOf,
  SALT,
  SECURE,
  SHUT,
  STATEMENT,
} from "./testing/issuer.ts";
import { verifyReceipt } from "./verify.ts";

const ISSUER = issuerOf("deed.example");
const keys = [ISSUER.kid];
const UNSIGNED = receiptOf(ISSUER, STATEMENT);
const unsigned = JSON.stringify(UNSIGNED);
const NO_HOLDER = ["holder: not_asked"];
const holder = { address: ADDRESS, opening: base64url(SALT) };

/** "part: code" of each part that is not shown or is wrong. */
const lacks = ({ parts }: Report) =>
  parts.flatMap(({ part, state, code }) => (state === "shown" ? [] : `${part}: ${code}`));

describe("a receipt of an unsigned zone", () => {
  it("is good with the key that was expected, as a thumbprint or as a key", async () => {
    for (const key of [ISSUER.kid, { ...ISSUER.jwk, use: "sig" }]) {
      const report = await verifyReceipt(unsigned, { keys: [issuerOf("other").kid, key], holder });
      expect([report.verdict, report.assurance]).toEqual(["good", "witnessed"]);
      expect(lacks(report)).toEqual(["dnssec: insecure"]);
      expect(report.statement).toEqual(STATEMENT);
    }
  });

  it("is weaker without a key to compare, and where DNSSEC is required", async () => {
    const open = await verifyReceipt(unsigned);
    expect([open.verdict, lacks(open)[0]]).toEqual(["weaker", "key: not_given"]);
    expect((await verifyReceipt(unsigned, { keys, require: "witnessed" })).verdict).toBe("good");
    expect((await verifyReceipt(unsigned, { keys, require: "dnssec" })).verdict).toBe("weaker");
  });

  it("is bad for another key, another address and a malformed opening", async () => {
    const codes = async (options: object) => {
      const report = await verifyReceipt(unsigned, options);
      return [report.verdict, ...lacks(report).filter((code) => !code.startsWith("dnssec"))];
    };
    expect(await codes({ keys: [issuerOf("other").kid], holder })).toEqual(["bad", "key: another"]);
    const other = { ...holder, address: "mara@acme.org" };
    expect(await codes({ keys, holder: other })).toEqual(["bad", "holder: another"]);
    const malformed = { ...holder, opening: `${holder.opening}=` };
    expect(await codes({ keys, holder: malformed })).toEqual(["bad", "holder: opening"]);
  });

  it("may be indented, and have its members in another order", async () => {
    const { log, statement, dnssec, format } = UNSIGNED;
    for (const file of [
      JSON.stringify(UNSIGNED, null, 2),
      JSON.stringify({ log, statement, dnssec, format }, null, "\t"),
      `\r\n${unsigned}\n`,
    ])
      expect((await verifyReceipt(file, { keys })).verdict).toBe("good");
  });
});

describe("a receipt of a signed zone", () => {
  let signed: string;
  let anchors: Anchor[];
  beforeAll(async () => {
    const statement = { ...STATEMENT, ...SECURE };
    const made = await chainOf(statement);
    anchors = made.anchors;
    signed = JSON.stringify(receiptOf(ISSUER, statement, made.chain));
  });

  it("shows the chain, in the time of its signatures", async () => {
    const report = await verifyReceipt(signed, { keys, anchors, holder, require: "dnssec" });
    expect([report.verdict, report.assurance, lacks(report)]).toEqual(["good", "dnssec", []]);
    expect(report.parts[4]?.facts).toEqual({
      zones: [".", "test", "acme.test"],
      from: STATEMENT.iat - 86_400,
      until: STATEMENT.iat + 86_400,
    });
  });

  it("is bad by the root's own keys, and is not followed without an anchor above it", async () => {
    expect(lacks(await verifyReceipt(signed, { keys, holder }))).toEqual(["dnssec: invalid"]);
    const elsewhere = anchors.map((anchor) => ({ ...anchor, zone: "example" }));
    const report = await verifyReceipt(signed, { keys, holder, anchors: elsewhere });
    expect([report.verdict, report.assurance]).toEqual(["good", "witnessed"]);
    expect(lacks(report)).toEqual(["dnssec: no_anchor"]);
  });
});

it("shows nothing of a proof by signatures alone where they cannot be followed", async () => {
  const { chain, anchors } = await chainOf(SHUT);
  const file = JSON.stringify(receiptOf(ISSUER, SHUT, chain));
  const good = await verifyReceipt(file, { keys, anchors });
  expect([good.verdict, good.assurance, lacks(good)]).toEqual(["good", "dnssec", NO_HOLDER]);
  expect(factsOf(SHUT)).toContainEqual(["Nameservers", expect.stringMatching(/deed-dnssec\/1/)]);
  const elsewhere = anchors.map((anchor) => ({ ...anchor, zone: "example" }));
  const open = await verifyReceipt(file, { keys, anchors: elsewhere });
  expect([open.verdict, open.assurance]).toEqual(["weaker", null]);
  expect(headlineOf(open)).toMatch(/signatures of DNS alone, and they were not checked/);
});

it("is one module of at most 900 lines, with the validator of DNSSEC and no other package", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${import.meta.dirname}/verify.ts`],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    metafile: true,
  });
  const lines = (outputFiles[0]?.text ?? "")
    .split("\n")
    .filter((line) => !/^\s*(\/\/|$)/.test(line));
  console.log(`the verifier: ${lines.length} lines, without comments and blank lines`);
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.length).toBeLessThanOrEqual(900);
  expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith("packages/"))).toEqual([]);
});
