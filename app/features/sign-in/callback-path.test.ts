import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOME_PATH, safeCallbackPath } from "./magic-link.server.ts";

const BASE = "https://deed.example.org";

describe("C12.2: the path after a sign-in", () => {
  it.each([
    ["/domains", "/domains"],
    ["/claims/clm_1?a=b#c", "/claims/clm_1?a=b#c"],
    ["/a/../b", "/b"],
    ["/%2F%2Fevil.example", "/%2F%2Fevil.example"],
    ["/zones/bücher.example", "/zones/b%C3%BCcher.example"],
    ["/x?next=https://evil.example", "/x?next=https://evil.example"],
  ])("%j leads to %j", (asked, path) => {
    expect(safeCallbackPath(BASE, asked)).toBe(path);
  });

  it.each([
    [undefined, null, "", "domains", "https://evil.example", "https://deed.example.org/domains"],
    ["//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example"],
    ["/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example"],
    ["/.//evil.example", "/..//evil.example", "/x/..//evil.example", "/%2e//evil.example"],
    ["javascript:alert(1)", "data:text/html,x", "/x\r\nSet-Cookie: a=b", "/\0"],
    [`/${"x".repeat(2_000)}`],
  ])("%j, … lead home", (...asked) => {
    const paths = asked.map((one) => safeCallbackPath(BASE, one));
    expect(new Set(paths)).toEqual(new Set([HOME_PATH]));
  });

  it("never leaves the origin, as a browser resolves it", () => {
    const separators = ["/", "\\", ".", "..", "%2e", "\t", "\n", "@", ":", "?", "#"];
    const part = fc.constantFrom("evil.example", ...separators);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const path = safeCallbackPath(BASE, parts.join(""));
        expect(new URL(path, `${BASE}/api/auth/x`).origin).toBe(BASE);
        expect(path).toMatch(/^\/(?!\/)/);
        expect(safeCallbackPath(BASE, path)).toBe(path);
      }),
      { numRuns: 5_000 },
    );
  });
});
