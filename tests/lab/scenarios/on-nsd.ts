import { LABEL, onKnot, onNsd, type Scenario, TOKEN, txt } from "./scenario.ts";

const SHOP = `${LABEL}.shop.big-store.com.big-store.com`;

/** Zones on NSD. */
export const ON_NSD: Scenario[] = [
  {
    id: "pasted-line",
    story: "The whole line of a zone file was pasted into the value field.",
    zones: [onNsd("pasted-line.com", [txt(`${LABEL}.pasted-line.com. 300 IN TXT \\"${TOKEN}\\"`)])],
    expected: {
      verdict: "value_formatted",
      awaits: "claimant",
      says: [/only this Value/],
      shows: [TOKEN, "prefix", "quoted"],
      never: [/spaces/i],
    },
  },
  {
    id: "markdown",
    story: "The token came through a chat that put a backslash before every underscore.",
    zones: [onNsd("markdown.com", [txt(TOKEN.replaceAll("_", "\\\\_"))])],
    expected: {
      verdict: "value_formatted",
      awaits: "claimant",
      says: [/backslash|\\/i],
      shows: [TOKEN],
      never: [/cut short/i],
    },
  },
  {
    id: "sub-appended",
    story:
      "For a subdomain the full name was typed into the zone's panel, which put the zone behind it.",
    domain: "shop.big-store.com",
    zones: [onNsd("big-store.com", [txt(TOKEN, `${SHOP}.`), "shop A 192.0.2.80"])],
    expected: {
      verdict: "domain_appended",
      awaits: "claimant",
      observed: { name: SHOP },
      // In the panel of big-store.com, the host field needs more than the bare label.
      says: [/_service-challenge\.shop(?!\.big)/],
      shows: [SHOP],
    },
  },
  {
    id: "crowd",
    story: "Thirty long verification records share the name with the token: the answer is 5 KB.",
    zones: [
      onNsd("crowd.com", [
        ...Array.from({ length: 30 }, (_, at) => txt(`verify-${at}=${"z".repeat(150)}`)),
        txt(TOKEN),
      ]),
    ],
    expected: { verdict: "found" },
  },
  {
    id: "hand-edited",
    story: "The token was typed into the signed zone file, which was not signed again.",
    zones: [onNsd("hand-edited.example", [txt(TOKEN)], { dnssec: "edited" })],
    expected: {
      verdict: "servfail",
      says: [
        /sign (it|the zone|the record|them)? ?again|re-?sign|not signed|no signature|unsigned|without a signature|signature.*missing/i,
      ],
      // The DS is correct; removing it would only make the domain less secure.
      never: [/(remove|delete) the DS/i, /DS .*(fits|matches) no/i],
    },
  },
  {
    id: "refused-half",
    story:
      "One of two nameservers was never told of the zone and refuses; the other has the record.",
    zones: [
      onKnot("refused-half.com", [txt(TOKEN)], {
        delegatedTo: ["nsd2.farm.example", "knot1.farm.example"],
      }),
    ],
    // The first of two reads.
    expected: { verdict: "nameserver_sync" },
  },
];
