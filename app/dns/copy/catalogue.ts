import type { Diagnosis, DiagnosisCode } from "../verdict/diagnosis.ts";
import type { RecordLocation } from "./providers.ts";

/** A code as the documentation shows it. sentences.ts renders `example` at EXAMPLE_LOCATION. */
export type CatalogueEntry = { title: string; meaning: string; example: Diagnosis };

/** The location used by the catalogue's examples; the token is made up. */
export const EXAMPLE_LOCATION: RecordLocation = {
  label: "_service-challenge",
  domain: "shop.acme.com",
  zone: "acme.com",
  token: "service_v1_9f3a61c0d27be584f01c2a6b7d8e9f0013243546",
  provider: "other",
};

const { label, domain, zone, token } = EXAMPLE_LOCATION;
const OTHER_TOKEN = "service_v1_00112233445566778899aabbccddeeff00112233";

type Entries = {
  [C in DiagnosisCode]: CatalogueEntry & { example: Extract<Diagnosis, { code: C }> };
};

/** Heading, meaning and example for each of the thirteen codes. */
export const DIAGNOSIS_CATALOGUE: Entries = {
  domain_appended: {
    title: "The domain is in the name twice",
    meaning:
      "The panel adds the domain to what is typed, and the full name was typed. The record stands one domain too deep.",
    example: {
      code: "domain_appended",
      awaits: "claimant",
      observed: { name: `${label}.${domain}.${zone}` },
    },
  },
  record_at_apex: {
    title: "The record stands at the domain itself",
    meaning: "The token stands in a TXT record of the domain, not of the challenge name under it.",
    example: {
      code: "record_at_apex",
      awaits: "claimant",
      observed: { name: domain, value: token },
    },
  },
  record_on_www: {
    title: "The record stands under www",
    meaning: "The token stands at www or at the challenge name under www, which is another name.",
    example: {
      code: "record_on_www",
      awaits: "claimant",
      observed: { name: `${label}.www.${domain}`, value: token },
    },
  },
  value_formatted: {
    title: "The value has been changed",
    meaning:
      "The record is in the right place and holds this claim's token, but with quotation marks, spaces, other text, changed letter case, or a part cut off. `pieces` says that it is cut into so many records. The token counts only as it is.",
    example: {
      code: "value_formatted",
      awaits: "claimant",
      observed: { value: `TXT="${token}"`, damage: ["quoted", "prefix"] },
    },
  },
  expired_token: {
    title: "The record holds the token of an earlier claim",
    meaning: "Each claim has a token of its own. This one belongs to a claim that has ended.",
    example: {
      code: "expired_token",
      awaits: "claimant",
      observed: { value: OTHER_TOKEN, claimEndedAt: "2026-03-12T14:03:22.000Z" },
    },
  },
  foreign_token: {
    title: "The record holds somebody else's token",
    meaning:
      "A token of this service stands there, but not one of this account's on this name; `domain` names another domain of this account whose token it is. Several records may stand side by side: each claim looks for its own.",
    example: { code: "foreign_token", awaits: "claimant", observed: { value: OTHER_TOKEN } },
  },
  no_matching_record: {
    title: "There is a TXT record, but not this one",
    meaning:
      "TXT records stand at the challenge name and none holds a token. `wildcard` says that a wildcard record of the zone, `wildcardName`, is what answers.",
    example: {
      code: "no_matching_record",
      awaits: "claimant",
      observed: { values: ["v=spf1 -all"], wildcard: false },
    },
  },
  cname_conflict: {
    title: "An alias stands in the way",
    meaning:
      "The challenge name is answered with an alias, which is never followed for a proof. `record` says what stands in the zone: a CNAME at the name itself, which can hold no other record; a wildcard CNAME, beside which the record may be added; or a DNAME above, below which nothing can stand.",
    example: {
      code: "cname_conflict",
      awaits: "claimant",
      observed: {
        target: "parked.example",
        record: { type: "CNAME", name: `${label}.${domain}` },
      },
    },
  },
  record_absent: {
    title: "There is no record",
    meaning:
      "The zone's nameservers know of no TXT record at the challenge name. `answer` tells a name that does not exist from one that has other records; `nearMiss` names a place nearby, or another type of record, where the token was found. `wildcardName` is the wildcard that answers there; `delegated` says that the zone is delegated from one in which the record may have been saved.",
    example: {
      code: "record_absent",
      awaits: "claimant",
      observed: {
        answer: { type: "nxdomain" },
        nearMiss: { kind: "parent", name: `${label}.${zone}` },
      },
    },
  },
  not_published: {
    title: "The record is not published yet",
    meaning:
      "The zone has not changed since the claim's first read (`unchanged`; said only of zones whose serial was seen to move with their records); or the record, or a delegation of its name, is only on some of its nameservers after the time they have to agree, `nameservers` being those that answer without it and `noAnswer` those that give no answer; or every nameserver has it, and `resolvers` get another answer than this service for longer than they may remember an old one; or the record is only on servers that do not serve the zone. `elsewhere` says which: `unlisted` by the registry, `former` ones that the zone has left, those of the zone above (`parent`), or only those `listed` by the registry, while the NS records of the zone itself name others (`nameservers`), by which resolvers know it.",
    example: {
      code: "not_published",
      awaits: "provider",
      observed: {
        nameservers: ["ns2.dns.example"],
        publishedOn: ["ns1.dns.example"],
        serial: 2026031201,
      },
    },
  },
  negative_cache: {
    title: "Resolvers remember what was there before",
    meaning:
      "The zone's nameservers have the record. Public resolvers asked before it was there, and keep that answer for the time the zone told them to. `held` says what they keep: that there was `nothing`, an `earlier_token` of this account's on this name, or `other_values`.",
    example: {
      code: "negative_cache",
      awaits: "resolvers",
      observed: { secondsRemaining: 240, held: "nothing" },
    },
  },
  servfail: {
    title: "Resolvers fail on the zone's answers",
    meaning:
      "The zone's nameservers have the record, and most public resolvers report a failure when asked for it. `fault` says why, where it shows: resolvers cannot read the zone at all, the zone is not signed, a DS record without a key or of another key, or DNSSEC signatures that have expired, are not valid yet, or are missing. `extendedErrors` are the resolvers' own reasons (RFC 8914).",
    example: {
      code: "servfail",
      awaits: "registrar",
      observed: {
        resolvers: ["cloudflare", "google"],
        extendedErrors: [{ code: 9, text: "no SEP matching the DS found" }],
        fault: {
          type: "ds_without_keys",
          zone: "acme.com",
          dsKeyTags: [60485],
          secondsRemembered: 86_400,
        },
      },
    },
  },
  lame_delegation: {
    title: "The zone's nameservers do not answer for it",
    meaning:
      "None of the nameservers that the registry lists gives an authoritative answer that can be confirmed over TCP, or it lists none. `parent` names the zone that lists them where that is no registry. `nameservers` says how each one failed: `tcp_refused` answers over UDP alone, `ipv6_only` cannot be reached from a server without IPv6.",
    example: {
      code: "lame_delegation",
      awaits: "provider",
      observed: { nameservers: [{ host: "ns1.dns.example", result: "refused" }] },
    },
  },
};

export type WaitReason = "first_check" | "negative_cache" | "nameserver_sync" | "retry";

/** Heading and meaning for each of the four wait reasons. */
export const WAIT_CATALOGUE: Record<WaitReason, { title: string; meaning: string }> = {
  first_check: {
    title: "The first read is on its way",
    meaning:
      "Nothing has been read yet. The first read comes thirty seconds after the claim opens.",
  },
  negative_cache: {
    title: "Resolvers still hold the old answer",
    meaning:
      "The zone's nameservers have the record; resolvers let go of what they remember when its time is up. Nothing needs to be done.",
  },
  nameserver_sync: {
    title: "The zone's nameservers are catching up",
    meaning:
      "Some of the zone's nameservers have the record, or a delegation of its name; others take it over, or answer again, within the zone's refresh time, an hour at most. `observed` says who is awaited: `nameservers` answer without the record, those of `noAnswer` do not answer, and at least half must. Nothing needs to be done.",
  },
  retry: {
    title: "DNS has not been reached yet",
    meaning:
      "The last read failed on this side, which says nothing about the record. It is repeated.",
  },
};
