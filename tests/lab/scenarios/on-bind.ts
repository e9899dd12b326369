import { BIND, KNOT, LABEL, onBind, onKnot, type Scenario, TOKEN, txt } from "./scenario.ts";

/** Zones on BIND. */
export const ON_BIND: Scenario[] = [
  {
    id: "curly-quotes",
    story: "The token was copied out of a letter, with its typographic quotation marks.",
    zones: [onBind("letter.com", [txt(`\\226\\128\\156${TOKEN}\\226\\128\\157`)])],
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
    zones: [onBind("star-alias.com", ["* CNAME shops.farm.example.", "@ A 192.0.2.1"])],
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
    domain: "shop.mall.com",
    zones: [
      onBind("mall.com", [...KNOT.map((host) => `shop NS ${host}.`), txt(TOKEN, `${LABEL}.shop`)]),
      onKnot("shop.mall.com", ["@ A 192.0.2.2"], { delegatedTo: [], ownNameservers: KNOT }),
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
    zones: [onBind("template.com", [txt(TOKEN)], { ownNameservers: ["localhost"] })],
    expected: {
      verdict: ["not_published", "lame_delegation"],
      says: [/localhost/, /NS record|nameserver/i],
    },
  },
  {
    id: "dead-cut",
    story: "The challenge name itself was once delegated to a tool whose server is gone.",
    zones: [onBind("dead-cut.com", [`${LABEL} NS gone.farm.example.`])],
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
    zones: [onBind("two-faces.com", [txt(TOKEN)], { forResolvers: ["@ A 192.0.2.3"], minimum: 1 })],
    staged: "again",
    expected: {
      // Twice as long as resolvers may remember the old answer, and still they get another.
      verdict: "not_published",
      awaits: "provider",
      observed: { nameservers: [], publishedOn: BIND },
      says: [/resolver/i, /different|another answer|other answer|view|split|inside|internal/i],
    },
  },
  {
    id: "ran-out",
    story: "The job that signs the zone died last month: every signature has expired.",
    zones: [onBind("ran-out.example", [txt(TOKEN)], { dnssec: "expired" })],
    expected: {
      verdict: "servfail",
      says: [/expired|ran out|out of date/i, /sign/i],
      never: [/DS .*(fits|matches) no/i],
    },
  },
  {
    id: "orphaned",
    story: "The nameserver is a secondary whose primary was switched off: it has no copy any more.",
    zones: [onBind("orphaned.com", [], { orphaned: true })],
    expected: {
      verdict: "lame_delegation",
      awaits: "provider",
      observed: { nameservers: BIND.map((host) => ({ host, result: "servfail" })) },
      says: [/load|transfer|expired|primary|no copy|its copy/i, /bind1\.farm\.example/],
      never: [/(does|do|did) not answer/i],
    },
  },
];
