import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import { AT, signAround } from "@deed/dns/testing/dnssec/signer.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Chance } from "../../tests/fuzz/chance.ts";
import { lacks } from "../../tests/support/lacks.ts";
import { sized } from "../../tests/support/size.ts";
import type { Report } from "./report.ts";
import { headlineOf, sentenceOf } from "./sentences.ts";
import { readStamp } from "./stamp.ts";
import type { KeyLife, Receipt, Statement } from "./statement.ts";
import {
  headerOf,
  ISSUER,
  issuerOf,
  jwsOf,
  makeWorld,
  receiptOf,
  STATEMENT,
} from "./testing/issuer.ts";
import { makeStampers } from "./testing/stamper.ts";
import { type Options, verifyReceipt } from "./verify.ts";

const MINUTE = 60_000;
const MUTANTS = sized(150, 2_000);

const chance = new Chance(3_161);
const octets = (text: string) => new TextEncoder().encode(text);

describe.skipIf(lacks("openssl"))("a stamp of openssl's own server", () => {
  let stampers: ReturnType<typeof makeStampers>;
  let anchors: Anchor[];
  let denial: Uint8Array;
  beforeAll(async () => {
    signAround(Math.floor(Date.now() / 1_000));
    const world = await makeWorld();
    anchors = world.anchors;
    denial = await world.unsigned("acme.test");
    stampers = makeStampers();
  });
  afterAll(() => {
    signAround(AT);
    stampers?.stop();
  });

  /** Proved so many minutes ago; in the future if negative. */
  const statementOf = (minutes: number): Statement => {
    const at = Date.now() - minutes * MINUTE;
    return { ...STATEMENT, provedAt: new Date(at).toISOString(), iat: Math.floor(at / 1_000) };
  };
  const receipt = (minutes: number) => receiptOf(ISSUER, statementOf(minutes), denial);
  const stamped = (one: Receipt, data = one.statement, kind?: string): Receipt => ({
    ...one,
    stamp: { token: Buffer.from(stampers.token(data, kind)).toString("base64") },
  });
  const check = (one: Receipt, options: Options = {}) =>
    verifyReceipt(JSON.stringify(one), {
      keys: [ISSUER.kid],
      anchors,
      stampRoots: [stampers.root],
      ...options,
    });
  const told = ({ verdict, parts }: Report, part = "stamp") => {
    const { state, code } = parts.find((one) => one.part === part) ?? {};
    return [verdict, state, code].join(" ");
  };
  /** A key of today that signs the history of the signing key. */
  const TODAY = issuerOf("key of today");
  const ends = (life: Omit<KeyLife, "kid" | "from">): Options => {
    const from = new Date(0).toISOString();
    const keys = [
      { kid: TODAY.kid, from },
      { kid: ISSUER.kid, from, ...life },
    ];
    const history = jwsOf(TODAY, { keys }, { ...headerOf(TODAY), typ: "deed-keys+jwt" });
    return { keys: [TODAY.kid], history };
  };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

  it("shows the time of a statement that names one at most an hour before it", async () => {
    for (const [minutes, kind] of [
      [0, "elliptic"],
      [58, "stamper"],
    ] as const) {
      const one = receipt(minutes);
      const report = await check(stamped(one, one.statement, kind));
      expect(told(report)).toBe("good shown stamped");
      const part = report.parts.find((one) => one.part === "stamp");
      const said = new RegExp(`^Stamped by Test ${kind} on \\d+ \\w+ \\d{4} at `);
      expect(part && sentenceOf(part)).toMatch(said);
    }
  });

  it("shows only that a statement existed, 61 minutes later", async () => {
    expect(told(await check(stamped(receipt(61))))).toBe("good not_shown later");
  });

  it("shows that a statement which names a later time lies", async () => {
    expect(told(await check(stamped(receipt(-1))))).toBe("bad wrong early");
  });

  it("never raises a verdict if it is of another text, broken, without a known root, or missing", async () => {
    const one = receipt(0);
    expect(told(await check(one))).toBe("good not_shown none");
    for (const stamp of [{ token: "MAA=" }, { token: "" }, stamped(one, "another").stamp])
      expect(told(await check({ ...one, stamp }))).toBe("good not_shown unconfirmed");
    expect(told(await check(stamped(one), { stampRoots: [] }))).toBe("good not_shown unknown");
  });

  it("keeps a receipt under an ended key good, if it is older than the end", async () => {
    const bare = receipt(30);
    const withStamp = stamped(bare);
    const [before, after] = [inMinutes(-1), inMinutes(1)];
    const key = async (one: Receipt, life: Omit<KeyLife, "kid" | "from">) =>
      told(await check(one, ends(life)), "key");
    expect(await key(bare, { compromisedSince: after })).toBe("bad wrong compromised");
    expect(await key(withStamp, { compromisedSince: after })).toBe("good shown before_end");
    expect(await key(withStamp, { compromisedSince: before })).toBe("bad wrong compromised");
    expect(await key(bare, { until: after })).toBe("weaker not_shown ended");
    expect(await key(withStamp, { until: after })).toBe("good shown before_end");
    expect(await key(withStamp, { until: before })).toBe("weaker not_shown ended");
    expect(await key(withStamp, { until: inMinutes(-60) })).toBe("bad wrong after_end");
    const unknown = await check(withStamp, {
      ...ends({ compromisedSince: after }),
      stampRoots: [],
    });
    expect(told(unknown, "key")).toBe("bad wrong compromised");
    const late = stamped(receipt(600));
    expect(await key(late, { until: after })).toBe("good shown before_end");
    const report = await check(withStamp, ends({ until: after }));
    expect(headlineOf(report)).toMatch(/^Good, according to this installation/);
  });

  it(`is refused in ${MUTANTS} mutants`, async () => {
    const data = octets("a statement");
    const token = stampers.token(data);
    expect((await readStamp(token, data, [stampers.root])).isOfRoot).toBe(true);
    const isAccepted = (mutant: Uint8Array<ArrayBuffer>) =>
      readStamp(mutant, data, [stampers.root]).then(
        ({ isOfRoot }) => isOfRoot,
        () => false,
      );
    for (let count = 0; count < MUTANTS; count += 1) {
      expect(await isAccepted(chance.flipped(token))).toBe(false);
    }
    for (let at = 0; at < token.length; at += 1) {
      // The octet before a signature says how many bits are unused. Random mutants may miss these few octets.
      if (token[at] !== 0 || token[at - 4] !== 3 || token[at - 3] !== 0x82) continue;
      const mutant = token.slice();
      mutant[at] = 1;
      expect(await isAccepted(mutant)).toBe(false);
    }
    for (const other of [token.slice(0, -1), Uint8Array.from([...token, 0])])
      await expect(readStamp(other, data, [stampers.root])).rejects.toThrow();
  });

  it("is refused over SHA-512 and above 16 KB", async () => {
    const data = octets("a statement");
    await expect(readStamp(stampers.token(data, "stamper", "sha512"), data, [])).rejects.toThrow();
    await expect(readStamp(new Uint8Array(17 * 1_024), data, [])).rejects.toThrow();
  });
});
