import { expect, it } from "vitest";
import { delegatingZone, isOwnedByOthers } from "../names.ts";

it.each([
  ["com", "acme.com", true],
  ["co.uk", "shop.acme.co.uk", true],
  ["acme.co.uk", "shop.acme.co.uk", false],
  ["acme.com", "shop.acme.com", false],
  ["github.io", "acme.github.io", true],
  ["acme.github.io", "shop.acme.github.io", false],
])("the zone %s above %s is lent: %s", (zone, name, lent) => {
  expect(isOwnedByOthers(zone, name)).toBe(lent);
});

it("names the delegating zone unless it is a registry's or a provider's", () => {
  expect(delegatingZone({ parent: "acme.com", zone: "shop.acme.com" })).toBe("acme.com");
  expect(delegatingZone({ parent: "com", zone: "acme.com" })).toBeUndefined();
  expect(delegatingZone({ parent: "uk.com", zone: "acme.uk.com" })).toBeUndefined();
});
