import { describe, expect, it } from "vitest";
import { lookalikeOf } from "./lookalike.ts";

describe("a name that may be taken for another", () => {
  it.each([
    ["аррӏе.com", "apple.com"],
    ["www.раураӏ.com", "www.paypal.com"],
    ["ѕсоре.example", "scope.example"],
    ["ѕһор.acme.com", "shop.acme.com"],
    ["ɡoogle.com", "google.com"],
    ["bıng.com", "bing.com"],
    ["οο.example", "oo.example"],
  ])("%s reads as %s", (name, ascii) => {
    expect(lookalikeOf(name)).toEqual({ type: "reads_as", ascii });
  });

  it.each([
    ["gооgӏе.example", ["Latin", "Cyrillic"]],
    ["ехаmрӏе.com", ["Latin", "Cyrillic"]],
    ["pаypal.com", ["Latin", "Cyrillic"]],
    ["аpple.xn--p1ai", ["Latin", "Cyrillic"]],
    ["αcme.com", ["Latin", "Greek"]],
    ["acmeא.com", ["Latin", "Hebrew"]],
    ["中и.com", ["Cyrillic", "Han"]],
  ])("%s mixes scripts", (name, scripts) => {
    expect(lookalikeOf(name)).toEqual({ type: "mixed_scripts", scripts });
  });

  it.each([
    ["acme.com", "xn--80ak6aa92e.com", "bücher.example", "straße.de", "łódź.pl", "пример.рф"],
    ["сор.рф", "москва.com", "ελλάδα.gr", "日本語ドメイン.jp"],
    ["東京tower.jp", "한국漢字.kr", "例え.テスト"],
    ["שלום.il", "مثال.إختبار", "उदाहरण.भारत", "ไทย.th", "a-1.example"],
  ])("%s, … is not", (...names) => {
    expect(names.filter((name) => lookalikeOf(name) !== null)).toEqual([]);
  });
});
