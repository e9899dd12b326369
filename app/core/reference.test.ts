import { expect, test } from "vitest";
import { isReference, MAX_REFERENCE } from "./reference.ts";

// tests/contract/domains.test.ts has more examples of allowed text. C27.1
test.each([
  ["as long as may be, in characters", "𝒳".repeat(MAX_REFERENCE), true],
  ["too long in characters", "𝒳".repeat(MAX_REFERENCE + 1), false],
  ["a URL", "https://crm.example/customers/42?x=y#z", true],
  ["ended by a no-break space", "a\u00a0", false],
  ["with a null", "a\u0000b", false],
])("a reference %s", (_, text, isTaken) => expect(isReference(text)).toBe(isTaken));
