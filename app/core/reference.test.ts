import { describe, expect, test } from "vitest";
import { isReference, MAX_REFERENCE } from "./reference.ts";

describe("a reference", () => {
  test.each([
    ["an id", "cust_42"],
    ["a URL", "https://crm.example/customers/42?x=y#z"],
    ["spaces within", "Kundå nr 7"],
    ["another script", "客户-42"],
    ["as long as may be, in characters", "𝒳".repeat(MAX_REFERENCE)],
  ])("may be %s", (_, text) => expect(isReference(text)).toBe(true));

  test.each([
    ["empty", ""],
    ["too long", "a".repeat(MAX_REFERENCE + 1)],
    ["too long in characters", "𝒳".repeat(MAX_REFERENCE + 1)],
    ["begun by a space", " a"],
    ["ended by a no-break space", "a\u00a0"],
    ["of two lines", "a\nb"],
    ["with a null", "a\u0000b"],
    ["turned around", "a\u202eb"],
    ["with a space of no width", "a\u200bb"],
    ["half a character", "a\ud800"],
    ["with a line separator", "a\u2028b"],
  ])("is never %s", (_, text) => expect(isReference(text)).toBe(false));
});
