import { describe, expect, it } from "vitest";
import { latencyText, outcomeText, toneOf } from "./reads.ts";

describe("a read", () => {
  it("tells a wait from a mistake", () => {
    const absent = { outcome: "absent", code: "record_absent" } as const;
    expect(toneOf(absent)).toBe("needs");
    expect(toneOf({ ...absent, code: null })).toBe("waiting");
    expect(toneOf({ ...absent, code: "negative_cache" })).toBe("waiting");
    expect(toneOf({ outcome: "unresolvable", code: null })).toBe("ended");
    expect(toneOf({ outcome: "found", code: null })).toBe("proved");
  });

  it("says in words what it came to", () => {
    expect(outcomeText({ outcome: "found", code: null })).toBe("found");
    expect(outcomeText({ outcome: "unresolvable", code: null })).toBe("DNS could not be reached");
    expect(outcomeText({ outcome: "absent", code: null })).toBe("on some nameservers");
    expect(outcomeText({ outcome: "absent", code: "record_absent" })).toBe("no record");
  });
});

describe("how long reads took", () => {
  it.each([
    [null, ""],
    [{ min: 140, median: 140, max: 140 }, "140 ms"],
    [{ min: 140, median: 320, max: 12_400 }, "320 ms, 140 to 12,400"],
  ])("%j is %s", (latency, text) => expect(latencyText(latency)).toBe(text));
});
