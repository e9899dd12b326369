import { DIST, type Scenario, TOKEN, txt } from "./scenario.ts";

/** Zones behind dnsdist (served by NSD), or delegated to a resolver that is not a nameserver. */
export const ON_DNSDIST: Scenario[] = [
  {
    id: "tcp-lost",
    story: "A filter in front of the nameservers loses everything that comes over TCP.",
    server: "dnsdist, NSD",
    domain: "tcp-lost.com",
    zones: [
      {
        name: "tcp-lost.com",
        delegatedTo: DIST,
        front: "no-tcp",
        copies: [{ program: "nsd", records: [txt(TOKEN)] }],
      },
    ],
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
    server: "dnsdist, NSD",
    domain: "always-cut.com",
    zones: [
      {
        name: "always-cut.com",
        delegatedTo: DIST,
        front: "truncates",
        copies: [{ program: "nsd", records: [txt(TOKEN)] }],
      },
    ],
    expected: { verdict: "found" },
  },
  {
    id: "slow",
    story: "The nameservers are far away and loaded: every answer takes a second and a half.",
    server: "dnsdist, NSD",
    domain: "slow.com",
    zones: [
      {
        name: "slow.com",
        delegatedTo: DIST,
        front: "slow",
        copies: [{ program: "nsd", records: [txt(TOKEN)] }],
      },
    ],
    // unbound takes seven seconds to learn how slow the servers are, so the first read is too early.
    staged: "again",
    expected: { verdict: "found" },
  },
  {
    id: "resolver-as-ns",
    story:
      "The company's resolver was entered as the nameserver: it answers, with somebody else's authority.",
    server: "unbound",
    domain: "office-dns.com",
    zones: [
      {
        name: "office-dns.com",
        delegatedTo: ["office.farm.example"],
        copies: [],
      },
    ],
    expected: {
      verdict: "lame_delegation",
      observed: { nameservers: [{ host: "office.farm.example", result: "refused" }] },
      says: [/office\.farm\.example/, /\bresolver\b|recursive/i],
    },
  },
];
