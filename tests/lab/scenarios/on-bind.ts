import { BIND, KNOT, LABEL, type Scenario, TOKEN, txt } from "./scenario.ts";

/** Zones on BIND. */
export const ON_BIND: Scenario[] = [
  {
    id: "curly-quotes",
    story: "The token was copied out of a letter, with its typographic quotation marks.",
    server: "BIND",
    domain: "letter.com",
    zones: [
      {
        name: "letter.com",
        delegatedTo: BIND,
        copies: [{ program: "named", records: [txt(`\\226\\128\\156${TOKEN}\\226\\128\\157`)] }],
      },
    ],
    expected: {
      verdict: "value_formatted",
      awaits: "claimant",
      observed: { damage: ["quoted"] },
      says: [/quot/i],
      shows: [TOKEN],
    },
  },
  {
    id: "star-alias",
    story:
      "A wildcard CNAME sends every name of the domain to a shop builder; there is no record yet.",
    server: "BIND",
    domain: "star-alias.com",
    zones: [
      {
        name: "star-alias.com",
        delegatedTo: BIND,
        copies: [{ program: "named", records: ["* CNAME shops.farm.example.", "@ A 192.0.2.1"] }],
      },
    ],
    expected: {
      verdict: "cname_conflict",
      awaits: "claimant",
      observed: { target: "shops.farm.example" },
      says: [/wildcard|\*/i, /TXT/],
      // The wildcard yields to an explicit record at the name, so it may stay.
      never: [/(delete|remove) (the|this|that|its) (CNAME|alias|wildcard)/i],
    },
  },
  {
    id: "occluded",
    story:
      "The subdomain is a zone of its own elsewhere; the token was put into the parent's panel.",
    server: "BIND and knotd",
    domain: "shop.mall.com",
    zones: [
      {
        name: "mall.com",
        delegatedTo: BIND,
        copies: [
          {
            program: "named",
            records: [...KNOT.map((host) => `shop NS ${host}.`), txt(TOKEN, `${LABEL}.shop`)],
          },
        ],
      },
      {
        name: "shop.mall.com",
        delegatedTo: [],
        ownNameservers: KNOT,
        copies: [{ program: "knotd", records: ["@ A 192.0.2.2"] }],
      },
    ],
    expected: {
      verdict: "record_absent",
      awaits: "claimant",
      observed: { answer: { type: "nxdomain" } },
      // The wording must name the zone and its servers; otherwise users check the record they made and find nothing
      // wrong.
      says: [/shop\.mall\.com/, /knot1\.farm\.example/],
    },
  },
  {
    id: "ns-localhost",
    story:
      "The zone file kept the template's `NS localhost.`: resolvers that trust it look for the zone at home.",
    server: "BIND",
    domain: "template.com",
    zones: [
      {
        name: "template.com",
        delegatedTo: BIND,
        ownNameservers: ["localhost"],
        copies: [{ program: "named", records: [txt(TOKEN)] }],
      },
    ],
    expected: {
      verdict: ["not_published", "lame_delegation"],
      says: [/localhost/, /NS record|nameserver/i],
    },
  },
  {
    id: "dead-cut",
    story: "The challenge name itself was once delegated to a tool whose server is gone.",
    server: "BIND",
    domain: "dead-cut.com",
    zones: [
      {
        name: "dead-cut.com",
        delegatedTo: BIND,
        copies: [{ program: "named", records: [`${LABEL} NS gone.farm.example.`] }],
      },
    ],
    expected: {
      verdict: "lame_delegation",
      observed: { nameservers: [{ host: "gone.farm.example", result: "timeout" }] },
      says: [/_service-challenge/, /NS record|delegat/i, /gone\.farm\.example/, /remove|delete/i],
      // The domain's own nameservers and registration are fine.
      never: [/at (your|the) registrar/i],
    },
  },
  {
    id: "two-faces",
    story:
      "Split horizon: an inside view without the record answers the resolvers, the outside one has it.",
    server: "BIND",
    domain: "two-faces.com",
    zones: [
      {
        name: "two-faces.com",
        delegatedTo: BIND,
        minimum: 1,
        copies: [{ program: "named", records: [txt(TOKEN)], forResolvers: ["@ A 192.0.2.3"] }],
      },
    ],
    staged: "again",
    expected: {
      verdict: ["negative_cache", "not_published"],
      says: [/resolver/i, /different|another answer|other answer|view|split|inside|internal/i],
    },
  },
  {
    id: "ran-out",
    story: "The job that signs the zone died last month: every signature has expired.",
    server: "BIND",
    domain: "ran-out.example",
    zones: [
      {
        name: "ran-out.example",
        delegatedTo: BIND,
        dnssec: "expired",
        copies: [{ program: "named", records: [txt(TOKEN)] }],
      },
    ],
    expected: {
      verdict: "servfail",
      says: [/expired|ran out|out of date/i, /sign/i],
      never: [/DS .*(fits|matches) no/i],
    },
  },
  {
    id: "orphaned",
    story: "The nameserver is a secondary whose primary was switched off: it has no copy any more.",
    server: "BIND",
    domain: "orphaned.com",
    zones: [
      {
        name: "orphaned.com",
        delegatedTo: BIND,
        copies: [{ program: "named", records: [], orphaned: true }],
      },
    ],
    expected: {
      verdict: "lame_delegation",
      awaits: "provider",
      observed: { nameservers: BIND.map((host) => ({ host, result: "servfail" })) },
      says: [/load|transfer|expired|primary|no copy|its copy/i, /bind1\.farm\.example/],
      never: [/(does|do|did) not answer/i],
    },
  },
];
