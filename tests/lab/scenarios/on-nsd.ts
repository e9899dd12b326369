import { LABEL, NSD, type Scenario, TOKEN, txt } from "./scenario.ts";

const SHOP = `${LABEL}.shop.big-store.com.big-store.com`;

/** Zones on NSD. */
export const ON_NSD: Scenario[] = [
  {
    id: "pasted-line",
    story: "The whole line of a zone file was pasted into the value field.",
    server: "NSD",
    domain: "pasted-line.com",
    zones: [
      {
        name: "pasted-line.com",
        delegatedTo: NSD,
        copies: [
          {
            program: "nsd",
            records: [txt(`${LABEL}.pasted-line.com. 300 IN TXT \\"${TOKEN}\\"`)],
          },
        ],
      },
    ],
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
    server: "NSD",
    domain: "markdown.com",
    zones: [
      {
        name: "markdown.com",
        delegatedTo: NSD,
        copies: [{ program: "nsd", records: [txt(TOKEN.replaceAll("_", "\\\\_"))] }],
      },
    ],
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
    server: "NSD",
    domain: "shop.big-store.com",
    zones: [
      {
        name: "big-store.com",
        delegatedTo: NSD,
        copies: [{ program: "nsd", records: [txt(TOKEN, `${SHOP}.`), "shop A 192.0.2.80"] }],
      },
    ],
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
    server: "NSD",
    domain: "crowd.com",
    zones: [
      {
        name: "crowd.com",
        delegatedTo: NSD,
        copies: [
          {
            program: "nsd",
            records: [
              ...Array.from({ length: 30 }, (_, at) => txt(`verify-${at}=${"z".repeat(150)}`)),
              txt(TOKEN),
            ],
          },
        ],
      },
    ],
    expected: { verdict: "found" },
  },
  {
    id: "hand-edited",
    story: "The token was typed into the signed zone file, which was not signed again.",
    server: "NSD",
    domain: "hand-edited.example",
    zones: [
      {
        name: "hand-edited.example",
        delegatedTo: NSD,
        dnssec: "edited",
        copies: [{ program: "nsd", records: [txt(TOKEN)] }],
      },
    ],
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
    server: "NSD and knotd",
    domain: "refused-half.com",
    zones: [
      {
        name: "refused-half.com",
        delegatedTo: ["nsd2.farm.example", "knot1.farm.example"],
        copies: [{ program: "knotd", records: [txt(TOKEN)] }],
      },
    ],
    // The first of two reads.
    expected: { verdict: "nameserver_sync" },
  },
];
