import { describe, expect, it } from "vitest";
import { sentencesFor } from "../copy/diagnoses.ts";
import { EXAMPLE_LOCATION } from "../copy/diagnosis-text.ts";
import { absence, HISTORY, observation, server, TOKEN, values } from "../testing/observations.ts";
import { diagnose } from "./diagnose.ts";
import type { FailedNameserver } from "./diagnosis.ts";
import { listingFault } from "./lame-delegation.ts";
import type { Delegation, ServerReading } from "./observation.ts";

const PLACE = { ...EXAMPLE_LOCATION, domain: "shop.acme.com", provider: "godaddy" as const };
const delegated = (zone: string, parent: string, nameservers: string[]): Delegation => ({
  type: "delegated",
  zone,
  parent,
  nameservers,
  ttl: 3600,
});

/** The sentences for `zone`, delegated from `parent`, with these server readings. */
function sentencesOf(servers: ServerReading[], zone = "acme.com", parent = "com") {
  const hosts = servers.map(({ host }) => host);
  const diagnosis = diagnose(
    absence([], { servers, delegation: delegated(zone, parent, hosts) }),
    HISTORY,
  );
  if (diagnosis?.code !== "lame_delegation") throw new Error("another diagnosis");
  const { awaits, observed } = diagnosis;
  return { awaits, observed, ...sentencesFor(diagnosis, { ...PLACE, zone }) };
}

const alike = (
  result: Exclude<ServerReading["result"], "answered">,
  more = {},
  ...hosts: string[]
) => hosts.map((host) => ({ ...server(host, result), ...more }));
const two = ["ns1.dns.test", "ns2.dns.test"];

describe("nameservers without a confirmable answer", () => {
  it("without TCP", () => {
    expect(sentencesOf(alike("tcp_refused", { answer: values(TOKEN) }, ...two))).toEqual({
      awaits: "provider",
      observed: {
        nameservers: two.map((host) => ({ host, result: "tcp_refused" })),
      },
      cause:
        "ns1.dns.test and ns2.dns.test answer over UDP but not over TCP, so what they say about acme.com cannot be confirmed.",
      fix: "Ask GoDaddy to open TCP port 53 on ns1.dns.test and ns2.dns.test, which every nameserver needs (RFC 7766).",
    });
  });

  it("that change the letter case of the question and lack TCP", () => {
    expect(sentencesOf(alike("case_changed", {}, "ns1.dns.test"))).toMatchObject({
      awaits: "provider",
      cause:
        "ns1.dns.test changes the capital letters in the question, as a forged answer might, and does not answer over TCP to confirm it.",
      fix: "Ask GoDaddy to open TCP port 53 on ns1.dns.test, which every nameserver needs (RFC 7766).",
    });
  });

  it("with an answer that is too large", () => {
    const size = { bytes: 60_131, records: 301 };
    expect(sentencesOf(alike("too_large", { size }, ...two))).toEqual({
      awaits: "claimant",
      observed: {
        nameservers: two.map((host) => ({ host, result: "too_large", ...size })),
      },
      cause:
        "There are too many TXT records at _service-challenge.shop.acme.com: the answer has 60,131 bytes in 301 records, and Deed reads at most 16,384 bytes.",
      fix: "In GoDaddy, delete the TXT records at _service-challenge.shop.acme.com that are no longer needed.",
    });
    expect(sentencesOf(alike("too_large", {}, ...two)).cause).toContain("more than 65,535 bytes,");
  });

  it("that are IPv6 only, while this machine has no IPv6", () => {
    expect(sentencesOf(alike("ipv6_only", {}, ...two))).toMatchObject({
      awaits: "provider",
      cause:
        "ns1.dns.test and ns2.dns.test were not asked: they have only IPv6 addresses, and the server that runs Deed has no IPv6. This is our limit: nothing is wrong with acme.com.",
      fix: "Ask the operator of this service to add IPv6, or ask GoDaddy to give ns1.dns.test and ns2.dns.test an IPv4 address.",
    });
  });

  it("that fail in different ways", () => {
    const servers = [server("ns1.dns.test", "tcp_refused"), server("ns2.dns.test", "timeout")];
    expect(sentencesOf(servers)).toMatchObject({
      awaits: "provider",
      cause:
        "None of the nameservers that the registry lists for acme.com gives a usable answer: ns1.dns.test does not answer over TCP and ns2.dns.test does not answer.",
    });
  });
});

describe("nameservers that do not serve the zone", () => {
  it("because they refuse it", () => {
    expect(sentencesOf(alike("refused", {}, "ns1.dns.test"))).toMatchObject({
      awaits: "provider",
      cause:
        "ns1.dns.test refuses to answer for acme.com. Either the zone is not set up there, or this is a resolver, not a nameserver.",
      fix: "Ask GoDaddy to serve the zone acme.com on ns1.dns.test, or which nameservers to use instead.",
    });
  });

  it("because they could not load it", () => {
    expect(sentencesOf(alike("servfail", {}, ...two))).toMatchObject({
      awaits: "provider",
      cause:
        "ns1.dns.test and ns2.dns.test report a failure (SERVFAIL) for acme.com. Most often the zone could not be loaded there, or the copy there has expired.",
      fix: "Ask GoDaddy to load the zone acme.com on ns1.dns.test and ns2.dns.test again.",
    });
  });

  it("at the challenge name itself", () => {
    const zone = "_service-challenge.shop.acme.com";
    expect(sentencesOf(alike("timeout", {}, "gone.dns.test"), zone, "acme.com")).toEqual({
      awaits: "claimant",
      observed: {
        nameservers: [{ host: "gone.dns.test", result: "timeout" }],
        parent: "acme.com",
      },
      cause: `NS records in the zone acme.com delegate ${zone} to a nameserver that does not answer for it: gone.dns.test does not answer.`,
      fix: `Delete the NS records at ${zone} in the DNS panel of the zone acme.com, or make gone.dns.test answer for it.`,
    });
    expect(sentencesOf(alike("tcp_refused", {}, "ns1.dns.test"), zone, "acme.com")).toMatchObject({
      awaits: "provider",
      fix: expect.stringContaining("TCP port 53"),
    });
  });
});

describe("nameservers with a wrong entry in the parent zone", () => {
  it("as an alias", () => {
    const servers = alike("is_alias", { alias: "real.dns.test" }, "ns1.dns.test");
    expect(sentencesOf(servers)).toEqual({
      awaits: "registrar",
      observed: {
        nameservers: [{ host: "ns1.dns.test", result: "is_alias", target: "real.dns.test" }],
      },
      cause:
        "ns1.dns.test is an alias of real.dns.test. A nameserver of acme.com cannot be an alias (RFC 2181).",
      fix: "Replace ns1.dns.test with the host's real name at the registrar of acme.com.",
    });
  });

  it("as an address", () => {
    expect(sentencesOf(alike("no_address", {}, "192.0.2.1"))).toMatchObject({
      awaits: "registrar",
      cause:
        "192.0.2.1 is listed as a nameserver of acme.com. A nameserver must be a host name, not an IP address.",
      fix: "Replace 192.0.2.1 with the name of the nameserver at the registrar of acme.com.",
    });
  });

  it("without glue", () => {
    expect(sentencesOf(alike("no_address", {}, "ns1.acme.com", "ns2.acme.com"))).toMatchObject({
      awaits: "registrar",
      cause:
        "ns1.acme.com and ns2.acme.com are names inside acme.com itself, and the registry gives no addresses for them (glue), so they cannot be found.",
      fix: "Add the addresses (glue) of ns1.acme.com and ns2.acme.com at the registrar of acme.com.",
    });
  });

  it("in a parent zone that is not a registry", () => {
    const servers = alike("no_address", {}, "ns.shop.acme.com");
    expect(sentencesOf(servers, "shop.acme.com", "acme.com")).toMatchObject({
      awaits: "claimant",
      cause:
        "ns.shop.acme.com is a name inside shop.acme.com itself, and the zone acme.com gives no address for it (glue), so it cannot be found.",
      fix: "Add the address (glue) of ns.shop.acme.com in the DNS panel of the zone acme.com.",
    });
  });

  it("with different faults", () => {
    const servers = [server("ns1.acme.com", "no_address"), server("ns1.dns.test", "is_alias")];
    expect(sentencesOf(servers)).toMatchObject({
      awaits: "registrar",
      fix: "Correct the nameservers of acme.com (ns1.acme.com and ns1.dns.test) at the registrar of acme.com.",
    });
  });

  it.each<[string, FailedNameserver["result"], string | null]>([
    ["192.0.2.1", "no_address", "address"],
    ["192.0.2.1.acme.com", "no_address", "address"],
    ["2001:db8::1", "no_address", "address"],
    ["192.0.2.acme.com", "no_address", "glue"],
    ["acme.com", "no_address", "glue"],
    ["ns.notacme.com", "no_address", null],
    ["ns1.acme.com", "timeout", null],
    ["192.0.2.1", "is_alias", "alias"],
  ])("%s with %s: %s", (host, result, fault) => {
    expect(listingFault({ host, result }, "acme.com")).toBe(fault);
  });
});

it("does not blame nameservers for missing TCP answers in a read cut short by our limits", () => {
  const servers = [
    { ...server("ns1.dns.test", "timeout"), address: null },
    { ...server("ns2.dns.test", "timeout"), address: null },
  ];
  expect(diagnose(observation({ servers, limit: "tcp" }), HISTORY)).toBeNull();
});
