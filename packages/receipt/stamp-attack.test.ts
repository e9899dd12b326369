import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Chance } from "../../tests/fuzz/chance.ts";
import { lacks } from "../../tests/support/lacks.ts";
import { sized } from "../../tests/support/size.ts";
import { readStamp } from "./stamp.ts";
import { ISSUER, makeWorld, receiptOf, STATEMENT } from "./testing/issuer.ts";
import {
  certificate,
  der,
  elliptic,
  extension,
  type KeyPair,
  leaf,
  type Making,
  NOW,
  opensslJudge,
  type Party,
  rsa,
  TIME_STAMPING,
  tokenOf,
} from "./testing/odd-stamps.ts";
import { verifyReceipt } from "./verify.ts";

const DATA = new TextEncoder().encode("a statement");
const GRAPHS = sized(100, 600);
const ORDERS = sized(250, 2_000);
const LIMIT = 16 * 1_024;

const keys: KeyPair[] = Array.from({ length: 12 }, () => elliptic());
const party = (name: string, at = name.charCodeAt(0) - 65): Party => ({
  name,
  key: keys[at] as KeyPair,
});
const [ROOT, OLD, CA, MIDDLE, OTHER] = ["R", "O", "C", "M", "X"].map((name, at) =>
  party(name, at),
) as [Party, Party, Party, Party, Party];
const STAMPER = party("Stamper", 11);
const selfSigned = (one: Party, more: Partial<Making> = {}) =>
  certificate({ subject: one, issuer: one, ...more });
const ROOT_CERTIFICATE = selfSigned(ROOT);

const byOf = (issuer: Party, more: Partial<Making> = {}) => ({
  party: STAMPER,
  issuer,
  certificate: leaf({ subject: STAMPER, issuer, ...more }),
});

/** "root", "none" for a stamp that leads to none, or "refused". */
const judged = (token: Uint8Array<ArrayBuffer>, roots: readonly Uint8Array[]) =>
  readStamp(
    token,
    DATA,
    roots.map((one) => new Uint8Array(one)),
  ).then(
    ({ isOfRoot }) => (isOfRoot ? "root" : "none"),
    () => "refused",
  );

it("one upload with circular certificates is judged at once, and leaves nothing running", async () => {
  const { unsigned, anchors } = await makeWorld();
  const denial = await unsigned("acme.test");
  const one = receiptOf(ISSUER, STATEMENT, denial);
  const [a, b] = [OTHER, MIDDLE];
  const circle = [
    certificate({ subject: a, issuer: b }),
    certificate({ subject: b, issuer: a }),
  ] as const;
  const token = tokenOf(one.statement, byOf(a), circle);
  const stamp = { token: Buffer.from(token).toString("base64") };
  const options = { keys: [ISSUER.kid], anchors };
  const bare = await verifyReceipt(JSON.stringify(one), options);
  const report = await verifyReceipt(JSON.stringify({ ...one, stamp }), options);
  expect(report.parts.find(({ part }) => part === "stamp")?.code).toBe("unknown");
  expect({ ...report, parts: [] }).toEqual({ ...bare, parts: [] });
});

describe("the budget of a stamp", () => {
  const chain = [
    certificate({ subject: CA, issuer: MIDDLE }),
    certificate({ subject: MIDDLE, issuer: ROOT }),
  ];
  const by = byOf(CA);
  /** Certificates that lead nowhere. */
  const fillers = Array.from({ length: 60 }, () => certificate({ subject: OTHER, issuer: OLD }));

  it("has 8 certificates, and no 9", async () => {
    const some = (count: number) => tokenOf(DATA, by, [...fillers.slice(0, count - 3), ...chain]);
    expect(await judged(some(8), [ROOT_CERTIFICATE])).toBe("root");
    expect(await judged(some(9), [ROOT_CERTIFICATE])).toBe("refused");
    const many = fillers.slice(0, 60);
    let token = tokenOf(DATA, by, [...chain, ...many]);
    while (token.length > LIMIT) {
      many.pop();
      token = tokenOf(DATA, by, [...chain, ...many]);
    }
    expect(many.length).toBeGreaterThan(20);
    expect(await judged(token, [ROOT_CERTIFICATE])).toBe("refused");
  });

  it("has a path of 5 with the root, and none of 6", async () => {
    const parties = Array.from({ length: 4 }, (_, at) => party(`P${at}`, at + 5));
    const path = (count: number) => {
      const steps = parties.slice(0, count);
      const all = steps.map((subject, at) =>
        certificate({ subject, issuer: steps[at + 1] ?? ROOT }),
      );
      return tokenOf(DATA, byOf(steps[0] ?? ROOT), all);
    };
    expect(await judged(path(0), [ROOT_CERTIFICATE])).toBe("root");
    expect(await judged(path(3), [ROOT_CERTIFICATE])).toBe("root");
    expect(await judged(path(4), [ROOT_CERTIFICATE])).toBe("none");
  });

  it("has keys of a size that many use", async () => {
    const of = async (key: KeyPair) => {
      const issuer = { name: "C", key };
      const own = certificate({ subject: issuer, issuer: ROOT });
      return judged(tokenOf(DATA, byOf(issuer), [own]), [ROOT_CERTIFICATE]);
    };
    expect(await of(rsa(1_024))).toBe("root");
    expect(await of(rsa(4_096))).toBe("root");
    expect(await of(elliptic("P-521"))).toBe("root");
    expect(await of(rsa(768))).toBe("refused");
    expect(await of(rsa(2_048, 2 ** 31 - 1))).toBe("root");
    expect(await of(rsa(4_104))).toBe("refused");
  });

  it("has 8 signatures of certificates", async () => {
    // All with one name, so that each may have signed each; their own keys did.
    const liars = Array.from({ length: 6 }, (_, at) => ({
      name: "C",
      key: keys[at + 4] as KeyPair,
    }));
    const some = (count: number) =>
      liars.slice(0, count).map((subject) => certificate({ subject, issuer: ROOT }));
    const honest = certificate({ subject: { ...CA, name: "C" }, issuer: ROOT });
    const token = (count: number) => tokenOf(DATA, byOf(CA), [...some(count), honest]);
    expect(await judged(token(3), [ROOT_CERTIFICATE])).toBe("root");
    expect(await judged(token(4), [ROOT_CERTIFICATE])).toBe("refused");
  });

  it("has 1,000 elements of DER", async () => {
    const nulls = (count: number) =>
      tokenOf(DATA, by, chain, { content: der(0xa1, der(0x30, "0500".repeat(count))) });
    for (const count of [1_000, 6_000])
      expect(await judged(nulls(count), [ROOT_CERTIFICATE])).toBe("refused");
  });
});

describe("sets of certificates", () => {
  it(`lead to the root in ${ORDERS} orders of 8 with circles of 2 and 3`, async () => {
    const [b, c, d] = [party("B2", 5), party("B3", 6), party("B4", 7)] as const;
    const all = [
      certificate({ subject: CA, issuer: MIDDLE }),
      certificate({ subject: MIDDLE, issuer: ROOT }),
      // A circle of two through the authority, and one of three through the next.
      certificate({ subject: CA, issuer: b }),
      certificate({ subject: b, issuer: CA }),
      certificate({ subject: MIDDLE, issuer: c }),
      certificate({ subject: c, issuer: d }),
      certificate({ subject: d, issuer: MIDDLE }),
    ];
    const by = byOf(CA);
    const { below } = new Chance(8);
    const found: Record<string, number> = {};
    for (let count = 0; count < ORDERS; count += 1) {
      const order: Uint8Array[] = [...all];
      for (let at = order.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [order[at], order[other]] = [order[other] as Uint8Array, order[at] as Uint8Array];
      }
      const own = below(2) === 0 ? "first" : "last";
      const said = await judged(tokenOf(DATA, by, order, { own }), [ROOT_CERTIFICATE]);
      found[said] = (found[said] ?? 0) + 1;
    }
    expect(found).toEqual({ root: ORDERS });
  }, 240_000);
});

describe.skipIf(lacks("openssl"))("as openssl judges", () => {
  let openssl: ReturnType<typeof opensslJudge>;
  beforeAll(() => {
    openssl = opensslJudge();
  });
  afterAll(() => openssl.stop());

  const unknown = (isCritical: boolean) => extension("2a03040506", isCritical, der(5));
  type Row = [
    what: string,
    isGood: boolean,
    by: ReturnType<typeof byOf>,
    others: Buffer[],
    roots: Buffer[],
  ];
  const again = { ...CA, key: keys[9] as KeyPair };
  const crossed = certificate({ subject: ROOT, issuer: OLD });
  const OLD_CERTIFICATE = selfSigned(OLD);
  const own = (more: Partial<Making> = {}) => certificate({ subject: CA, issuer: ROOT, ...more });
  const rows: Row[] = [
    ["one authority", true, byOf(CA), [own()], [ROOT_CERTIFICATE]],
    ["no root", false, byOf(CA), [own()], [OLD_CERTIFICATE]],
    [
      "an authority without basic constraints",
      false,
      byOf(CA),
      [own({ ca: null })],
      [ROOT_CERTIFICATE],
    ],
    ["one that is no authority", false, byOf(CA), [own({ ca: false })], [ROOT_CERTIFICATE]],
    [
      "one that may not sign certificates",
      false,
      byOf(CA),
      [own({ usage: "0780" })],
      [ROOT_CERTIFICATE],
    ],
    ["without key usage", true, byOf(CA), [own({ usage: null })], [ROOT_CERTIFICATE]],
    ["neither", false, byOf(CA), [own({ usage: null, ca: null })], [ROOT_CERTIFICATE]],
    ["a root of version 1", true, byOf(CA), [own()], [selfSigned(ROOT, { version: 1 })]],
    ["an authority of version 1", false, byOf(CA), [own({ version: 1 })], [ROOT_CERTIFICATE]],
    [
      "an unknown critical extension of an authority",
      false,
      byOf(CA),
      [own({ more: [unknown(true)] })],
      [ROOT_CERTIFICATE],
    ],
    [
      "an unknown one that is not critical",
      true,
      byOf(CA),
      [own({ more: [unknown(false)] })],
      [ROOT_CERTIFICATE],
    ],
    [
      "an unknown critical one of the root",
      false,
      byOf(CA),
      [own()],
      [selfSigned(ROOT, { more: [unknown(true)] })],
    ],
    [
      "an unknown critical one of the stamper",
      false,
      byOf(CA, { more: [unknown(true)] }),
      [own()],
      [ROOT_CERTIFICATE],
    ],
    [
      "a path length of 0 above one authority",
      true,
      byOf(CA),
      [own({ pathlen: 0 })],
      [ROOT_CERTIFICATE],
    ],
    [
      "a path length of 0 above two",
      false,
      byOf(CA),
      [
        certificate({ subject: CA, issuer: MIDDLE }),
        certificate({ subject: MIDDLE, issuer: ROOT, pathlen: 0 }),
      ],
      [ROOT_CERTIFICATE],
    ],
    ["a root's path length of 0", false, byOf(CA), [own()], [selfSigned(ROOT, { pathlen: 0 })]],
    ["a root's path length of 1", true, byOf(CA), [own()], [selfSigned(ROOT, { pathlen: 1 })]],
    // CA's newer key, which its older one vouches for: that does not count.
    [
      "a self-issued one below a path length of 0",
      true,
      byOf(again),
      [certificate({ subject: again, issuer: CA }), own({ pathlen: 0 })],
      [ROOT_CERTIFICATE],
    ],
    [
      "a self-issued one below a root's of 1",
      true,
      byOf(again),
      [certificate({ subject: again, issuer: CA }), own()],
      [selfSigned(ROOT, { pathlen: 1 })],
    ],
    [
      "a self-issued one with a path length of 0",
      true,
      byOf(again),
      [certificate({ subject: again, issuer: CA, pathlen: 0 }), own()],
      [ROOT_CERTIFICATE],
    ],
    [
      "a root signed by an older one, both known",
      true,
      byOf(CA),
      [own(), crossed],
      [ROOT_CERTIFICATE, OLD_CERTIFICATE],
    ],
    [
      "a root signed by an older one that is known",
      true,
      byOf(CA),
      [own(), crossed],
      [OLD_CERTIFICATE],
    ],
    [
      "a root signed by an older one that is not known",
      true,
      byOf(CA),
      [own(), crossed],
      [ROOT_CERTIFICATE],
    ],
    [
      "two roots that sign each other",
      true,
      byOf(CA),
      [own(), crossed, certificate({ subject: OLD, issuer: ROOT })],
      [OLD_CERTIFICATE],
    ],
    [
      "two roots that sign each other, neither known",
      false,
      byOf(CA),
      [own(), crossed, certificate({ subject: OLD, issuer: ROOT })],
      [selfSigned(MIDDLE)],
    ],
    [
      "a root in the token that is not known",
      false,
      byOf(CA),
      [own(), ROOT_CERTIFICATE],
      [OLD_CERTIFICATE],
    ],
    ["a known root in the token", true, byOf(CA), [own(), ROOT_CERTIFICATE], [ROOT_CERTIFICATE]],
    ["an authority alone, given as a root", false, byOf(CA), [], [own()]],
    ["a stamper that is its own root", true, byOf(STAMPER), [], []],
    ["SHA-1", false, byOf(CA), [own({ hash: "sha1" })], [ROOT_CERTIFICATE]],
    ["SHA-1 of a root over itself", true, byOf(CA), [own()], [selfSigned(ROOT, { hash: "sha1" })]],
    [
      "a stamper that may encipher",
      false,
      byOf(CA, { usage: "05a0" }),
      [own()],
      [ROOT_CERTIFICATE],
    ],
    [
      "a stamper with non-repudiation",
      true,
      byOf(CA, { usage: "06c0" }),
      [own()],
      [ROOT_CERTIFICATE],
    ],
    ["a stamper without key usage", true, byOf(CA, { usage: null }), [own()], [ROOT_CERTIFICATE]],
    [
      "an authority for other purposes",
      true,
      byOf(CA),
      [own({ purpose: "2b06010505070303" })],
      [ROOT_CERTIFICATE],
    ],
    [
      "an authority that ends at the stamp's second",
      false,
      byOf(CA),
      [own({ until: NOW })],
      [ROOT_CERTIFICATE],
    ],
    [
      "one that ends a second later",
      true,
      byOf(CA),
      [own({ until: NOW + 1_000 })],
      [ROOT_CERTIFICATE],
    ],
    ["one that begins with it", true, byOf(CA), [own({ from: NOW })], [ROOT_CERTIFICATE]],
    [
      "one that begins a second later",
      false,
      byOf(CA),
      [own({ from: NOW + 1_000 })],
      [ROOT_CERTIFICATE],
    ],
    [
      "a stamper that ends at its second",
      false,
      byOf(CA, { until: NOW }),
      [own()],
      [ROOT_CERTIFICATE],
    ],
    ["a root that ended", false, byOf(CA), [own()], [selfSigned(ROOT, { until: NOW - 1_000 })]],
  ];
  it.each(rows)("%s", async (_, isGood, by, others, given) => {
    const roots = given.length > 0 ? given : [by.certificate];
    const token = tokenOf(DATA, by, others);
    expect([(await judged(token, roots)) === "root", openssl.accepts(token, DATA, roots)]).toEqual([
      isGood,
      isGood,
    ]);
  });

  it("takes tokens shaped as those of DigiCert, GlobalSign and Sectigo", async () => {
    const big = rsa(4_096);
    const [small, middle] = [rsa(2_048), rsa(3_072)];
    const named = (name: string, key: KeyPair): Party => ({ name, key });
    const policies = extension("551d20", false, der(0x30, der(0x30, der(6, "6086480186fd6c0701"))));
    const lists = extension(
      "551d1f",
      false,
      der(
        0x30,
        der(0x30, der(0xa0, der(0xa0, der(0x86, Buffer.from("http://crl.example/a.crl"))))),
      ),
    );
    const more = [policies, lists];
    const shape = (
      stamper: KeyPair,
      authority: KeyPair,
      hash: "sha256" | "sha384" | "sha512",
      middleRoot?: KeyPair,
    ) => {
      const [root, older, ca] = [
        named("root", big),
        named("older root", big),
        named("authority", authority),
      ];
      const between = middleRoot && named("newer root", middleRoot);
      const by = named("stamper", stamper);
      const certificateOfBy = leaf({ subject: by, issuer: ca, hash, more });
      const others = [
        certificate({
          subject: ca,
          issuer: between ?? root,
          pathlen: 0,
          purpose: TIME_STAMPING,
          hash,
          more,
        }),
        ...(between
          ? [certificate({ subject: between, issuer: root, hash, more })]
          : [certificate({ subject: root, issuer: older, hash, more })]),
      ];
      const token = tokenOf(DATA, { party: by, issuer: ca, certificate: certificateOfBy }, others);
      return [token, [selfSigned(root, { hash })], [selfSigned(older, { hash })]] as const;
    };
    for (const [token, roots] of [
      shape(big, big, "sha256"),
      shape(small, big, "sha384"),
      shape(big, middle, "sha384", big),
    ]) {
      expect(token.length).toBeLessThan(LIMIT);
      expect(await judged(token, roots)).toBe("root");
      expect(openssl.accepts(token, DATA, roots)).toBe(true);
    }
  }, 60_000);

  it(`agrees on ${GRAPHS} sets of certificates by chance`, async () => {
    const { below } = new Chance(5_280);
    const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const counts = { both: 0, neither: 0 };
    const differ: string[] = [];
    for (let count = 0; count < GRAPHS; count += 1) {
      const names = ["R", "O", "C", "M"].slice(0, 2 + below(3));
      const parties = names.flatMap((name, at) => [
        party(name, at),
        ...(below(4) ? [] : [party(name, at + 4)]),
      ]);
      const oddity = (): Partial<Making> =>
        oneOf([
          ...[{}, {}, {}, {}, {}, {}, {}, {}, {}, { pathlen: 0 }, { pathlen: 1 }, { pathlen: 2 }],
          ...[
            { ca: false },
            { ca: null },
            { usage: "0780" },
            { usage: null },
            { hash: "sha1" as const },
          ],
          ...[{ until: NOW - 1_000 }, { from: NOW + 1_000 }, { more: [unknown(true)] }],
        ]);
      const others = Array.from({ length: 1 + below(6) }, () =>
        certificate({ subject: oneOf(parties), issuer: oneOf(parties), ...oddity() }),
      );
      const roots = Array.from({ length: 1 + below(2) }, () =>
        selfSigned(oneOf(parties), below(4) ? {} : oddity()),
      );
      const by = byOf(oneOf(parties), below(8) ? {} : { usage: oneOf(["05a0", "06c0"]) });
      const tell = async (some: readonly Buffer[], given: readonly Buffer[]) => {
        const token = tokenOf(DATA, by, some);
        return [
          (await judged(token, given)) === "root",
          () => openssl.accepts(token, DATA, given),
        ] as const;
      };
      const [isGood, theirs] = await tell(others, roots);
      if (!isGood) {
        if (theirs()) differ.push(`${count}: openssl alone`);
        counts.neither += 1;
        continue;
      }
      // openssl takes the first that fits by name and key. So it gets the certificates of one path alone.
      let [left, given] = [others, roots];
      for (const one of others) {
        const without = left.filter((each) => each !== one);
        if ((await tell(without, given))[0]) left = without;
      }
      for (const one of roots) {
        const without = given.filter((each) => each !== one);
        if ((await tell(left, without))[0]) given = without;
      }
      const [, alone] = await tell(left, given);
      if (!alone()) differ.push(`${count}: ours alone`);
      counts.both += 1;
    }
    console.log(`${GRAPHS} sets by chance: ${differ.length} differ`, counts);
    expect(differ).toEqual([]);
    expect(counts.both).toBeGreaterThan(GRAPHS / 20);
  }, 240_000);
});
