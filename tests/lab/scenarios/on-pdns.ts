import { LABEL, onPdns, type Scenario, TOKEN, txt } from "./scenario.ts";

/** Zones on PowerDNS with its SQLite backend. */
export const ON_PDNS: Scenario[] = [
  {
    id: "split-rows",
    story: "A narrow form made two records of the token: the first half and the second.",
    zones: [onPdns("narrow-form.com", [txt(TOKEN.slice(0, 31)), txt(TOKEN.slice(31))])],
    expected: {
      verdict: "value_formatted",
      awaits: "claimant",
      says: [/two (records|pieces|parts|halves|values)|split|in pieces|one record/i],
      shows: [TOKEN],
    },
  },
  {
    id: "star-address",
    story: "There is a wildcard A record and nothing else: any name exists, none has TXT.",
    zones: [onPdns("star-address.com", ["* A 192.0.2.9", "@ A 192.0.2.9"])],
    expected: {
      verdict: "record_absent",
      awaits: "claimant",
      observed: { answer: { type: "nodata" }, nearMiss: null },
      says: [/TXT/, /_service-challenge/],
      // The wildcard is harmless and is not a record at that name.
      never: [/delete|remove|change its type|wrong type/i],
    },
  },
  {
    id: "below-alias",
    story: "The name claimed is a CNAME; below it stands the challenge name, as DNS allows.",
    domain: "shop.below-alias.com",
    zones: [
      onPdns("below-alias.com", ["shop CNAME shops.farm.example.", txt(TOKEN, `${LABEL}.shop`)]),
    ],
    expected: { verdict: "found" },
  },
  {
    id: "still-serial",
    story:
      "PowerDNS does not move the serial by itself; the token was saved, without the underscore.",
    zones: [onPdns("still-serial.com", [txt(TOKEN, "service-challenge")], { serial: 20 })],
    history: { firstSerial: 20 },
    expected: {
      verdict: "record_absent",
      awaits: "claimant",
      observed: { nearMiss: { kind: "no_underscore", name: "service-challenge.still-serial.com" } },
      says: [/_service-challenge/, /underscore|renam|change|_/i],
      never: [/(not|never) (been )?(saved|published)/i, /has not changed/i],
    },
  },
  {
    id: "ds-left",
    story: "The domain moved to a provider that does not sign; its DS stayed at the registry.",
    zones: [onPdns("ds-left.example", [txt(TOKEN)], { dnssec: "left" })],
    expected: {
      verdict: "servfail",
      awaits: "registrar",
      says: [
        /\bDS\b/,
        /registrar/i,
        /remove|delete/i,
        /not signed|unsigned|no longer sign|does not sign|no key|not sign/i,
      ],
    },
  },
  {
    id: "token-as-target",
    story: "The panel's form stood on CNAME: the token became the alias's target.",
    zones: [onPdns("odd-form.com", [`${LABEL} CNAME ${TOKEN}`])],
    expected: {
      verdict: "cname_conflict",
      awaits: "claimant",
      observed: { target: `${TOKEN}.odd-form.com` },
      // Only the type is wrong.
      says: [/value is the target of a CNAME/, /TXT/],
    },
  },
];
