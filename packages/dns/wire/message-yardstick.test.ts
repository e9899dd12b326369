import { type Answer, decode, encode } from "dns-packet";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sized } from "../../../tests/support/size.ts";
import { canonicalAddress } from "./address.ts";
import { decodeMessage, type ResourceRecord } from "./message.ts";

const lower = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A dns-packet record in the form of decodeMessage; null for types that it skips. */
function reduced(record: Answer): ResourceRecord | null {
  if (record.type === "OPT" || record.class !== "IN") return null;
  const name = lower(record.name);
  const ttl = (record.ttl ?? 0) > 0x7fffffff ? 0 : (record.ttl ?? 0);
  switch (record.type) {
    case "A":
    case "AAAA":
      return { type: record.type, name, ttl, address: canonicalAddress(record.data) ?? "" };
    case "NS":
    case "CNAME":
    case "DNAME":
      return { type: record.type, name, ttl, target: lower(record.data) };
    case "TXT":
      return { type: "TXT", name, ttl, value: Buffer.concat(record.data as Buffer[]).toString() };
    case "MX":
      return { type: "MX", name, ttl, target: lower(record.data.exchange) };
    case "SOA": {
      const { serial = 0, refresh = 0, minimum = 0 } = record.data;
      return { type: "SOA", name, ttl, serial, refresh, minimum };
    }
    default:
      return null;
  }
}

const sectionOf = (records: Answer[] = []) => records.flatMap((record) => reduced(record) ?? []);

const label = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join("."));
const word = fc.nat({ max: 0xffffffff });
const of = <T extends string, D>(types: T[], data: fc.Arbitrary<D>) =>
  fc.record({ type: fc.constantFrom(...types), data });
const octets = fc.uint8Array({ maxLength: 255 }).map((bytes) => Buffer.from(bytes));
const times = { serial: word, refresh: word, retry: word, expire: word, minimum: word };
const data = fc.oneof(
  of(["A"], fc.ipV4()),
  of(
    ["AAAA"],
    fc.ipV6().filter((address) => !address.includes(".")),
  ),
  of(["NS", "CNAME", "DNAME"], name),
  of(["TXT"], fc.array(octets, { minLength: 1, maxLength: 3 })),
  of(["SOA"], fc.record({ mname: name, rname: name, ...times })),
  of(["MX"], fc.record({ preference: fc.nat({ max: 65_535 }), exchange: name })),
);
const record = fc
  .tuple(name, word, fc.constantFrom("IN", "IN", "CH"), data)
  .map(([name, ttl, dnsClass, rest]) => ({ name, ttl, class: dnsClass, ...rest }) as Answer);
const records = fc.array(record, { maxLength: 6 });

const message = fc
  .tuple(name, records, records, records)
  .map(([asked, answers, authorities, additionals]) =>
    encode({
      type: "response",
      questions: [{ type: "TXT", name: asked }],
      answers,
      authorities,
      additionals,
    }),
  );

it("reads every message as dns-packet does", () => {
  fc.assert(
    fc.property(message, (bytes) => {
      const { answers, authorities, additionals } = decode(bytes);
      expect(decodeMessage(bytes)).toMatchObject({
        answers: sectionOf(answers),
        authorities: sectionOf(authorities),
        additionals: sectionOf(additionals),
      });
    }),
    { numRuns: sized(500, 2_000) },
  );
});
