import { expect, it } from "vitest";
import { parseCompleteList, parseRegistries, serverFor } from "./bootstrap.ts";

const file = (services: unknown) => JSON.stringify({ version: "1.0", services });

it("finds the server by the longest suffix", () => {
  const list = parseRegistries(
    file([
      [["example", "COM"], ["https://one.example/rdap"]],
      [["shop.example"], ["http://plain.example/", "https://two.example/"]],
    ]),
  );
  if (!list) throw new Error("no list");
  expect(serverFor(list, "acme.example")).toBe("https://one.example/rdap/");
  expect(serverFor(list, "acme.shop.example")).toBe("https://two.example/");
  expect(serverFor(list, "notshop.example")).toBe("https://one.example/rdap/");
  expect(serverFor(list, "acme.com")).toBe("https://one.example/rdap/");
  expect(serverFor(list, "acme.org")).toBeNull();
});

it("takes only a whole list for IANA's", () => {
  const suffixes = Array.from({ length: 600 }, (_, n) => `t${n}`);
  const url = ["https://one.example/"];
  expect(parseCompleteList(file([[[...suffixes, "com"], url]]))?.size).toBe(601);
  for (const text of [
    "",
    "<html>",
    "{}",
    file("x"),
    file([[["com"]]]),
    file([[["com"], url]]),
    file([[suffixes, url]]),
  ])
    expect(parseCompleteList(text)).toBeNull();
});
