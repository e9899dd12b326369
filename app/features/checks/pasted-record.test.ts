import { expect, it } from "vitest";
import { pastedRecord } from "./pasted-record.ts";

const TXT = { name: "_x.example.com", type: "TXT", value: "service_v1_ab" };
const VERCEL =
  '{"verification":[{"type":"TXT","domain":"_x.example.com","value":"service_v1_ab"}]}';
const CLOUDFLARE = '{"type":"TXT","name":"_x.example.com","content":"\\"service_v1_ab\\"","ttl":1}';

it.each([
  ["a zone line", '_x.example.com. 3600 IN TXT "service_v1_ab"'],
  ["a line without TTL and class", "_x.example.com TXT service_v1_ab"],
  ["class before TTL, and tabs", '_x.example.com.\tIN\t3600\tTXT\t"service_v1_ab" ; comment'],
  ["a TTL with units", '_x.example.com. 1h IN TXT "service_v1_ab"'],
  ["a value in several strings", '_x.example.com. TXT ( "service_"\n  "v1_ab" )'],
  ["escapes", '_x.example.com. TXT "service\\_v1_\\097b"'],
  ["a name below $ORIGIN", '$TTL 300\n$ORIGIN example.com.\n_x IN TXT "service_v1_ab"'],
  ["comments before the line", ';; ANSWER SECTION:\n_x.example.com. 60 IN TXT "service_v1_ab"'],
  ["the type first", "TXT _x.example.com service_v1_ab"],
  ["two words", "_x.example.com service_v1_ab"],
  ["two lines", "_x.example.com\nservice_v1_ab"],
  ["labels", "Type: TXT\nName: _x.example.com\nValue: service_v1_ab\nTTL: 3600"],
  ["labels with their values below", "Host\n_x.example.com\nType\nTXT\nValue\nservice_v1_ab"],
  ["Vercel's JSON", VERCEL],
  ["Cloudflare's JSON", CLOUDFLARE],
  ["a link around the name", "https://_x.example.com/ TXT service_v1_ab"],
])("%s is taken apart", (_, line) => {
  expect(pastedRecord({ name: line, type: "TXT", value: "" })).toEqual(TXT);
  expect(pastedRecord({ name: "", type: "TXT", value: line })).toEqual(TXT);
});

it("takes the type of a CNAME from what was pasted, and its target without the final dot", () => {
  const [name, type, value] = ["_3639.www.example.com", "CNAME", "_9c5f.acm-validations.aws"];
  const aws = `{"ResourceRecord": {"Name": "${name}.", "Type": "CNAME", "Value": "${value}."}}`;
  for (const fields of [
    { name: aws, type: "TXT", value: "" },
    { name: `${name}. 300 IN CNAME ${value}.`, type: "TXT", value: "" },
    { name: `${name}.`, type, value: `${value}.` },
  ])
    expect(pastedRecord(fields)).toEqual({ name, type, value });
});

it("keeps a value of several words, and takes off quotes that stand around all of it", () => {
  const spf = "v=spf1 include:_spf.example.net -all";
  expect(pastedRecord({ name: `example.com TXT ${spf}`, type: "TXT", value: "" }).value).toBe(spf);
  const fields = { name: "example.com", type: "TXT" };
  expect(pastedRecord({ ...fields, value: ` "${spf}" ` }).value).toBe(spf);
  // Where a name is given, a value that only looks like a line is not taken apart.
  for (const value of ['say "hello"', "other.example TXT abc"])
    expect(pastedRecord({ ...fields, value })).toEqual({ ...fields, value });
});

it.each([
  ["_x 300 IN TXT abc", /full name/],
  ["@ IN TXT abc", /full name/],
  ["example.com. 300 IN MX 10 mail.example.com.", /TXT or CNAME/],
  ["example.com", /value/],
  ["", /name/],
])("says what is missing in %j", (name, reason) => {
  expect(() => pastedRecord({ name, type: "TXT", value: "" })).toThrow(reason);
});

it("says at which field a value is missing", () => {
  const missing = { details: expect.objectContaining({ param: "value" }) };
  expect(() => pastedRecord({ ...TXT, value: "" })).toThrow(expect.objectContaining(missing));
});

it("is quick and does not fail on any text", () => {
  const odd = '{"[(\\;"\t'.repeat(250);
  const before = performance.now();
  const long = ["(", "\\", " ", "1 ", "IN ", '"', '"" ', "a/", "\n", "x:", "$ORIGIN "].map((one) =>
    one.repeat(20_000),
  );
  const nested = [`{"a":${"[".repeat(2_000)}`, `${"[".repeat(9_000)}${"]".repeat(9_000)}`];
  for (const text of [odd, ...nested, ...long]) {
    try {
      pastedRecord({ name: text, type: "TXT", value: "" });
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_request" });
    }
  }
  expect(performance.now() - before).toBeLessThan(20_000);
});
