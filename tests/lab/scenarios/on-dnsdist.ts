import { DIST, onNsd, type Scenario, TOKEN, txt } from "./scenario.ts";

/** Zones behind dnsdist (served by NSD), or delegated to a resolver that is not a nameserver. */
export const ON_DNSDIST: Scenario[] = [
  {
    id: "tcp-lost",
    story: "A filter in front of the nameservers loses everything that comes over TCP.",
    zones: [onNsd("tcp-lost.com", [txt(TOKEN)], { delegatedTo: DIST, front: "no-tcp" })],
    expected: {
      verdict: "lame_delegation",
      awaits: "provider",
      says: [/TCP/, /53/],
      shows: ["dist1.farm.example", "dist2.farm.example"],
      never: [
        /record (is|was) (missing|not there|not found)/i,
        /(add|create) (a|the) (TXT )?record/i,
      ],
    },
  },
  {
    id: "always-cut",
    story:
      "Against floods, the filter cuts every answer over UDP, so that whoever asks comes back over TCP.",
    zones: [onNsd("always-cut.com", [txt(TOKEN)], { delegatedTo: DIST, front: "truncates" })],
    expected: { verdict: "found" },
  },
  {
    id: "slow",
    story: "The nameservers are far away and loaded: every answer takes a second and a half.",
    zones: [onNsd("slow.com", [txt(TOKEN)], { delegatedTo: DIST, front: "slow" })],
    // unbound takes seven seconds to learn how slow the servers are, so the first read is too early.
    staged: "again",
    expected: { verdict: "found" },
  },
  {
    id: "resolver-as-ns",
    story:
      "The company's resolver was entered as the nameserver: it answers, with somebody else's authority.",
    zones: [{ name: "office-dns.com", delegatedTo: ["office.farm.example"], copies: [] }],
    expected: {
      verdict: "lame_delegation",
      observed: { nameservers: [{ host: "office.farm.example", result: "refused" }] },
      says: [/office\.farm\.example/, /\bresolver\b|recursive/i],
    },
  },
];
