import { type Answer, encode } from "dns-packet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { opt } from "../testing/faults.ts";
import { Cursor, STEPS_PER_OCTET } from "./cursor.ts";
import { buildQuery, decodeMessage, MAX_MESSAGE_OCTETS } from "./message.ts";

const NAME = "_service-challenge.acme.test";
const response = (answers: Answer[], authorities: Answer[] = [], additionals: Answer[] = []) =>
  encode({
    type: "response",
    flags: 0x400,
    questions: [{ type: "TXT", name: NAME }],
    answers,
    authorities,
    additionals,
  });
const A4 = Buffer.from([192, 0, 2, 1]);

const at = (name: string, type: "NS" | "CNAME" | "A" | "AAAA", data: string): Answer =>
  ({ type, name, ttl: 300, data }) as Answer;
const times = { mname: "a.test", rname: "b.test", serial: 1, refresh: 2, minimum: 3 };
const SEED = response(
  [
    { type: "TXT", name: NAME, ttl: 300, data: ["service_v1_", "0123456789"] },
    at(NAME, "CNAME", "x.acme.test"),
  ],
  [
    { type: "SOA", name: "acme.test", data: times },
    { type: "NSEC", name: "a.test", data: { nextDomain: "x.acme.test", rrtypes: ["A", "TXT"] } },
    ...["ns1", "ns2", "ns3"].map((host) => at("acme.test", "NS", `${host}.acme.test`)),
  ],
  [
    at("ns1.acme.test", "A", "192.0.2.1"),
    at("ns1.acme.test", "AAAA", "2001:db8::1"),
    opt(15, Buffer.from([0, 9, 0x61])),
  ],
);

function patched(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}

/** Messages with some octets changed, perhaps cut off, perhaps with a part repeated. */
const mutated = fc
  .record({
    changed: fc.array(fc.tuple(fc.nat(400), fc.oneof(fc.constant(0xc0), fc.nat(255))), {
      maxLength: 8,
    }),
    end: fc.option(fc.nat(400)),
    again: fc.option(fc.nat(400)),
  })
  .map(({ changed, end, again }) => {
    const bytes = Buffer.concat([SEED, again === null ? Buffer.alloc(0) : SEED.subarray(again)]);
    for (const [at, octet] of changed) if (at < bytes.length) bytes[at] = octet;
    return end === null ? bytes : bytes.subarray(0, end);
  });

/** Decodes, and counts the steps per octet. */
function counted(bytes: Buffer) {
  const cursor = new Cursor(bytes, 12);
  const message = decodeMessage(bytes, cursor);
  return { message, stepsAnOctet: cursor.steps / Math.max(1, bytes.length) };
}

/** A question for `name`, then these answers, each an owner, a type and data. */
function raw(name: Buffer, answers: [owner: Buffer, type: number, data: Buffer][]): Buffer {
  const head = Buffer.from([0, 0, 0x84, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(answers.length, 6);
  const records = answers.flatMap(([owner, type, data]) => [
    owner,
    Buffer.from([0, type, 0, 1, 0, 0, 0, 9, data.length >> 8, data.length & 0xff]),
    data,
  ]);
  return Buffer.concat([head, name, Buffer.from([0, 16, 0, 1]), ...records]);
}

const pointer = (at: number) => Buffer.from([0xc0 | (at >> 8), at & 0xff]);
const labels = (...lengths: number[]) =>
  Buffer.concat(lengths.map((length) => Buffer.from([length, ...Buffer.alloc(length, 0x61)])));
/** 253 characters, 255 octets. */
const LONGEST = Buffer.concat([labels(63, 63, 63, 61), Buffer.from([0])]);

it("mixes at least one capital letter into a name", () => {
  const asked = Array.from({ length: 200 }, () =>
    buildQuery({ name: "1.io", type: "SOA" }, { mixedCase: true }).bytes.toString("latin1", 15, 17),
  );
  expect(new Set(asked)).toEqual(new Set(["Io", "iO", "IO"]));
});

describe("decodeMessage", () => {
  it("distinguishes names that only Unicode case folding would equate", () => {
    // U+212A KELVIN SIGN lower-cases to "k"; here its three octets stay three characters.
    const message = decodeMessage(response([{ type: "NS", name: "\u212a.test", data: "A.TEST" }]));
    expect(message?.answers).toEqual([
      { type: "NS", name: "\xe2\x84\xaa.test", ttl: 0, target: "a.test" },
    ]);
  });

  it("skips records of another class, and takes a time to live of over 31 bits for none", () => {
    const [one, other] = ["192.0.2.1", "192.0.2.2"].map((data) => at(NAME, "A", data));
    const long = { ...one, ttl: 0x80000000 } as Answer;
    expect(decodeMessage(response([{ ...other, class: "CH" } as Answer, long]))?.answers).toEqual([
      { type: "A", name: NAME, ttl: 0, address: "192.0.2.1" },
    ]);
  });

  it("reads the fields of a start of authority, and the host of a mail server", () => {
    const message = decodeMessage(
      response(
        [{ type: "MX", name: NAME, data: { preference: 10, exchange: "MX.test" } }],
        [{ type: "SOA", name: "acme.test", data: { ...times, retry: 8, expire: 9 } }],
      ),
    );
    expect(message?.answers).toEqual([{ type: "MX", name: NAME, ttl: 0, target: "mx.test" }]);
    const { mname: _, rname: __, ...kept } = times;
    expect(message?.authorities).toEqual([{ type: "SOA", name: "acme.test", ttl: 0, ...kept }]);
  });

  it("decodes extended RCODEs", () => {
    const coded = (upper: number, lower: number) => {
      const bytes = response([], [], [opt(3, Buffer.alloc(0), upper)]);
      return decodeMessage(patched(bytes, 3, lower))?.rcode;
    };
    expect([coded(1, 0), coded(1, 7), coded(2, 0)]).toEqual(["BADVERS", "BADCOOKIE", "RCODE_32"]);
  });

  it.each([
    ["ends early", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["has more records in its header than in it", (bytes: Buffer) => patched(bytes, 7, 2)],
    ["has data longer than an address", (bytes: Buffer) => patched(bytes, bytes.length - 5, 5)],
    ["has data shorter than an address", (bytes: Buffer) => patched(bytes, bytes.length - 5, 3)],
    ["points at itself", (bytes: Buffer) => patched(bytes, bytes.length - 15, bytes.length - 16)],
    ["points forward", (bytes: Buffer) => patched(bytes, bytes.length - 15, bytes.length - 4)],
    ["has a label of a kind nobody uses", (bytes: Buffer) => patched(bytes, 12, 0x41)],
  ])("refuses a message that %s", (_what, broken) => {
    const pointing = Buffer.concat([
      response([]),
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 1]),
    ]);
    const sound = patched(pointing, 7, 1);
    expect(decodeMessage(sound)?.answers).toEqual([
      { type: "A", name: NAME, ttl: 9, address: "192.0.2.1" },
    ]);
    expect(decodeMessage(broken(sound))).toBeNull();
  });

  it("refuses a name over 255 octets, however it is compressed", () => {
    const name = Buffer.concat([labels(63, 63, 63), Buffer.from([0])]);
    const record = (length: number) =>
      raw(name, [[Buffer.concat([labels(length), pointer(12)]), 1, A4]]);
    expect(decodeMessage(record(61))?.answers).toHaveLength(1);
    expect(decodeMessage(record(62))).toBeNull();
  });

  it("refuses more than TCP carries, and less than a header", () => {
    const one = () => ({ type: "TXT" as const, name: NAME, data: "x".repeat(250) });
    const long = response(Array.from({ length: 260 }, one));
    expect(long.length).toBeGreaterThan(MAX_MESSAGE_OCTETS);
    expect(decodeMessage(long)).toBeNull();
    expect(decodeMessage(Buffer.alloc(11))).toBeNull();
  });

  it("survives 10,000 mutated packets in few steps each", () => {
    let worst = 0;
    fc.assert(
      fc.property(mutated, (bytes) => {
        worst = Math.max(worst, counted(bytes).stepsAnOctet);
      }),
      { numRuns: 10_000 },
    );
    expect(worst).toBeGreaterThan(0.5);
    expect(worst).toBeLessThanOrEqual(STEPS_PER_OCTET);
  });

  it("follows at most ten pointers in a name", () => {
    /** A pointer to the root, then `hops` pointers, each to the previous one. */
    const chain = (hops: number) => {
      const question = 12;
      const first = question + 5 + 10;
      const data = Buffer.concat(
        Array.from({ length: hops }, (_, at) => pointer(at === 0 ? question : first + 2 * at - 1)),
      );
      return raw(Buffer.from([0]), [
        [Buffer.from([0]), 65_280, data],
        [pointer(first + 2 * hops - 1), 1, A4],
      ]);
    };
    expect(decodeMessage(chain(9))?.answers).toEqual([
      { type: "A", name: ".", ttl: 9, address: "192.0.2.1" },
    ]);
    expect(decodeMessage(chain(10))).toBeNull();
  });

  it("follows no more pointers if names share a suffix", () => {
    // Each owner points at the previous one: the eleventh exceeds the limit, although its target is cached.
    const before = (index: number) => (index === 0 ? 12 : 1 + 16 * index);
    const owners = (count: number) => {
      const all = Array.from({ length: count }, (_, index) => pointer(before(index)));
      return raw(
        Buffer.from([0]),
        all.map((owner) => [owner, 1, A4]),
      );
    };
    expect(decodeMessage(owners(10))?.answers).toHaveLength(10);
    expect(decodeMessage(owners(11))).toBeNull();
  });

  it("reads large and honest messages in few steps", () => {
    const host = (at: number) =>
      Buffer.concat([Buffer.from([3]), Buffer.from(`${100 + at}`), pointer(12 + 64)]);
    const made = (count: number, answer: (at: number) => [Buffer, number, Buffer]) =>
      Array.from({ length: count }, (_, at) => answer(at));
    for (const answers of [
      made(500, () => [pointer(12), 1, A4]),
      made(500, (at) => [pointer(12 + 64), 2, host(at)]),
      made(59, () => [LONGEST, 1, A4]),
      made(4, (at) => [pointer(12 + 64 * at), 16, Buffer.from([3, 97, 98, 99])]),
    ]) {
      const { message, stepsAnOctet } = counted(raw(LONGEST, answers));
      expect(message?.answers).toHaveLength(answers.length);
      expect(message?.answers.every(({ name }) => name.length >= 61)).toBe(true);
      expect(stepsAnOctet).toBeLessThan(3);
    }
  });

  it("refuses names that cost more steps than the message allows", () => {
    // One name of 126 labels, and a hundred owners that point at its labels in turn.
    const name = Buffer.concat([labels(...Array.from({ length: 126 }, () => 1)), Buffer.from([0])]);
    const answers = Array.from({ length: 100 }, (_, at): [Buffer, number, Buffer] => [
      pointer(12 + 2 * at),
      1,
      A4,
    ]);
    expect(decodeMessage(raw(name, answers.slice(0, 3)))?.answers).toHaveLength(3);
    expect(decodeMessage(raw(name, answers))).toBeNull();
  });

  it("keeps twenty extended errors, and skips other options", () => {
    const one = { code: 15 as 12, data: Buffer.from([0, 9, 0x61]) };
    const many = response([], [], [{ ...opt(15, one.data), options: Array(1_000).fill(one) }]);
    expect(decodeMessage(many)?.extendedErrors).toEqual(Array(20).fill({ code: 9, text: "a" }));
  });
});
