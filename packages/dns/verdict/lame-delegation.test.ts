import { expect, it } from "vitest";
import { absence, HISTORY, NAME, server, ZONE } from "../testing/observations.ts";
import { diagnose } from "../testing/verdicts.ts";
import type { FailedNameserver } from "./diagnosis.ts";
import { listingFault } from "./lame-delegation.ts";

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

it.each([
  ["timeout", "claimant"],
  ["tcp_refused", "provider"],
] as const)("%s of a server of the challenge name itself is for the %s", (result, awaits) => {
  const servers = [server("a.test", result)];
  const cut = { zone: NAME, parent: ZONE, nameservers: ["a.test"], ttl: 3600 };
  const read = absence([], { servers, delegation: { type: "delegated", ...cut } });
  const observed = { nameservers: [{ host: "a.test", result }], parent: ZONE };
  expect(diagnose(read, HISTORY)).toEqual({ code: "lame_delegation", awaits, observed });
});
