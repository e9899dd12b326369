import type { Answer } from "dns-packet";
import { describe, expect, it } from "vitest";
import { textStrings, txt, type ZoneRecord } from "./records.ts";
import { lookup, type Zone } from "./zone.ts";

function read(line: string): ZoneRecord {
  const [name = "", type = "", data = ""] = line.trim().split(" ");
  return type === "TXT" ? txt(name, data) : { name, type: type as "NS", ttl: 300, data };
}
const linesOf = (text: string) => text.trim().split("\n");

const zone: Zone = {
  name: "acme.com",
  serial: 7,
  times: { ttl: 300, refresh: 3600, minimum: 60 },
  records: linesOf(`
    acme.com NS ns1.acme.com
    ns1.acme.com A 127.0.0.2
    _service-c.deep.acme.com TXT here
    *.wild.acme.com TXT any
    kept.wild.acme.com TXT own
    alias.acme.com CNAME kept.wild.acme.com
    dangling.acme.com CNAME nothing.acme.com
    away.acme.com CNAME www.globex.com
    loop.acme.com CNAME loop.acme.com
    old.acme.com DNAME wild.acme.com
    shop.acme.com NS ns1.shop.acme.com
    ns1.shop.acme.com A 127.0.0.3`).map(read),
};

/** A reply as a line: RCODE unless NOERROR, "referral" without authority, and its names and types. */
function told(name: string, type: string): string {
  const reply = lookup(zone, name, type);
  const names = (records: Answer[]) => records.map((each) => `${each.name} ${each.type}`);
  return [
    ...(reply.rcode === "NOERROR" ? [] : [reply.rcode]),
    ...(reply.authoritative ? [] : ["referral"]),
    ...[reply.answers, reply.authorities, reply.additionals].flatMap(names),
  ]
    .join(" ")
    .replaceAll(".acme.com", "");
}

/** The question below acme.com, and the reply; the type is TXT unless given. */
const REPLIES = linesOf(`
  _Service-C.deep -> _Service-C.deep TXT
  _x -> NXDOMAIN acme.com SOA
  ns1 -> acme.com SOA
  deep -> acme.com SOA
  other.wild -> other.wild TXT
  a.b.wild -> a.b.wild TXT
  kept.wild -> kept.wild TXT
  below.kept.wild -> NXDOMAIN acme.com SOA
  other.wild A -> acme.com SOA
  alias -> alias CNAME kept.wild TXT
  alias CNAME -> alias CNAME
  away -> away CNAME
  dangling -> NXDOMAIN dangling CNAME acme.com SOA
  loop -> ${Array(9).fill("loop CNAME").join(" ")}
  kept.old -> old DNAME kept.old CNAME kept.wild TXT
  old -> acme.com SOA
  _service-challenge.shop -> referral shop NS ns1.shop A
  shop DS -> acme.com SOA`);

describe("an authoritative zone", () => {
  it.each(REPLIES)("answers %s", (line) => {
    const [question = "", reply] = line.trim().split(" -> ");
    const [name, type = "TXT"] = question.split(" ");
    expect(told(`${name}.acme.com`, type)).toBe(reply);
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
});
