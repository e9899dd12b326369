import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRequestLine } from "./request-line.server.ts";

const base = { api: null, signInToken: null };

describe("C18.3: readRequestLine", () => {
  it.each([
    ["/sign-in/confirm?token=s3cret", "/sign-in/confirm"],
    ["/sign-in/confirm?token=s3cret&token=two", "/sign-in/confirm"],
    ["/sign-in/invitation/?token=s3cret", "/sign-in/invitation/"],
    ["/sign-in/confirm/?a=1&token=s3cret&b=2", "/sign-in/confirm/?a=1&b=2"],
    ["/sign-in/c%6Fnfirm?%74oken=s3cret", "/sign-in/c%6Fnfirm"],
    ["/sign-in/confirm?token=s3cret&_data=routes%2Fx", "/sign-in/confirm?_data=routes%2Fx"],
  ])("takes the token out of %s", (target, url) => {
    expect(readRequestLine(target)).toEqual({ ...base, url, signInToken: "s3cret" });
  });

  it.each(["/api/auth/oidc/callback", "/api", "/%61pi/domains"])(
    "sets the query of %s aside",
    (path) => {
      const api = { path, search: "?code=x&_data=y" };
      expect(readRequestLine(`${path}?code=x&_data=y`)).toEqual({ ...base, url: path, api });
    },
  );

  it.each([
    ["/api/zones/%zz", "/api/zones/%25zz"],
    ["/api/zones/%", "/api/zones/%25"],
    ["/api/zones/%ff%41", "/api/zones/%25ff%2541"],
    ["/api/proofs/%0A", "/api/proofs/%250A"],
    ["/api/zones/..%2F..", "/api/zones/..%252F.."],
    ["/api/claims/%E2%80%A8x", "/api/claims/%25E2%2580%25A8x"],
    ["/api/domains/%2e%2e/claims", "/api/domains/%252e%252e/claims"],
    ["/api/domains/../claims", "/api/domains/%252E%252E/claims"],
    ["/api/domains/.%2E", "/api/domains/%252E%252E"],
    ["/api/./domains", "/api/%252E/domains"],
    ["/api/domains/%2e/", "/api/domains/%252e/"],
    ["/api/domains/a\\b", "/api/domains/a%255Cb"],
  ])("hands %s on as what routes and no URL resolves, and keeps what was sent", (target, url) => {
    expect(readRequestLine(target)).toEqual({ ...base, url, api: { path: target, search: "" } });
  });

  it.each([
    ["/domains?status=proved", "/domains?status=proved"],
    ["/apiary?x=1", "/apiary?x=1"],
    ["/api\\domains/a\\b", "/api%255Cdomains/a%255Cb"],
    ["/domains/../zones/%2E%2e/x?a=..", "/domains/%252E%252E/zones/%252E%252e/x?a=.."],
    ["/a%20b/%c3", "/a%20b/%25c3"],
    ["http://evil.example/domains?x=1", "/domains?x=1"],
    ["http://evil.example", "/"],
    ["http://evil.example?x=1", "/?x=1"],
    ["*", "/"],
    ["", "/"],
  ])("reads the page %s as %s, in origin form", (target, url) => {
    expect(readRequestLine(target)).toEqual({ ...base, url });
  });

  it.each([
    [`/${"/".repeat(15_000)}x`, "//x"],
    [`/docs${"/".repeat(15_000)}?next=////`, "/docs//?next=////"],
    [`http://evil.example////a//b///c`, "//a//b//c"],
    [`/a%20b${"/".repeat(15_000)}c`, "/a%20b//c"],
  ])("leaves an empty segment of a run of slashes", (target, url) => {
    expect(readRequestLine(target)).toEqual({ ...base, url });
  });

  it.each(["", "?a=1"])("does so for calls, as they were sent too", (search) => {
    const api = { path: "/api//account", search };
    const line = readRequestLine(`/api${"/".repeat(15_000)}account${search}`);
    expect(line).toEqual({ ...base, url: "/api//account", api });
  });

  it("always leaves a path that decodes and starts with a slash", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."%/?#af0z&=:*\\.") }), (target) => {
        const path = readRequestLine(target).url.split("?")[0] ?? "";
        expect(path.startsWith("/")).toBe(true);
        expect(() => decodeURIComponent(path)).not.toThrow();
        expect(new URL(`http://x${path}`).pathname).toBe(path);
      }),
      { numRuns: 2_000 },
    );
  });
});
