import { describe, expect, it } from "vitest";
import { sign, verify } from "./forward-header.server.ts";

const SECRET = "s".repeat(32);
const NOW = 1_800_000_000_000;
const line = { method: "POST", url: "/api/domains?x=1" };
const passage = { hops: 1, address: "203.0.113.9" };
const header = sign(SECRET, line, passage, NOW);

describe("the word of one node to another", () => {
  it.each(["203.0.113.9", "2001:db8::1", "unknown"])(
    "carries the client's address %s",
    (address) => {
      const carried = { hops: 2, address };
      expect(verify(SECRET, line, sign(SECRET, line, carried, NOW), NOW)).toEqual(carried);
    },
  );

  it("counts for nothing without the secret", () => {
    expect(verify("t".repeat(32), line, header, NOW)).toBeNull();
  });

  it("holds for one request line", () => {
    for (const other of [{ method: "DELETE" }, { url: "/api/claims" }])
      expect(verify(SECRET, { ...line, ...other }, header, NOW)).toBeNull();
  });

  it.each([
    ["another address", header.replace("203.0.113.9", "203.0.113.8")],
    ["fewer hops", header.replace(";1;", ";0;")],
    ["another time", header.replace(String(NOW), String(NOW + 1))],
    ["nothing", ""],
    ["no form", "a;b;c;d"],
    ["a name for an address", sign(SECRET, line, { hops: 1, address: "host.example" }, NOW)],
  ])("is refused with %s", (_, altered) => {
    expect(verify(SECRET, line, altered, NOW)).toBeNull();
  });

  it("is good for five minutes either way", () => {
    const after = (minutes: number) => verify(SECRET, line, header, NOW + minutes * 60_000);
    expect([4.9, -4.9, 5.1, -5.1].map(after)).toEqual([passage, passage, null, null]);
  });
});
