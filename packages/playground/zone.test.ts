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
    txt("_service-c.deep.acme.com", "here"),
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

const answered = (...answers: string[]) => ({
  rcode: "NOERROR",
  authoritative: true,
  answers,
  authorities: [] as string[],
  additionals: [] as string[],
});
const denied = (rcode: string, ...answers: string[]) => ({
  ...answered(...answers),
  rcode,
  authorities: ["acme.com SOA"],
});
const LOOPS = answered(...Array(9).fill("loop.acme.com CNAME"));
const below = "kept.old.acme.com CNAME";

describe("an authoritative zone", () => {
  it.each<[what: string, name: string, reply: object, type?: string]>([
    [
      "the case of the question",
      "_Service-C.deep.acme.com",
      answered("_Service-C.deep.acme.com TXT"),
    ],
    ["NXDOMAIN for a name that does not exist", "_x.acme.com", denied("NXDOMAIN")],
    ["NODATA for a type that does not exist", "ns1.acme.com", denied("NOERROR")],
    ["NODATA at an empty non-terminal", "deep.acme.com", denied("NOERROR")],
    ["a wildcard", "other.wild.acme.com", answered("other.wild.acme.com TXT")],
    ["a wildcard, deeper", "a.b.wild.acme.com", answered("a.b.wild.acme.com TXT")],
    ["no wildcard at a name that exists", "kept.wild.acme.com", answered("kept.wild.acme.com TXT")],
    ["no wildcard below such a name", "below.kept.wild.acme.com", denied("NXDOMAIN")],
    ["no type that the wildcard lacks", "other.wild.acme.com", denied("NOERROR"), "A"],
    [
      "an alias and its target in the zone",
      "alias.acme.com",
      answered("alias.acme.com CNAME", "kept.wild.acme.com TXT"),
    ],
    ["the alias itself", "alias.acme.com", answered("alias.acme.com CNAME"), "CNAME"],
    ["an alias that points away", "away.acme.com", answered("away.acme.com CNAME")],
    ["a dangling alias", "dangling.acme.com", denied("NXDOMAIN", "dangling.acme.com CNAME")],
    ["an end of a loop", "loop.acme.com", LOOPS],
    [
      "an alias made from a DNAME below its owner",
      "kept.old.acme.com",
      answered("old.acme.com DNAME", below, "kept.wild.acme.com TXT"),
    ],
    ["no alias at a DNAME's owner", "old.acme.com", denied("NOERROR")],
    [
      "a referral with glue and without authority",
      "_service-challenge.shop.acme.com",
      {
        ...answered(),
        authoritative: false,
        authorities: ["shop.acme.com NS"],
        additionals: ["ns1.shop.acme.com A"],
      },
    ],
    ["the DS of a delegation itself", "shop.acme.com", denied("NOERROR"), "DS"],
  ])("answers with %s", (_, name, reply, type) => {
    expect(ask(name, type)).toEqual(reply);
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
