import { describe, expect, it } from "vitest";
import { textStrings, txt, type ZoneRecord, zoneLine } from "./records.ts";
import { lookup, type Zone } from "./zone.ts";

const record = (name: string, type: "A" | "NS" | "CNAME" | "DNAME", data: string): ZoneRecord => ({
  name,
  type,
  ttl: 300,
  data,
});

const zone: Zone = {
  name: "acme.com",
  serial: 7,
  times: { ttl: 300, refresh: 3600, minimum: 60 },
  records: [
    record("acme.com", "NS", "ns1.acme.com"),
    record("ns1.acme.com", "A", "127.0.0.2"),
    txt("_service-challenge.deep.acme.com", "here"),
    txt("*.wild.acme.com", "any"),
    txt("kept.wild.acme.com", "own"),
    record("alias.acme.com", "CNAME", "kept.wild.acme.com"),
    record("dangling.acme.com", "CNAME", "nothing.acme.com"),
    record("away.acme.com", "CNAME", "www.globex.com"),
    record("loop.acme.com", "CNAME", "loop.acme.com"),
    record("old.acme.com", "DNAME", "wild.acme.com"),
    record("shop.acme.com", "NS", "ns1.shop.acme.com"),
    record("ns1.shop.acme.com", "A", "127.0.0.3"),
  ],
};

const ask = (name: string, type = "TXT") => {
  const reply = lookup(zone, name, type);
  return {
    rcode: reply.rcode,
    authoritative: reply.authoritative,
    answers: reply.answers.map((each) => `${each.name} ${each.type}`),
    authorities: reply.authorities.map((each) => `${each.name} ${each.type}`),
    additionals: reply.additionals.map((each) => `${each.name} ${each.type}`),
  };
};

const denied = (rcode: string, answers: string[] = []) => ({
  rcode,
  authoritative: true,
  answers,
  authorities: ["acme.com SOA"],
  additionals: [],
});
const answered = (...answers: string[]) => ({
  rcode: "NOERROR",
  authoritative: true,
  answers,
  authorities: [],
  additionals: [],
});

describe("an authoritative zone", () => {
  it("answers with the case of the question", () => {
    expect(ask("_Service-CHALLENGE.deep.acme.com")).toEqual(
      answered("_Service-CHALLENGE.deep.acme.com TXT"),
    );
  });
  it("denies a name that does not exist with NXDOMAIN and the SOA", () => {
    expect(ask("_service-challenge.acme.com")).toEqual(denied("NXDOMAIN"));
  });
  it("denies a type that does not exist with NOERROR and the SOA", () => {
    expect(ask("ns1.acme.com")).toEqual(denied("NOERROR"));
  });
  it("answers NODATA at empty non-terminals", () => {
    expect(ask("deep.acme.com")).toEqual(denied("NOERROR"));
  });
  it("synthesises from a wildcard, but not at a name that exists", () => {
    expect(ask("other.wild.acme.com")).toEqual(answered("other.wild.acme.com TXT"));
    expect(ask("a.b.wild.acme.com")).toEqual(answered("a.b.wild.acme.com TXT"));
    expect(ask("kept.wild.acme.com")).toEqual(answered("kept.wild.acme.com TXT"));
    expect(ask("below.kept.wild.acme.com")).toEqual(denied("NXDOMAIN"));
    expect(ask("other.wild.acme.com", "A")).toEqual(denied("NOERROR"));
  });
  it("follows a CNAME within the zone and leaves one that points away", () => {
    expect(ask("alias.acme.com")).toEqual(
      answered("alias.acme.com CNAME", "kept.wild.acme.com TXT"),
    );
    expect(ask("alias.acme.com", "CNAME")).toEqual(answered("alias.acme.com CNAME"));
    expect(ask("away.acme.com")).toEqual(answered("away.acme.com CNAME"));
    expect(ask("dangling.acme.com")).toEqual(denied("NXDOMAIN", ["dangling.acme.com CNAME"]));
  });
  it("ends a CNAME loop", () => {
    expect(ask("loop.acme.com").answers.length).toBeLessThan(12);
  });
  it("synthesises a CNAME from a DNAME below its owner, not at it", () => {
    expect(ask("kept.old.acme.com")).toEqual(
      answered("old.acme.com DNAME", "kept.old.acme.com CNAME", "kept.wild.acme.com TXT"),
    );
    expect(ask("old.acme.com")).toEqual(denied("NOERROR"));
  });
  it("refers to a delegated zone with glue and without authority", () => {
    expect(ask("_service-challenge.shop.acme.com")).toEqual({
      rcode: "NOERROR",
      authoritative: false,
      answers: [],
      authorities: ["shop.acme.com NS"],
      additionals: ["ns1.shop.acme.com A"],
    });
    expect(ask("shop.acme.com", "DS")).toEqual(denied("NOERROR"));
  });
  it("answers its SOA at the apex", () => {
    expect(lookup(zone, "acme.com", "SOA").answers[0]).toMatchObject({
      ttl: 300,
      data: { mname: "ns1.acme.com", serial: 7, refresh: 3600, minimum: 60 },
    });
  });
});

describe("the text of a record", () => {
  it("is cut into strings of at most 255 octets between characters", () => {
    const strings = textStrings("é".repeat(200));
    expect(strings.map((each) => Buffer.byteLength(each))).toEqual([254, 146]);
    expect(strings.join("")).toBe("é".repeat(200));
    expect(textStrings("")).toEqual([""]);
  });
  it("is written as in a zone file", () => {
    expect(zoneLine(txt("a.acme.com", 'say "x"'))).toBe('a.acme.com. 300 IN TXT "say \\"x\\""');
  });
});
