import { KNOT, LABEL, NSD, onKnot, type Scenario, TOKEN, txt } from "./scenario.ts";

/** Zones on knotd, or with a dead delegation at a registry (also knotd). */
export const ON_KNOT: Scenario[] = [
  {
    id: "spf-glued",
    story: "The token is the second string of the SPF record: both are one value, run together.",
    zones: [
      onKnot("spf-glued.com", [`${LABEL} TXT "v=spf1 include:mail.example -all" "${TOKEN}"`]),
    ],
    expected: {
      verdict: "value_formatted",
      awaits: "claimant",
      says: [/before|in front|prefix|own record|record of its own|separate|nothing else|only/i],
      shows: [TOKEN, "v=spf1"],
      never: [/quot/i, /cut short/i, /spaces/i],
    },
  },
  {
    id: "dname-apex",
    story: "The whole domain was moved by a DNAME at its apex; the token stands in the new domain.",
    zones: [
      onKnot("old-house.com", ["@ DNAME new-house.com."]),
      onKnot("new-house.com", [txt(TOKEN)]),
    ],
    expected: {
      verdict: "cname_conflict",
      awaits: "claimant",
      says: [/DNAME/],
      shows: ["new-house.com", "old-house.com"],
      // The user has no CNAME to delete.
      never: [/(delete|remove) (the|this|that) CNAME/i],
    },
  },
  {
    id: "week-memory",
    story: "SOA MINIMUM is a week, and the resolvers were asked just before the record was made.",
    zones: [onKnot("memory.com", [txt(TOKEN)], { minimum: 604_800 })],
    staged: "remembered",
    expected: {
      verdict: "negative_cache",
      awaits: "resolvers",
      // unbound caps caching at one hour, whatever the zone says.
      says: [/leave the record as it is/i],
      never: [/\b(7|seven) days\b/i, /\bweek\b/i, /add (a|the) (TXT )?record/i],
    },
  },
  {
    id: "unregistered",
    story: "The registration lapsed: the registry says the domain does not exist.",
    domain: "gone-by.com",
    zones: [],
    expected: {
      verdict: "lame_delegation",
      awaits: "registrar",
      observed: { nameservers: [] },
      says: [/regist/i, /renew|expired|lapsed|not registered|no longer|does not exist/i],
      shows: ["gone-by.com"],
    },
  },
  {
    id: "glueless",
    story:
      "The nameservers are in the domain itself and the registry was given no addresses for them.",
    zones: [
      onKnot("in-house.com", ["ns1 A 127.0.42.11", "ns2 A 127.0.42.12", txt(TOKEN)], {
        delegatedTo: ["ns1.in-house.com", "ns2.in-house.com"],
      }),
    ],
    expected: {
      verdict: "lame_delegation",
      observed: {
        nameservers: [
          { host: "ns1.in-house.com", result: "no_address" },
          { host: "ns2.in-house.com", result: "no_address" },
        ],
      },
      says: [/glue/i, /registrar/i, /address/i],
      shows: ["ns1.in-house.com", "ns2.in-house.com"],
    },
  },
  {
    id: "higher-serial",
    story:
      "The second server's copy has a date for a serial, the new primary began at 1: it will never be fetched.",
    zones: [
      {
        name: "higher-serial.com",
        delegatedTo: ["knot1.farm.example", "nsd1.farm.example"],
        copies: [
          { program: "knotd", records: [txt(TOKEN)], serial: 7 },
          { program: "nsd", records: [], serial: 2024_06_01_01 },
        ],
      },
    ],
    history: { partialSince: 0 },
    expected: {
      verdict: "not_published",
      awaits: "provider",
      observed: { nameservers: [NSD[0]], publishedOn: [KNOT[0]] },
      says: [/serial/i, /nsd1\.farm\.example/],
      shows: ["2024060101"],
    },
  },
];
