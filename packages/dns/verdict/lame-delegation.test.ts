import { expect, it } from "vitest";
import { absence, HISTORY, NAME, observation, server, ZONE } from "../testing/observations.ts";
import { diagnose } from "../testing/verdicts.ts";
import type { Awaits, FailedNameserver } from "./diagnosis.ts";
import { listingFault } from "./lame-delegation.ts";
import type { Failure, ServerReading } from "./observation.ts";

/** Servers as "host failure, host failure"; after is_alias comes its target. */
const read = (list: string): ServerReading[] =>
  list.split(", ").map((one) => {
    const [host = "", result = "", alias] = one.split(" ");
    return { ...server(host, result as Failure), ...(alias && { alias }) };
  });
const NS2 = "ns2.dns.test";

// Nameservers that all fail, who must act, and the zone if it is not acme.com.
it.each<[string, servers: string, Awaits, zone?: string]>([
  ["answer over UDP only", `ns1.dns.test tcp_refused, ${NS2} tcp_refused`, "provider"],
  ["change the letter case of the question", `ns1.dns.test case_changed`, "provider"],
  ["have only IPv6, as this machine has not", "ns1.dns.test ipv6_only", "provider"],
  ["could not load the zone", `ns1.dns.test servfail, ${NS2} servfail`, "provider"],
  ["fail in different ways", `ns1.dns.test tcp_refused, ${NS2} timeout`, "provider"],
  ["are silent at the challenge name itself", "a.test timeout", "claimant", NAME],
  ["answer over UDP only there", "a.test tcp_refused", "provider", NAME],
  ["are listed as an alias", "ns1.dns.test is_alias real.test", "registrar"],
  ["are listed with different faults", `ns1.acme.com no_address, ${NS2} is_alias`, "registrar"],
])("nameservers that %s", (_, list, awaits, zone = ZONE) => {
  const servers = read(list);
  const parent = zone === ZONE ? "com" : ZONE;
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
      ...(zone !== ZONE && { parent }),
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
  const servers = [{ ...server(NS2, "timeout"), address: null }];
  expect(diagnose(observation({ servers, limit: "tcp" }), HISTORY)).toBeNull();
});
