import { describe, expect, it } from "vitest";
import { parseEnvironment } from "#app/ops/environment/env.server.ts";
import { checkOrigin } from "./connection.server.ts";

const given = parseEnvironment({ BASE_URL: "https://deed.example.org" });
const unset = parseEnvironment({ PORT: "3000" });

const refuses = (env: typeof given, headers: Record<string, string>, method = "POST") => {
  try {
    checkOrigin(new Request("http://localhost/x", { method, headers }), env);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "cross_origin", status: 403 });
    return true;
  }
};

describe("checkOrigin", () => {
  it.each([
    ["neither header: a script", {}, false],
    ["its own origin", { Origin: "https://deed.example.org" }, false],
    [
      "its own page",
      { Origin: "https://deed.example.org", "Sec-Fetch-Site": "same-origin" },
      false,
    ],
    ["an address typed in", { "Sec-Fetch-Site": "none" }, false],
    ["another origin", { Origin: "https://evil.example" }, true],
    ["another scheme", { Origin: "http://deed.example.org" }, true],
    ["another port", { Origin: "https://deed.example.org:8443" }, true],
    ["an origin that only begins alike", { Origin: "https://deed.example.org.evil.example" }, true],
    ["no origin to name", { Origin: "null" }, true],
    [
      "an origin hidden on its own page",
      { Origin: "null", "Sec-Fetch-Site": "same-origin" },
      false,
    ],
    ["an origin hidden on no page", { Origin: "null", "Sec-Fetch-Site": "none" }, true],
    ["an origin that is none", { Origin: "::" }, true],
    ["a cross-site fetch", { "Sec-Fetch-Site": "cross-site" }, true],
    ["a sibling site", { "Sec-Fetch-Site": "same-site" }, true],
    ["a loopback origin", { Origin: "http://localhost:3000", Host: "localhost:3000" }, true],
  ])("with BASE_URL set, judges %s", (_, headers, refused) => {
    expect(refuses(given, headers)).toBe(refused);
  });

  it.each([
    ["localhost by its name", "http://localhost:3000", "localhost:3000", false],
    ["the IPv4 loopback", "http://127.0.0.1:3000", "127.0.0.1:3000", false],
    ["the IPv6 loopback", "http://[::1]:3000", "[::1]:3000", false],
    ["another loopback port", "http://127.0.0.1:4000", "127.0.0.1:3000", true],
    ["a rebound name", "http://evil.example:3000", "evil.example:3000", true],
    [
      "a name that only begins like one",
      "http://127.0.0.1.evil.example",
      "127.0.0.1.evil.example",
      true,
    ],
  ])("with BASE_URL unset, judges %s", (_, Origin, Host, refused) => {
    expect(refuses(unset, { Origin, Host })).toBe(refused);
  });

  it.each(["GET", "HEAD", "OPTIONS"])("lets %s through from anywhere", (method) => {
    expect(refuses(given, { Origin: "https://evil.example" }, method)).toBe(false);
  });
});
