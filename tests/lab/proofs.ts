import {
  answered,
  both,
  type Case,
  FOREIGN,
  found,
  LABEL,
  longRecords,
  record,
  seenBy,
  TOKEN,
  zone,
} from "./case.ts";
import { DOWN, NS1, NS2, TLD } from "./zones.ts";

const LONG = [60, 60, 60, 47].map((length) => "a".repeat(length)).join(".");

/** A nameserver is down: a first read has found the same, longer ago than the second must wait. */
const SECOND_READ = { secondReadAt: 0 };

/** Zones that prove the name. */
export const PROOFS: Case[] = [
  {
    title: "a signed zone with the record on both nameservers",
    zone: zone("signed.example", both(record(TOKEN)), { signed: "good" }),
    decision: found,
    observation: {
      servers: [answered(NS1), answered(NS2)],
      witnesses: seenBy(true, true, true),
      confirmation: { confirmed: true },
    },
  },
  {
    title: "an unsigned zone with the record on both nameservers",
    zone: zone("plain.com", both(record(TOKEN))),
    decision: found,
    observation: { witnesses: seenBy(false, false, false) },
  },
  {
    title: "a record of several strings",
    zone: zone("strings.com", both(`${LABEL} TXT "${TOKEN.slice(0, 20)}" "${TOKEN.slice(20)}"`)),
    decision: found,
  },
  {
    title: "several records of which one matches",
    zone: zone("several.com", both(record("v=spf1 -all"), record(TOKEN), record(FOREIGN))),
    decision: found,
  },
  {
    title: "a wildcard that answers with the token",
    zone: zone("star.com", both(record(TOKEN, "*"))),
    decision: found,
  },
  {
    title: "an internationalised zone",
    zone: zone("xn--bcher-kva.example", both(record(TOKEN))),
    decision: found,
  },
  {
    title: "a name of 234 octets",
    zone: zone(`${LONG}.com`, both(record(TOKEN))),
    decision: found,
  },
  {
    title: "a name below the zone",
    zone: zone("above.com", both(record(TOKEN, `${LABEL}.shop`))),
    domain: "shop.above.com",
    decision: found,
  },
  {
    title: "an answer too long for a datagram",
    zone: zone("large.com", both(record(TOKEN), ...longRecords(8))),
    decision: found,
  },
  {
    title: "a zone served by its parent's own server",
    zone: zone("own.com", { tld: [record(TOKEN)] }, { delegatedTo: [TLD] }),
    decision: found,
  },
  {
    title: "one nameserver of three that is down",
    zone: zone("third.com", both(record(TOKEN)), { delegatedTo: [NS1, NS2, DOWN.host] }),
    history: SECOND_READ,
    decision: found,
    observation: { servers: [{ result: "timeout" }, answered(NS1), answered(NS2)] },
  },
  {
    title: "one nameserver of two that is down",
    zone: zone("half.com", { ns1: [record(TOKEN)] }, { delegatedTo: [NS1, DOWN.host] }),
    history: SECOND_READ,
    decision: found,
    observation: { servers: [{ host: DOWN.host, result: "timeout" }, answered(NS1)] },
  },
];
