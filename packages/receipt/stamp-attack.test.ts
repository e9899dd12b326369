import {
  certificate,
  der,
  elliptic,
  extension,
  type KeyPair,
  type Making,
  NOW,
  oid,
  type Party,
  sequence,
} from "@deed/dns/testing/certificates.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Chance } from "../../tests/fuzz/chance.ts";
import { lacks } from "../../tests/support/lacks.ts";
import { sized } from "../../tests/support/size.ts";
import { parseDer, readStamp } from "./stamp.ts";
import { ISSUER, makeWorld, receiptOf, STATEMENT } from "./testing/issuer.ts";
import { leaf, opensslJudge, rsa, TIME_STAMPING, tokenOf } from "./testing/odd-stamps.ts";
import { verifyReceipt } from "./verify.ts";

const DATA = new TextEncoder().encode("a statement");
const ORDERS = sized(40, 2_000);
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
/** It takes half a second to make. */
const BIG = rsa(4_096);
const selfSigned = (one: Party, more: Partial<Making> = {}) =>
  certificate({ subject: one, issuer: one, ...more });
const ROOT_CERTIFICATE = selfSigned(ROOT);

const byOf = (issuer: Party, more: Partial<Making> = {}) => ({
  party: STAMPER,
  issuer,
  certificate: leaf({ subject: STAMPER, issuer, ...more }),
});

/** "root", "none" for a stamp that leads to no root, or "refused". */
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
  const one = receiptOf(ISSUER, STATEMENT, await unsigned("acme.test"));
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
  const fillers = Array.from({ length: 60 }, () => certificate({ subject: OTHER, issuer: OLD }));

  it("has 16 KiB", () => {
    const whole = new Uint8Array(der(0x04, new Uint8Array(LIMIT - 4)));
    expect(parseDer(whole).blockLength).toBe(LIMIT);
  });

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
    expect(await of(BIG)).toBe("root");
    expect(await of(elliptic("P-521"))).toBe("root");
    expect(await of(rsa(768))).toBe("refused");
    expect(await of(rsa(2_048, 2 ** 31 - 1))).toBe("root");
    expect(await of(rsa(4_104))).toBe("refused");
  });

  it("has 8 signatures of certificates", async () => {
    // All have one name, so each could have signed each; really their own keys did.
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

it(`sets of certificates lead to the root in ${ORDERS} orders of 8 with circles of 2 and 3`, async () => {
  const [b, c, d] = [party("B2", 5), party("B3", 6), party("B4", 7)] as const;
  const all = [
    certificate({ subject: CA, issuer: MIDDLE }),
    certificate({ subject: MIDDLE, issuer: ROOT }),
    // A circle of two through the authority, and a circle of three through the next one.
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
});

describe.skipIf(lacks("openssl"))("as openssl judges", () => {
  let openssl: ReturnType<typeof opensslJudge>;
  beforeAll(() => {
    openssl = opensslJudge();
  });
  afterAll(() => openssl.stop());

  /** N is the newer key of C. */
  const PARTIES = { R: ROOT, O: OLD, C: CA, M: MIDDLE, S: STAMPER, N: party("C", 9) };
  type Letter = keyof typeof PARTIES;
  const unknown = (isCritical: boolean) => extension("2a03040506", isCritical, der(5));
  const PURPOSES: Record<string, Partial<Making>> = {
    none: { purpose: undefined },
    two: { purpose: `${TIME_STAMPING} 2b06010505070303` },
    uncritical: {
      purpose: undefined,
      more: [extension("551d25", false, sequence(oid(TIME_STAMPING)))],
    },
  };
  const FIELDS: Record<string, (value: string) => Partial<Making>> = {
    ca: (value) => ({ ca: value === "none" ? null : false }),
    pathlen: (value) => ({ pathlen: Number(value) }),
    usage: (value) => ({ usage: value === "none" ? null : value }),
    version: () => ({ version: 1 }),
    hash: () => ({ hash: "sha1" }),
    purpose: (purpose) => PURPOSES[purpose] ?? { purpose },
    from: (seconds) => ({ from: NOW + Number(seconds) * 1_000 }),
    until: (seconds) => ({ until: NOW + Number(seconds) * 1_000 }),
    unknown: (value) => ({ more: [unknown(value === "critical")] }),
  };
  const fieldsOf = (text: string): Partial<Making> =>
    Object.assign(
      {},
      ...text.split(",").map((one) => FIELDS[one.split("=")[0] ?? ""]?.(one.split("=")[1] ?? "")),
    );
  const made = new Map<string, Buffer>();
  /** "C<R,pathlen=0": the certificate of C, signed by R. The same text gives the same certificate. */
  function certified(text: string) {
    const [, subject = "S", issuer = "S", fields = ""] = /^(\w)<(\w),?(.*)/.exec(text) ?? [];
    const parties = { subject: PARTIES[subject as Letter], issuer: PARTIES[issuer as Letter] };
    const make = subject === "S" ? leaf : certificate;
    const found = made.get(text) ?? make({ ...parties, ...fieldsOf(fields) });
    made.set(text, found);
    return { ...parties, certificate: found };
  }

  /** A token's certificates; then the roots, unless R is the only one. `+`: they lead to a root. */
  const ROWS = `
    + one authority: S<C C<R
    - no root: S<C C<R; O<O
    - an authority without basic constraints: S<C C<R,ca=none
    - one that is no authority: S<C C<R,ca=no
    - one that may not sign certificates: S<C C<R,usage=0780
    + without key usage: S<C C<R,usage=none
    - neither: S<C C<R,usage=none,ca=none
    + a root of version 1: S<C C<R; R<R,version=1
    + a root that may sign certificates, without basic constraints: S<C C<R; R<R,ca=none
    - a root with neither: S<C C<R; R<R,ca=none,usage=none
    - an authority of version 1: S<C C<R,version=1
    - an unknown critical extension of an authority: S<C C<R,unknown=critical
    + an unknown one that is not critical: S<C C<R,unknown=uncritical
    - an unknown critical one of the root: S<C C<R; R<R,unknown=critical
    - an unknown critical one of the stamper: S<C,unknown=critical C<R
    + a path length of 0 above one authority: S<C C<R,pathlen=0
    - a path length of 0 above two: S<C C<M M<R,pathlen=0
    - a root's path length of 0: S<C C<R; R<R,pathlen=0
    + a root's path length of 1: S<C C<R; R<R,pathlen=1
    + a self-issued one, which does not count, below a path length of 0: S<N N<C C<R,pathlen=0
    + a self-issued one below a root's of 1: S<N N<C C<R; R<R,pathlen=1
    + a self-issued one with a path length of 0: S<N N<C,pathlen=0 C<R
    + a root signed by an older one, both known: S<C C<R R<O; R<R O<O
    + a root signed by an older one that is known: S<C C<R R<O; O<O
    + a root signed by an older one that is not known: S<C C<R R<O; R<R
    + two roots that sign each other: S<C C<R R<O O<R; O<O
    - two roots that sign each other, neither known: S<C C<R R<O O<R; M<M
    - a root in the token that is not known: S<C C<R R<R; O<O
    + a known root in the token: S<C C<R R<R; R<R
    - an authority alone, given as a root: S<C; C<R
    + a stamper that is its own root: S<S; S<S
    - SHA-1: S<C C<R,hash=sha1
    + SHA-1 of a root over itself: S<C C<R; R<R,hash=sha1
    - a stamper that may encipher: S<C,usage=05a0 C<R
    + a stamper with non-repudiation: S<C,usage=06c0 C<R
    + a stamper without key usage: S<C,usage=none C<R
    - a stamper for two purposes: S<C,purpose=two C<R
    - a stamper for no purpose: S<C,purpose=none C<R
    - a stamper whose purpose is not critical: S<C,purpose=uncritical C<R
    + an authority for other purposes: S<C C<R,purpose=2b06010505070303
    - an authority that ends at the stamp's second: S<C C<R,until=0
    + one that ends a second later: S<C C<R,until=1
    + one that begins with it: S<C C<R,from=0
    - one that begins a second later: S<C C<R,from=1
    - a stamper that ends at its second: S<C,until=0 C<R
    - a root that ended: S<C C<R; R<R,until=-1`;
  const LINE = /([+-]) (.*): ([^\s;]+) ?([^;\n]*)(?:; (.*))?/g;
  const rows = [...ROWS.matchAll(LINE)].map((row) => [...row]);
  it.each(rows)("%s", async (_line, sign, _what, by = "", others, roots = "R<R") => {
    const listed = (texts = "") =>
      texts.split(" ").flatMap((one) => (one ? [certified(one).certificate] : []));
    const { subject, ...signer } = certified(by);
    const token = tokenOf(DATA, { party: subject, ...signer }, listed(others));
    const isGood = (await judged(token, listed(roots))) === "root";
    const isAccepted = openssl.accepts(token, DATA, listed(roots));
    expect([isGood, isAccepted]).toEqual([sign === "+", sign === "+"]);
  });

  it("knows every row", () => {
    expect(rows).toHaveLength(ROWS.trim().split("\n").length);
  });

  it("takes tokens shaped as those of DigiCert, GlobalSign and Sectigo", async () => {
    const [small, middle] = [rsa(2_048), rsa(3_072)];
    const named = (name: string, key: KeyPair): Party => ({ name, key });
    const policies = extension("551d20", false, der(0x30, der(0x30, der(6, "6086480186fd6c0701"))));
    const place = der(0xa0, der(0xa0, der(0x86, Buffer.from("http://crl.example/a.crl"))));
    const more = [policies, extension("551d1f", false, der(0x30, der(0x30, place)))];
    const shape = (
      stamper: KeyPair,
      authority: KeyPair,
      hash: "sha256" | "sha384" | "sha512",
      middleRoot?: KeyPair,
    ) => {
      const [root, ca] = [named("root", BIG), named("authority", authority)];
      const between = middleRoot && named("newer root", middleRoot);
      const upper = between
        ? { subject: between, issuer: root }
        : { subject: root, issuer: named("older root", BIG) };
      const party = named("stamper", stamper);
      const own = leaf({ subject: party, issuer: ca, hash, more });
      const restricted = { pathlen: 0, purpose: TIME_STAMPING, hash, more };
      const others = [
        certificate({ subject: ca, issuer: between ?? root, ...restricted }),
        certificate({ ...upper, hash, more }),
      ];
      const token = tokenOf(DATA, { party, issuer: ca, certificate: own }, others);
      return [token, [selfSigned(root, { hash })]] as const;
    };
    for (const [token, roots] of [
      shape(BIG, BIG, "sha256"),
      shape(small, BIG, "sha384"),
      shape(BIG, middle, "sha384", BIG),
    ]) {
      expect(token.length).toBeLessThan(LIMIT);
      expect(await judged(token, roots)).toBe("root");
      expect(openssl.accepts(token, DATA, roots)).toBe(true);
    }
  });
});
