import { describe, expect, it } from "vitest";
import { parseAddress } from "./address.ts";

describe("C12.19: a mail address", () => {
  it.each([
    ["ada@example.org", "ada@example.org"],
    ["  Ada.Lovelace+deed@Example.ORG ", "ada.lovelace+deed@example.org"],
    ["o'neill@example.org", "o'neill@example.org"],
    ["ada@bücher.example", "ada@xn--bcher-kva.example"],
    ["ada@BÜCHER.example", "ada@xn--bcher-kva.example"],
    ["ada@bu\u0308cher.example", "ada@xn--bcher-kva.example"],
    ["ada@straße.example", "ada@xn--strae-oqa.example"],
    [`${"a".repeat(64)}@example.org`, `${"a".repeat(64)}@example.org`],
  ])("%j is %j", (text, address) => {
    expect(parseAddress(text)).toBe(address);
    expect(parseAddress(address)).toBe(address);
  });

  it.each([
    ["", "ada", "@example.org", "ada@", "ada@@example.org", "ada@example.org@evil.example"],
    ["ada@example", "ada@.org", "ada@example..org", "ada@-example.org", "ada@example.org."],
    ["ada@127.0.0.1", "ada@0x7f.1", "ada@[127.0.0.1]", "ada@[IPv6:::1]", "ada@example.org:25"],
    ["ada@exa%6dple.org", "ada@exam ple.org", "a da@example.org", ".ada@example.org"],
    ["ada.@example.org", "a..da@example.org", '"ada"@example.org', "Ada <ada@example.org>"],
    ["ada@example.org,eve@example.org", "ada@example.org\r\nBcc: eve@example.org"],
    ["ada\n@example.org", "ada\0@example.org", "ada@example.org\u202e", "аda@example.org"],
    ["\u212aim@example.org", "kim@\u212aim.example", "kim@\u017fhop.example"],
    ["kim@\u0131nbox.example", "kim@\u0130nbox.example", "kim@ｅxample.org", "kim@oﬃce.example"],
    ["ada@xn--a.example", `${"a".repeat(65)}@example.org`],
    [
      `a@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(60)}.org`,
    ],
    ["a".repeat(100_000)],
  ])("%j, … is none", (...texts) => {
    expect(texts.filter((text) => parseAddress(text) !== null)).toEqual([]);
  });
});
