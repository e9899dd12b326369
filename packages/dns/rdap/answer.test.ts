import { describe, expect, it } from "vitest";
import { readRegistration, readStatus } from "./answer.ts";

const read = (object: object, name = "acme.com") =>
  readRegistration(JSON.stringify({ objectClassName: "domain", ldhName: name, ...object }), name);

const NOTHING = {
  ...{ statuses: [], registeredAt: null, expiresAt: null },
  ...{ nameservers: null, delegationSigned: null },
};

it("reads the domain object of RFC 9083 section 5.3", () => {
  const object = {
    ldhName: "xn--fo-5ja.example",
    unicodeName: "fóo.example",
    status: ["locked", "transfer prohibited"],
    nameservers: [
      { objectClassName: "nameserver", ldhName: "ns1.example.com", status: ["active"] },
      { objectClassName: "nameserver", ldhName: "ns2.example.com" },
    ],
    secureDNS: { zoneSigned: true, delegationSigned: true, maxSigLife: 604_800, keyData: [] },
    events: [
      { eventAction: "registration", eventDate: "1990-12-31T23:59:59Z" },
      { eventAction: "expiration", eventDate: "2011-12-31T23:59:59Z" },
    ],
  };
  expect(read(object, "xn--fo-5ja.example")).toEqual({
    statuses: [],
    registeredAt: Date.UTC(1990, 11, 31, 23, 59, 59),
    expiresAt: Date.UTC(2011, 11, 31, 23, 59, 59),
    nameservers: ["ns1.example.com", "ns2.example.com"],
    delegationSigned: true,
  });
});

describe("the forms of registries", () => {
  it("read each status in any spelling, and no unknown one", () => {
    for (const text of ["clientHold", "Client Hold", "client_hold", "CLIENT HOLD"])
      expect(readStatus(text)).toBe("client hold");
    const others = ["redemptionPeriod", "ok", "linked", "<script>", "locked", ""];
    const read = ["redemption period", "active", "associated", null, null, null];
    expect(others.map(readStatus)).toEqual(read);
  });

  it("may write the name in capitals and with a dot, and a host once more", () => {
    const hosts = ["NS2.Example.NET.", "ns1.example.net", "ns2.example.net"];
    expect(
      read({ ldhName: "ACME.com.", nameservers: hosts.map((ldhName) => ({ ldhName })) }),
    ).toMatchObject({ nameservers: ["ns1.example.net", "ns2.example.net"] });
  });

  it.each([
    ["2026-11-03T00:00:00Z", Date.UTC(2026, 10, 3)],
    ["2026-11-03T01:00:00.123+01:00", Date.UTC(2026, 10, 3) + 123],
    ["2026-11-03", Date.UTC(2026, 10, 3)],
    ["3 November", null],
    ["+012026-11-03T00:00:00Z", null],
    ["9999-01-01T00:00:00Z", null],
    ["0001-01-01T00:00:00Z", null],
    ["2026-13-45T00:00:00Z", null],
  ])("expiry %j is %j", (eventDate, expiresAt) => {
    const events = [{ eventAction: "last changed" }, { eventAction: "Expiration", eventDate }];
    expect(read({ events })).toEqual({ ...NOTHING, expiresAt });
  });
});

describe("a forged answer", () => {
  it.each([
    ["not JSON", "<html>"],
    ["an array", "[]"],
    ["60,000 levels deep", "[".repeat(60_000)],
    ["cut off", '{"objectClassName":"domain","ldhName":"acme.com","status":["clientHo'],
    ["another name", '{"objectClassName":"domain","ldhName":"globex.com"}'],
    ["no name", '{"objectClassName":"domain"}'],
    ["another object", '{"objectClassName":"nameserver","ldhName":"acme.com"}'],
  ])("is none: %s", (_, text) => {
    expect(readRegistration(text, "acme.com")).toBeNull();
  });

  it("loses what is malformed, and no more", () => {
    expect(
      read({
        status: "client hold",
        events: { eventAction: "expiration" },
        nameservers: [{ ldhName: "<b>ns1</b>.example.net" }],
        secureDNS: { delegationSigned: "yes" },
      }),
    ).toEqual(NOTHING);
    expect(read({ status: ["server hold", "\u202eevil"], nameservers: [{ ldhName: 5 }] })).toEqual({
      ...NOTHING,
      statuses: ["server hold"],
    });
  });

  it("is bounded", () => {
    const nameservers = Array.from({ length: 999 }, (_, n) => ({ ldhName: `ns${n}.example.net` }));
    const status = [...Array.from({ length: 999 }, () => "active"), "client hold"];
    const known = read({ nameservers, status });
    expect(known?.nameservers).toHaveLength(13);
    expect(known?.statuses).toEqual(["active"]);
  });
});
