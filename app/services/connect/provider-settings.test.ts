import { describe, expect, it } from "vitest";
import { createOutbound } from "#app/outbound/outbound.server.ts";
import { readSettings, settingsUrl } from "./provider-settings.ts";

const { problem } = createOutbound({ allowed: [], denied: [] });
const lab = createOutbound({ allowed: ["127.0.0.0/8"], denied: [] }).problem;
const FROM = "https://connect.host.example/v2/acme.com/settings";

describe("the settings URL", () => {
  it.each([
    ["connect.host.example", FROM],
    ["connect.host.example/", FROM],
    ["api.host.example/client/v4", "https://api.host.example/client/v4/v2/acme.com/settings"],
    ["connect.host.example:8443", "https://connect.host.example:8443/v2/acme.com/settings"],
  ])("of %s is %s", (value, url) => {
    expect(settingsUrl([value], "acme.com", problem)).toBe(url);
  });

  it.each([
    "",
    "http://connect.host.example",
    "user@connect.host.example",
    "connect.host.example?x=",
    "connect.host.example#",
    "connect.host.example:25",
    "127.0.0.1",
    "0x7f.1",
    "[::1]",
    "169.254.169.254",
    "a b.example",
    `${"a".repeat(3_000)}.example`,
  ])("of %j is none", (value) => {
    expect(settingsUrl([value], "acme.com", problem)).toBeNull();
  });

  it("is none if several records disagree, and plain http only at an address the operator allows", () => {
    expect(settingsUrl(["a.example", "b.example"], "acme.com", problem)).toBeNull();
    expect(settingsUrl(["127.0.0.1:3001"], "acme.com", lab)).toBe(
      "http://127.0.0.1:3001/v2/acme.com/settings",
    );
    expect(settingsUrl(["8.8.8.8"], "acme.com", lab)).toBe("https://8.8.8.8/v2/acme.com/settings");
  });
});

describe("settings", () => {
  const read = (settings: unknown) =>
    readSettings(JSON.stringify(settings), FROM, "acme.com", problem);

  it("give the zone's page and the flow of the same owner", () => {
    expect(
      read({
        providerName: "<b>Bank</b>",
        urlAPI: "https://api.host.example/dc/",
        urlSyncUX: "https://panel.host.example",
        urlControlPanel: "https://panel.host.example/#/dns/%domain%",
      }),
    ).toEqual({
      controlPanel: "https://panel.host.example/#/dns/acme.com",
      flow: { api: "https://api.host.example/dc", pages: "https://panel.host.example" },
    });
  });

  it.each([
    "https://evil.example/",
    "https://host.example.evil.example/",
    "http://panel.host.example/",
    "javascript:alert(1)//host.example",
    "https://panel.host.example@evil.example/",
    "https://user:secret@panel.host.example/",
    "//evil.example",
    "https://127.0.0.1/",
    "data:text/html,x",
    "",
    7,
    { toString: 1 },
  ])("give nothing for %j", (url) => {
    expect(read({ urlAPI: url, urlSyncUX: url, urlControlPanel: url })).toEqual({
      controlPanel: null,
      flow: null,
    });
  });

  it("of owners below a public suffix are not each other's", () => {
    const from = "https://one.github.io/v2/acme.com/settings";
    const text = JSON.stringify({ urlControlPanel: "https://other.github.io/" });
    expect(readSettings(text, from, "acme.com", problem)?.controlPanel).toBeNull();
  });

  it.each(["", "nothing", "[", "null", "7", '"text"', "[]"])("are not %j", (text) => {
    expect(readSettings(text, FROM, "acme.com", problem)).toBeNull();
  });
});
