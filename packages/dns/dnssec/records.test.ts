import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chainOf, messagesOf, questionOf, vector } from "../testing/dnssec/vectors.ts";
import { parseAnchor, ROOT_ANCHORS } from "./anchors.ts";
import {
  countLabels,
  lastLabels,
  Malformed,
  namesBetween,
  nameText,
  Octets,
  octetsOf,
  parentOf,
  parseName,
  tryRead,
  under,
} from "./records.ts";
import { readKey } from "./signature.ts";
import { validate } from "./validate.ts";

/** From /usr/share/dns/root.key of Debian's dns-root-data. */
const ROOT_KEYS = [
  "AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3+/4RgWOq7HrxRixHlFlExOLAJr5emLvN7SWXgnLh4+B5xQlNVz8Og8kvArMtNROxVQuCaSnIDdD5LKyWbRd2n9WGe2R8PzgCmr3EgVLrjyBxWezF0jLHwVN8efS3rCj/EWgvIWgb9tarpVUDK/b58Da+sqqls3eNbuv7pr+eoZG+SrDK6nWeL3c6H5Apxz7LjVc1uTIdsIXxuOLYA4/ilBmSVIzuDWfdRUfhHdY6+cn8HFRm+2hM8AnXGXws9555KrUB5qihylGa8subX2Nn6UwNR1AkUTV74bU=",
  "AwEAAa96jeuknZlaeSrvyAJj6ZHv28hhOKkx3rLGXVaC6rXTsDc449/cidltpkyGwCJNnOAlFNKF2jBosZBU5eeHspaQWOmOElZsjICMQMC3aeHbGiShvZsx4wMYSjH8e7Vrhbu6irwCzVBApESjbUdpWWmEnhathWu1jo+siFUiRAAxm9qyJNg/wOZqqzL/dL/q8PkcRU5oUKEpUge71M3ej2/7CPqpdVwuMoTvoB+ZOT4YeGyxMvHmbrxlFzGOHOijtzN+u1TQNatX2XBuzZNQ1K+s2CXkPIZo7s6JgZyvaBevYtxPvYLw4z9mR7K2vaF18UYH9Z9GNUUeayffKC73PYc=",
];

const name = (text: string) => parseName(text) ?? expect.fail(text);

describe("the root's anchors", () => {
  it("are the digests of its published keys", () => {
    const made = ROOT_KEYS.map((key) => {
      const rdata = Uint8Array.from([1, 1, 3, 8, ...Buffer.from(key, "base64")]);
      const digest = createHash("sha256").update(Uint8Array.of(0)).update(rdata).digest();
      return { keyTag: readKey(rdata)?.keyTag, digest: digest.toString("hex") };
    });
    const given = ROOT_ANCHORS.map(({ keyTag, digest }) => ({
      keyTag,
      digest: Buffer.from(digest).toString("hex"),
    }));
    expect(given).toEqual(made);
    expect(given.map(({ keyTag }) => keyTag)).toEqual([20326, 38696]);
  });

  it("are read from lines of a zone file", () => {
    const anchor = { zone: "lab.test", keyTag: 4711, algorithm: 13, digestType: 2 };
    const digest = Uint8Array.of(0x9f, 0x3c);
    expect(parseAnchor("Lab.Test. 3600 IN DS 4711 13 2 9F 3c")).toEqual({ ...anchor, digest });
    expect(parseAnchor(". DS 1 8 2 00")).toMatchObject({ zone: "." });
    const others = ["", "lab.test. IN DS 1 2", "lab.test. IN DNSKEY 257 3 13 abcd", ". DS 1 8 2 0"];
    for (const line of others) expect(parseAnchor(line)).toBeNull();
  });
});

describe("a name", () => {
  it("sorts in the canonical order of RFC 4034 section 6.1", () => {
    const example = under("", new TextEncoder().encode("example"));
    const z = under(example, new TextEncoder().encode("z"));
    const plain = "a.example yljkjljk.a.example Z.a.example zABC.a.EXAMPLE z.example".split(" ");
    const odd = [under(z, [1]), name("*.z.example"), under(z, [200])];
    const inOrder = [example, ...plain.map(name), ...odd];
    expect([...inOrder].reverse().sort()).toEqual(inOrder);
    const texts = ["\\001.z.example", "*.z.example", "\\200.z.example"];
    expect(odd.map(nameText)).toEqual(texts);
  });

  it("has parents, labels and a wire form", () => {
    const deep = name("a.*.b.test");
    expect(nameText(parentOf(deep))).toBe("*.b.test");
    expect([parentOf(name("test")), parentOf("")]).toEqual(["", ""]);
    expect([deep, parentOf(deep), name("*"), ""].map(countLabels)).toEqual([4, 2, 0, 0]);
    expect(nameText(lastLabels(deep, 2))).toBe("b.test");
    expect(lastLabels(deep, 0)).toBe("");
    const between = namesBetween(name("test"), deep).map(nameText);
    expect(between).toEqual(["b.test", "*.b.test", "a.*.b.test"]);
    expect(namesBetween(name("est"), name("test"))).toEqual([]);
    expect([...octetsOf(name("A.b"))]).toEqual([1, 0x61, 1, 0x62, 0]);
  });

  it("is at most 255 octets of labels of at most 63", () => {
    const label = "a".repeat(63);
    const longest = [label, label, label, "a".repeat(61)].join(".");
    expect(octetsOf(name(longest))).toHaveLength(255);
    expect(parseName(`${longest}a`)).toBeNull();
    for (const text of [`${label}a`, "a..b", "", ".a"]) expect(parseName(text)).toBeNull();
  });

  it("is read through at most ten pointers, each further to the front", () => {
    const readAt = (octets: number[], at: number) =>
      tryRead(Uint8Array.from(octets), (read) => {
        read.at = at;
        return [nameText(read.name(true)), read.at];
      });
    expect(readAt([1, 0x41, 0, 1, 0x62, 0xc0, 0], 3)).toEqual(["b.a", 7]);
    for (const [octets, at] of [
      [[0xc0, 0], 0],
      [[0xc0, 2, 1, 0x61, 0], 0],
      [[1, 0x61, 0xc0, 0], 0],
      [[0x40, 0], 0],
      [[1], 0],
    ] as const)
      expect(readAt([...octets], at)).toBeNull();
    const chain = [
      0,
      ...Array.from({ length: 11 }, (_, index) => [0xc0, index === 0 ? 0 : 2 * index - 1]).flat(),
    ];
    expect(readAt(chain, 19)).toEqual([".", 21]);
    expect(readAt(chain, 21)).toBeNull();
    expect(() => new Octets(Uint8Array.of(0, 0xc0, 0), 1).name()).toThrow(Malformed);
  });
});

describe("the messages judged", () => {
  const zone = "knot-13-nsec.test";
  const question = questionOf(vector(zone));

  it("may be in any order, more than once, and of other servers too", async () => {
    const messages = messagesOf(vector(zone));
    const others = messagesOf(vector("expired.test"));
    const { chain } = await chainOf(zone);
    const validation = await validate([...others, ...messages.reverse(), ...messages], question);
    expect(validation).toMatchObject({ verdict: "secure", zones: [".", "test", zone] });
    expect(validation.chain).toEqual(chain);
  });

  it("do not prevent a good one by a bad version beside it", async () => {
    const messages = messagesOf(vector(zone));
    const bad = messages.map((message) =>
      Uint8Array.from(message, (octet, at) => octet ^ Number(at === message.length - 30)),
    );
    expect((await validate([...bad, ...messages], question)).verdict).toBe("secure");
  });

  it("tell what was not read from what is not there", async () => {
    const messages = messagesOf(vector(zone));
    const kinds = `. . DNSKEY, . test DS, test test DNSKEY, test ${zone} DS, ${zone} ${zone} DNSKEY,
      ${zone} ${question.name} TXT`;
    for (const [index, kind] of kinds.split(/,\s+/).entries()) {
      const [above, name, records] = kind.split(" ");
      const reason = { type: "not_read", zone: above, name, records };
      const validation = await validate(messages.toSpliced(index, 1), question);
      expect(validation).toMatchObject({ verdict: "indeterminate", reason });
    }
  });

  it("are not judged without an anchor, and from the closest one", async () => {
    const messages = messagesOf(vector(zone));
    const [ds] = question.anchors;
    const elsewhere = [{ ...ds, zone: "other.test" }] as typeof question.anchors;
    expect(await validate(messages, { ...question, anchors: elsewhere })).toMatchObject({
      reason: { type: "no_anchor" },
    });
    const closest = [...question.anchors, { ...ds, zone: "test" }] as typeof question.anchors;
    expect(await validate(messages, { ...question, anchors: closest })).toMatchObject({
      reason: { type: "ds_matches_no_key", zone: "test" },
    });
  });
});
