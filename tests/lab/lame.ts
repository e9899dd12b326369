import { both, type Case, diagnosis, longRecords, record, TOKEN, zone } from "./case.ts";
import { DOWN, type LabZone, METADATA, NS1, NS2, PRIVATE, ROOT, TLD } from "./zones.ts";

const lame = (
  title: string,
  name: string,
  results: Record<string, string>,
  rest: Partial<LabZone> & Pick<Case, "others"> = {},
): Case => {
  const { others, ...spec } = rest;
  const nameservers = Object.entries(results).map(([host, result]) => ({ host, result }));
  return {
    title,
    zone: zone(name, {}, { delegatedTo: Object.keys(results), ...spec }),
    ...(others ? { others } : {}),
    decision: diagnosis("lame_delegation", { nameservers }, "provider"),
  };
};

/** Delegations without an authoritative answer, and oversized answers. */
export const LAME: Case[] = [
  lame("nameservers that do not know the zone", "refused.com", {
    [NS1]: "refused",
    [NS2]: "refused",
  }),
  lame(
    "nameservers that could not load the zone",
    "unloaded.com",
    { [NS1]: "servfail", [NS2]: "servfail" },
    { on: both(), unloaded: true },
  ),
  lame("a nameserver that is down", "down.com", { [DOWN.host]: "timeout" }),
  lame("a nameserver that refers back to itself", "circular.com", { [TLD]: "not_authoritative" }),
  lame("a nameserver that refers upward", "upward.com", { [ROOT]: "not_authoritative" }),
  lame("nameservers at addresses that may not be asked", "blocked.com", {
    [METADATA.host]: "blocked_address",
    [PRIVATE.host]: "blocked_address",
  }),
  lame("nameservers without an address", "nowhere.com", {
    "ns1.nonexistent.com": "no_address",
    "ns2.nonexistent.com": "no_address",
  }),
  lame(
    "nameservers that need each other",
    "egg.com",
    { "ns.chicken.com": "no_address" },
    {
      others: [zone("chicken.com", {}, { delegatedTo: ["ns.egg.com"] })],
    },
  ),
];

export const EXCESSES: Case[] = [
  {
    title: "an answer of 60 KB",
    zone: zone("huge.com", both(record(TOKEN), ...longRecords(300))),
    decision: diagnosis(
      "lame_delegation",
      { nameservers: [NS1, NS2].map((host) => ({ host, result: "too_large", records: 301 })) },
      "claimant",
    ),
  },
  {
    title: "1,500 nameservers",
    zone: zone(
      "many.com",
      {},
      { delegatedTo: Array.from({ length: 1_500 }, (_, i) => `ns${i}.nonexistent.com`) },
    ),
    decision: { outcome: "unresolvable" },
  },
];
