import { expect, it } from "vitest";
import {
  absence,
  HISTORY,
  NAME,
  observation,
  server,
  TOKEN,
  values,
} from "../testing/observations.ts";
import { diagnose } from "../testing/verdicts.ts";
import type { Awaits, FailedNameserver } from "./diagnosis.ts";
import { listingFault } from "./lame-delegation.ts";
import type { Failure, ServerReading } from "./observation.ts";

/** The servers of a zone, all of which fail alike. */
const alike = (result: Failure, change: Partial<ServerReading>, ...hosts: string[]) =>
  hosts.map((host) => ({ ...server(host, result), ...change }));
const two = ["ns1.dns.test", "ns2.dns.test"];
const UP = "acme.com";

type Case = [
  what: string,
  servers: ServerReading[],
  awaits: Awaits,
  zone?: string,
  parent?: string,
];
const CASES: Case[] = [
  ["answer over UDP only", alike("tcp_refused", { answer: values(TOKEN) }, ...two), "provider"],
  ["change the letter case of the question", alike("case_changed", {}, ...two), "provider"],
  ["cut their answer short over TCP too", alike("too_large", {}, ...two), "provider"],
  ["have only IPv6, as this machine has not", alike("ipv6_only", {}, ...two), "provider"],
  ["refuse the zone", alike("refused", {}, "ns1.dns.test"), "provider"],
  ["could not load the zone", alike("servfail", {}, ...two), "provider"],
  [
    "fail in different ways",
    [server("ns1.dns.test", "tcp_refused"), server("ns2.dns.test", "timeout")],
    "provider",
  ],
  ["are silent at the challenge name itself", alike("timeout", {}, "a.test"), "claimant", NAME, UP],
  ["answer over UDP only there", alike("tcp_refused", {}, "a.test"), "provider", NAME, UP],
  ["are listed as an alias", alike("is_alias", { alias: "real.test" }, ...two), "registrar"],
  ["are listed as an address", alike("no_address", {}, "192.0.2.1"), "registrar"],
  ["are listed without glue", alike("no_address", {}, "ns1.acme.com"), "registrar"],
  [
    "are listed without glue in a zone that is no registry's",
    alike("no_address", {}, "ns.shop.acme.com"),
    "claimant",
    "shop.acme.com",
    "acme.com",
  ],
  [
    "are listed with different faults",
    [server("ns1.acme.com", "no_address"), server("ns1.dns.test", "is_alias")],
    "registrar",
  ],
];

it.each(CASES)("nameservers that %s", (_, servers, awaits, zone = "acme.com", parent = "com") => {
  const nameservers = servers.map(({ host }) => host);
  const delegation = { type: "delegated", zone, parent, nameservers, ttl: 3600 } as const;
  expect(diagnose(absence([], { servers, delegation }), HISTORY)).toEqual({
    code: "lame_delegation",
    awaits,
    observed: {
      nameservers: servers.map(({ host, result, alias }) => ({
        host,
        result,
        ...(alias && { target: alias }),
      })),
      ...(parent !== "com" && { parent }),
    },
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
])("the entry %s of a nameserver with %s: %s", (host, result, fault) => {
  expect(listingFault({ host, result }, "acme.com")).toBe(fault);
});

it("does not blame nameservers for missing TCP answers in a read cut short by our limits", () => {
  const servers = alike("timeout", { address: null }, ...two);
  expect(diagnose(observation({ servers, limit: "tcp" }), HISTORY)).toBeNull();
});
