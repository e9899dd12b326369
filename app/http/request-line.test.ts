import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRequestLine } from "./request-line.server.ts";

const base = { api: null, signInToken: null };

describe("readRequestLine", () => {
  it("leaves a page's line as it is", () => {
    expect(readRequestLine("/domains?status=proved")).toEqual({
      ...base,
      url: "/domains?status=proved",
    });
  });

  it.each([
    ["/sign-in/confirm?token=s3cret", "/sign-in/confirm"],
    ["/sign-in/invitation/?token=s3cret", "/sign-in/invitation/"],
    ["/sign-in/confirm/?a=1&token=s3cret&b=2", "/sign-in/confirm/?a=1&b=2"],
    ["/sign-in/c%6Fnfirm?%74oken=s3cret", "/sign-in/c%6Fnfirm"],
    ["/sign-in/confirm?token=s3cret&_data=routes%2Fx", "/sign-in/confirm?_data=routes%2Fx"],
  ])("takes the token out of %s", (target, url) => {
    expect(readRequestLine(target)).toEqual({ ...base, url, signInToken: "s3cret" });
  });

  it("keeps every repetition of the token out of the URL", () => {
    const line = readRequestLine("/sign-in/confirm?token=one&token=two");
    expect(line).toEqual({ ...base, url: "/sign-in/confirm", signInToken: "one" });
  });

  it.each(["/api/auth/oidc/callback", "/api", "/%61pi/domains"])(
    "sets the query of %s aside",
    (path) => {
      expect(readRequestLine(`${path}?code=x&_data=y`)).toEqual({
        ...base,
        url: path,
        api: { path, search: "?code=x&_data=y" },
      });
    },
  );

  it("does not take /apiary for the API", () => {
    expect(readRequestLine("/apiary?x=1").api).toBeNull();
  });

  it.each([
    ["/api/zones/%zz", "/api/zones/%25zz"],
    ["/api/zones/%", "/api/zones/%25"],
    ["/api/zones/%ff%41", "/api/zones/%25ff%2541"],
    ["/api/proofs/%0A", "/api/proofs/%250A"],
    ["/api/zones/..%2F..", "/api/zones/..%252F.."],
    ["/api/claims/%E2%80%A8x", "/api/claims/%25E2%2580%25A8x"],
  ])("hands %s on as what routes, and keeps what was sent", (target, url) => {
    expect(readRequestLine(target)).toEqual({ ...base, url, api: { path: target, search: "" } });
  });

  it.each([
    ["/api/domains/%2e%2e/claims", "/api/domains/%252e%252e/claims"],
    ["/api/domains/../claims", "/api/domains/%252E%252E/claims"],
    ["/api/domains/.%2E", "/api/domains/%252E%252E"],
    ["/api/./domains", "/api/%252E/domains"],
    ["/api/domains/%2e/", "/api/domains/%252e/"],
    ["/api\\domains/a\\b", null],
    ["/api/domains/a\\b", "/api/domains/a%255Cb"],
  ])("leaves nothing in %s for a URL to resolve", (target, url) => {
    const line = readRequestLine(target);
    if (url === null) expect(line).toEqual({ ...base, url: "/api%255Cdomains/a%255Cb" });
    else expect(line).toEqual({ ...base, url, api: { path: target, search: "" } });
  });

  it("does the same for pages", () => {
    expect(readRequestLine("/domains/../zones/%2E%2e/x?a=..").url).toBe(
      "/domains/%252E%252E/zones/%252E%252e/x?a=..",
    );
    expect(readRequestLine("/a%20b/%c3").url).toBe("/a%20b/%25c3");
  });

  it.each([
    ["http://evil.example/domains?x=1", "/domains?x=1"],
    ["http://evil.example", "/"],
    ["http://evil.example?x=1", "/?x=1"],
    ["*", "/"],
    ["", "/"],
  ])("reduces %s to origin form", (target, url) => {
    expect(readRequestLine(target).url).toBe(url);
  });

  it.each([
    [`/${"/".repeat(15_000)}x`, "//x"],
    [`/docs${"/".repeat(15_000)}?next=////`, "/docs//?next=////"],
    [`http://evil.example////a//b///c`, "//a//b//c"],
    [`/a%20b${"/".repeat(15_000)}c`, "/a%20b//c"],
  ])("leaves an empty segment of a run of slashes", (target, url) => {
    expect(readRequestLine(target)).toEqual({ ...base, url });
  });

  it("does so for calls, as they were sent too", () => {
    const target = `/api${"/".repeat(15_000)}account`;
    const api = { path: "/api//account", search: "" };
    expect(readRequestLine(target)).toEqual({ ...base, url: "/api//account", api });
    expect(readRequestLine(`${target}?a=1`)).toEqual({
      ...base,
      url: "/api//account",
      api: { ...api, search: "?a=1" },
    });
  });

  it("escapes bytes a client sent as they are", () => {
    const asNodeReadsIt = Buffer.from("/api/zones/müller.de").toString("latin1");
    expect(readRequestLine(asNodeReadsIt).url).toBe("/api/zones/m%C3%BCller.de");
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
