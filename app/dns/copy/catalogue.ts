import type { Diagnosis, DiagnosisCode } from "../verdict/diagnosis.ts";
import type { RecordLocation } from "./providers.ts";

/** A code as the documentation shows it. sentences.ts renders `example` at EXAMPLE_LOCATION. */
export type CatalogueEntry = { title: string; meaning: string; example: Diagnosis };

/** The location used by the catalogue's examples; the token is made up. */
export const EXAMPLE_LOCATION: RecordLocation = {
  label: "_service-challenge",
  domain: "acme.com",
  zone: "acme.com",
  token: "service_v1_9f3a61c0d27be584f01c2a6b7d8e9f0013243546",
  provider: "other",
};

const { label, domain, zone, token } = EXAMPLE_LOCATION;
/** A value of this service that is not the example claim's. */
export const OTHER_TOKEN = "service_v1_00112233445566778899aabbccddeeff00112233";

type Entries = {
  [C in DiagnosisCode]: CatalogueEntry & { example: Extract<Diagnosis, { code: C }> };
};

/** Heading, meaning and example for each of the thirteen codes. */
export const DIAGNOSIS_CATALOGUE: Entries = {
  domain_appended: {
    title: "The domain is in the name twice",
    meaning:
      "The DNS panel adds the domain to what is typed, and the full name was typed. The record is at a name that ends with the domain twice.",
    example: {
      code: "domain_appended",
      awaits: "claimant",
      observed: { name: `${label}.${domain}.${zone}` },
    },
  },
  record_at_apex: {
    title: "The record is on the domain itself",
    meaning: "The token is in a TXT record of the domain, not of the challenge name below it.",
    example: {
      code: "record_at_apex",
      awaits: "claimant",
      observed: { name: domain, value: token },
    },
  },
  record_on_www: {
    title: "The record is under www",
    meaning: "The token is at www, or at the challenge name under www. Both are other names.",
    example: {
      code: "record_on_www",
      awaits: "claimant",
      observed: { name: `${label}.www.${domain}`, value: token },
    },
  },
  value_formatted: {
    title: "The value was changed",
    meaning:
      "The name is right and the value has this claim's token, but with quotation marks, spaces, other text, changed letter case, or a part missing. `pieces` is the number of records that it is split into. The value must be exactly the token.",
    example: {
      code: "value_formatted",
      awaits: "claimant",
      observed: { value: `TXT="${token}"`, damage: ["quoted", "prefix"] },
    },
  },
  expired_token: {
    title: "The value is from an earlier claim",
    meaning:
      "Every claim has a new token. This one belongs to a claim of this account on this domain that has ended.",
    example: {
      code: "expired_token",
      awaits: "claimant",
      observed: { value: OTHER_TOKEN, claimEndedAt: "2026-03-12T14:03:22.000Z" },
    },
  },
  foreign_token: {
    title: "The value is from another claim",
    meaning:
      "The record has a token of this service, but not one for this domain and this account. `domain` is another domain of this account, if the token is for that. Several records can exist side by side: each claim looks for its own.",
    example: { code: "foreign_token", awaits: "claimant", observed: { value: OTHER_TOKEN } },
  },
  no_matching_record: {
    title: "There is another TXT record",
    meaning:
      "There are TXT records at the challenge name, and none has a token. `wildcard` is true if a wildcard record of the zone, `wildcardName`, answers there.",
    example: {
      code: "no_matching_record",
      awaits: "claimant",
      observed: { values: ["v=spf1 -all"], wildcard: false },
    },
  },
  cname_conflict: {
    title: "An alias is in the way",
    meaning:
      "The challenge name is an alias, and an alias cannot prove a domain. `record` is what the zone has: a CNAME at the name itself, which allows no other record there; a wildcard CNAME, beside which the record can be added; or a DNAME above it, below which there can be no record.",
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
    title: "The record is missing",
    meaning:
      "The zone's nameservers have no TXT record at the challenge name. `answer` says whether the name does not exist or has other records. `nearMiss` is a wrong name nearby, or another type of record, where the token was found. `wildcardName` is the wildcard that answers there. `delegated` is present if the record may have been saved in the parent zone instead.",
    example: {
      code: "record_absent",
      awaits: "claimant",
      observed: {
        answer: { type: "nxdomain" },
        nearMiss: { kind: "no_underscore", name: `${label.slice(1)}.${domain}` },
      },
    },
  },
  not_published: {
    title: "The record is not published yet",
    meaning:
      "One of four cases. The zone has not changed since the first check (`unchanged`; only for zones whose serial is known to change with their records). Or only some nameservers have the record, or a delegation of its name, although they have had time to agree: `nameservers` answer without it, and `noAnswer` do not answer. Or every nameserver has it, but `resolvers` get another answer, and caching does not explain it. Or the record is only on servers that do not serve the zone, and `elsewhere` says which: servers not listed by the registry (`unlisted`), servers the zone has left (`former`), servers of the parent zone (`parent`), or servers that only the registry lists (`listed`), while the zone's own NS records list others (`nameservers`), which resolvers use.",
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
    title: "Resolvers still have the old answer cached",
    meaning:
      "The zone's nameservers have the record. Public resolvers asked before it was there, and cache that answer for as long as the zone allows. `held` is what they have cached: `nothing`, an `earlier_token` of this account for this domain, or `other_values`.",
    example: {
      code: "negative_cache",
      awaits: "resolvers",
      observed: { secondsRemaining: 240, held: "nothing" },
    },
  },
  servfail: {
    title: "Public resolvers reject the zone",
    meaning:
      "The zone's nameservers have the record, and most public resolvers report a failure when asked for it. `fault` is the reason, if it is known: resolvers cannot reach the zone at all, the zone is not signed, a DS record has no key or another key, or DNSSEC signatures have expired, are not valid yet, or are missing. `extendedErrors` are the resolvers' own reasons (RFC 8914).",
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
    title: "The nameservers do not answer",
    meaning:
      "The registry lists no nameservers, or none of them gives an authoritative answer that can be confirmed over TCP. `parent` is the zone that lists them, if that is not a registry. `nameservers` says how each one failed: `tcp_refused` answers over UDP only, `ipv6_only` was not asked, since this server has no IPv6: that is no fault of its own.",
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
    title: "The first check is about to happen",
    meaning:
      "DNS has not been checked yet. The first check is thirty seconds after the claim opens.",
  },
  negative_cache: {
    title: "Resolvers still have the old answer cached",
    meaning:
      "The zone's nameservers have the record. Resolvers ask again when their cached answer expires. There is nothing to do.",
  },
  nameserver_sync: {
    title: "Nameservers are still updating",
    meaning:
      "Some of the zone's nameservers have the record, or a delegation of its name. The others are expected to update, or answer again, within the zone's refresh time, an hour at most. In `observed`, `nameservers` answer without the record and `noAnswer` do not answer; at least half must answer. With `secondRead`, all that answer have it, and a second check within five minutes decides. There is nothing to do.",
  },
  retry: {
    title: "DNS could not be checked",
    meaning:
      "The last check failed on our side, which says nothing about the record. Deed tries again automatically.",
  },
};
