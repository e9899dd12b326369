import { describe, expect, it } from "vitest";
import { isQueryable, octetsOf, readOctets } from "../names.ts";
import { LABEL, TOKEN } from "../testing/world.ts";
import { misspellings, probesFor, rareProbesFor } from "./near-misses.ts";

const place = (domain: string) => ({
  domain,
  label: LABEL,
  token: TOKEN,
  challengeName: `${LABEL}.${domain}`,
});

describe("the wrong names of a record", () => {
  it("are few, distinct, and never the right one", () => {
    const probes = probesFor(place("shop.acme.test"), "acme.test");
    const names = probes.map((probe) => probe.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain(`${LABEL}.shop.acme.test`);
    expect(names.every(isQueryable)).toBe(true);
    expect(names.length).toBeLessThanOrEqual(22);
    const appended = { kind: "domain_appended", name: `${LABEL}.shop.acme.test.acme.test` };
    const above = { kind: "parent", name: `${LABEL}.acme.test` };
    expect(probes).toEqual(expect.arrayContaining([appended, above]));
  });

  it("include the parent only below the zone's own name", () => {
    const kinds = probesFor(place("acme.test"), "acme.test").map((probe) => probe.kind);
    expect(kinds).not.toContain("parent");
    expect(kinds.filter((kind) => kind === "domain_appended")).toHaveLength(1);
  });

  it("go up to the zone apex, however deep the domain", () => {
    const domain = `${Array.from({ length: 40 }, (_, index) => `l${index}`).join(".")}.acme.test`;
    const probes = probesFor(place(domain), "acme.test");
    const named = (kind: string) =>
      probes.filter((probe) => probe.kind === kind).map(({ name }) => name);
    expect(named("zone_apex")).toEqual(["acme.test"]);
    expect(named("between")).toEqual(
      [1, 2].map((labels) => domain.split(".").slice(labels).join(".")),
    );
    expect(named("parent")).toHaveLength(3);
    expect(probes.length).toBeLessThanOrEqual(26);
  });

  it("leave out names that are too long to query", () => {
    const domain = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(37)}.test`;
    const probes = probesFor(place(domain), domain);
    expect(probes.map((probe) => probe.kind)).not.toContain("domain_appended");
    expect(probes.map((probe) => probe.kind)).toContain("apex");
  });
});

describe("the rare wrong names of a record", () => {
  it("are at most 32, none of them a usual one, and have labels that DNS can carry", () => {
    const names = rareProbesFor(place("shop.acme.test"), "acme.test").map(({ name }) => name);
    const usual = probesFor(place("shop.acme.test"), "acme.test").map(({ name }) => name);
    expect(names.length).toBeLessThanOrEqual(32);
    expect(new Set([...usual, ...names]).size).toBe(usual.length + names.length);
    for (const name of names)
      for (const label of octetsOf(name).split(".")) expect(label).toMatch(/^.{1,63}$/su);
    expect(names).toContain(`${LABEL}.shop\\032.acme.test`);
    expect(names).toContain(`${LABEL}.shop.acme.com.acme.test`);
    expect(names).toContain(`${LABEL}.shop\\.acme\\.test.acme.test`);
  });

  it("leave out one label of a host of several, but not the last before the name claimed", () => {
    const rare = rareProbesFor(place("a.b.c.d.acme.test"), "acme.test").map(({ name }) => name);
    const skipping = ["a.c.d", "a.b.d"].map((host) => `${LABEL}.${host}.acme.test`);
    expect(rare.filter((name) => /^_service-challenge(\.[a-d])+\.acme\.test$/.test(name))).toEqual(
      skipping,
    );
  });

  it("have the domain in its own letters, composed or not, and with the commonest other ending", () => {
    const appended = (domain: string) =>
      rareProbesFor(place(domain), domain).flatMap(({ kind, name }) =>
        kind === "domain_appended" ? name.slice(LABEL.length + 1, -domain.length - 1) : [],
      );
    expect(appended("xn--bro-hoa.com").slice(0, -1)).toEqual([
      "b\\195\\188ro.com",
      "bu\\204\\136ro.com",
      "xn--bro-hoa.net",
      "xn--bro-hoa.com.br",
    ]);
    expect(appended("acme.com.br").slice(0, -1)).toEqual(["acme.com"]);
    expect(appended("acme.net").slice(0, -1)).toEqual(["acme.com"]);
  });

  it("are there for a host of digits, and for one that is no IDNA name", () => {
    for (const domain of ["1.acme.test", "0x1.acme.test", "xn--a.acme.test", "a--b.acme.test"])
      expect(rareProbesFor(place(domain), "acme.test").length).toBeGreaterThan(15);
  });

  it("leave out what is too long, and are none for a zone below the host", () => {
    const domain = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(37)}.test`;
    for (const { name } of rareProbesFor(place(domain), domain))
      expect(octetsOf(name).length).toBeLessThanOrEqual(253);
    expect(rareProbesFor(place("acme.test"), `${LABEL}.acme.test`)).toEqual([]);
  });
});

it("a name with escapes is its octets, in which only an inner dot is no separator", () => {
  const name = "a\\.b\\032c\\\\.test";
  expect(octetsOf(name).split(".")).toEqual(["a\u012eb c\\", "test"]);
  expect(readOctets(name)).toBe("a.b c\\.test");
});

it("misspells a label, but never as itself, nor without its underscore", () => {
  expect(misspellings(LABEL).join(", ")).toBe(
    "_service_challenge, service_challenge, _servicechallenge, _service challenge, service challenge, " +
      "__service-challenge, -service-challenge, _service-chalenge, _service-challenges",
  );
  for (const label of ["_x", "proof", "_a-b"])
    for (const own of [label, label.replace(/^_/, "")])
      expect(misspellings(label)).not.toContain(own);
});
