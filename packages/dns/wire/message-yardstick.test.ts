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
const data = fc.oneof(
  fc.record({ type: fc.constant("A" as const), data: fc.ipV4() }),
  fc.record({
    type: fc.constant("AAAA" as const),
    data: fc.ipV6().filter((a) => !a.includes(".")),
  }),
  fc.record({
    type: fc.constantFrom("NS" as const, "CNAME" as const, "DNAME" as const),
    data: name,
  }),
  fc.record({
    type: fc.constant("TXT" as const),
    data: fc.array(
      fc.uint8Array({ maxLength: 255 }).map((bytes) => Buffer.from(bytes)),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({
    type: fc.constant("SOA" as const),
    data: fc.record({
      mname: name,
      rname: name,
      serial: word,
      refresh: word,
      retry: word,
      expire: word,
      minimum: word,
    }),
  }),
  fc.record({
    type: fc.constant("MX" as const),
    data: fc.record({ preference: fc.nat({ max: 65_535 }), exchange: name }),
  }),
);
const record = fc
  .tuple(
    name,
    fc.nat({ max: 0xffffffff }),
    fc.constantFrom("IN" as const, "IN" as const, "CH" as const),
    data,
  )
  .map(
    ([owner, ttl, dnsClass, rest]) => ({ name: owner, ttl, class: dnsClass, ...rest }) as Answer,
  );
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

const byPacket = (bytes: Buffer) => {
  const { answers, authorities, additionals } = decode(bytes);
  return {
    answers: sectionOf(answers),
    authorities: sectionOf(authorities),
    additionals: sectionOf(additionals),
  };
};

const byUs = (bytes: Buffer) => {
  const { answers, authorities, additionals } = decodeMessage(bytes) ?? {};
  return { answers, authorities, additionals };
};

it("reads every message as dns-packet does", () => {
  fc.assert(
    fc.property(message, (bytes) => {
      expect(byUs(bytes)).toEqual(byPacket(bytes));
    }),
    { numRuns: sized(500, 2_000) },
  );
});
