import { expect, test } from "vitest";
import { originText } from "./origin-text.ts";

test.each([
  ["https://app.example.com", "https://app.example.com"],
  [" HTTPS://App.Example.com/ ", "https://app.example.com"],
  ["https://app.example.com:443", "https://app.example.com"],
  ["https://app.example.com:8443", "https://app.example.com:8443"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["https://intranet", "https://intranet"],
  ["https://a_b.example.com", "https://a_b.example.com"],
])("%s is %s", (typed, origin) => {
  expect(originText(typed, false)).toBe(origin);
});

test.each([
  ["", "app.example.com", "//app.example.com", "https://", "null", "*", "https:", "about:blank"],
  ["https://*.example.com", "https://*", "https://app.*.com", "https://app.example.com:*"],
  ["https://a.example;script-src", "https://a.example,https://b.example", "https://'self'"],
  ["https://a.example https://b.example", "https://a.example'none'", 'https://a".example'],
  ["https://app.example.com/path", "https://app.example.com/?", "https://app.example.com/#"],
  ["https://app.example.com?a", "https://app.example.com#", "https://app.example.com//"],
  ["https://user@app.example.com", "https://user:pass@app.example.com", "https://:@@a.example"],
  [
    "https://1.2.3.4",
    "https://0x7f.1",
    "https://[::1]",
    "https://[2001:db8::1]",
    "https://2130706433",
  ],
  ["https://app.example.com.", "https://-app.example.com", "https://app..example.com"],
  [`https://${"a".repeat(64)}.example`, `https://${"a.".repeat(130)}example`],
  ["javascript:alert(1)", "data:text/html,x", "file:///etc", "wss://app.example.com"],
  ["blob:https://app.example.com/x", "http://app.example.com", "http://localhost.example.com"],
  ["http://[::1]", "http://127.0.0.2", "http://localhost@evil.example"],
])("is none: %s, %s", (...typed) => {
  for (const text of typed) expect([text, originText(text, true)]).toEqual([text, null]);
});

test("plain http is for a lab, and for this machine alone", () => {
  for (const origin of ["http://localhost:4000", "http://127.0.0.1:4000", "http://localhost"]) {
    expect(originText(origin, true)).toBe(origin);
    expect(originText(origin, false)).toBeNull();
  }
  expect(originText("http://0x7f.1", true)).toBe("http://127.0.0.1");
});
