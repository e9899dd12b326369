import { expect, it } from "vitest";
import { dateInWords, durationInWords, joinList, replaceValue } from "./wording.ts";

it("joinList names four, and counts the others", () => {
  const said = ["", "a", "a and b", "a, b and c", "a, b, c and d", "a, b, c, d and 1 more"];
  expect([..."012345"].map((count) => joinList([..."abcde"].slice(0, +count)))).toEqual(said);
  const long = [..."abc"].map((first) => first.padEnd(120, "x"));
  expect(joinList(long)).toBe(`${long[0]} and 2 more`);
});

it("durationInWords rounds up", () => {
  const SAID = `-1 a moment, 0 a moment, 1 1 second, 59 59 seconds, 60 1 minute, 61 2 minutes,
    3570 1 hour, 3600 1 hour, 3601 61 minutes, 7200 2 hours, 86400 24 hours, 604800 7 days`;
  for (const one of SAID.split(/,\s+/)) {
    const [seconds, ...words] = one.split(" ");
    expect(`${seconds} ${durationInWords(Number(seconds))}`).toBe([seconds, ...words].join(" "));
  }
});

it("dateInWords is the day in UTC", () => {
  expect(dateInWords("2026-03-12T23:59:59.999Z")).toBe("12 March 2026");
});

it("replaceValue keeps other values where a record can have several, which a CNAME cannot", () => {
  const zone = "acme.com";
  const place = { label: "www", domain: zone, zone, token: "x.test", provider: "route53" as const };
  expect(replaceValue(place, "").fix).toContain("keep the other values of www.acme.com");
  const { fix } = replaceValue({ ...place, type: "CNAME" }, "", 1);
  expect(fix).toBe("In Route 53, edit the record and change Value to: x.test");
});
