import { randomBytes } from "node:crypto";
import type { Provider } from "@deed/dns/names.ts";
import type { Playground } from "../playground.ts";
import { txt, type ZoneRecord } from "../records.ts";
import { hostsOf, TLDS } from "../samples.ts";
import type { ZoneSpec } from "../world.ts";

/** A zone to claim that demonstrates one mistake or one wait. */
export type Situation = {
  /** The diagnosis code or wait reason the service should report. */
  code: string;
  kind: "mistake" | "wait";
  zone: string;
  provider: Provider;
  /** What was done, in a sentence or two. */
  story: string;
  /** What to paste before it goes wrong; null if nothing. */
  asks: "the value of the claim's record" | "the value of the claim you canceled" | null;
  /** Steps in the service before the button; by default, claiming the zone. */
  steps?: string[];
  /** What the service then shows, if the next read does not show the code. */
  outcome?: string;
  spec?: Partial<ZoneSpec>;
  /** Makes it go wrong, with the pasted value, or "" if the situation asks for none. */
  apply: Apply;
  /** Whether it goes wrong as soon as the zone is set up, before it is claimed. */
  atOnce?: boolean;
};

type Apply = (playground: Playground, at: Names, value: string) => void | Promise<void>;

/** The names in one situation: the zone, the record's name in it, and the label of the service's records. */
export type Names = { zone: string; challenge: string; label: string };

const DAY_MS = 86_400_000;

const hosting = hostsOf("other");
const godaddy = hostsOf("godaddy");

const addingRecord =
  (record: (at: Names, value: string) => ZoneRecord, host?: string): Apply =>
  (playground, at, value) =>
    playground.addRecord(at.zone, record(at, value), host);

const atChallenge = addingRecord(({ challenge }, value) => txt(challenge, value));

const anotherToken = (value: string) =>
  `${/^(.*?)[0-9a-f]{40}$/.exec(value)?.[1] ?? ""}${randomBytes(20).toString("hex")}`;

const mistake = (
  code: string,
  provider: Provider,
  rest: Pick<Situation, "story" | "apply"> & Partial<Situation>,
): Situation => ({
  code,
  kind: "mistake",
  zone: `${code.replaceAll("_", "-")}.example`,
  provider,
  asks: "the value of the claim's record",
  ...rest,
});

const wait = (...[code, provider, rest]: Parameters<typeof mistake>): Situation =>
  mistake(code, provider, { ...rest, kind: "wait" });

export const SITUATIONS: Situation[] = [
  mistake("domain_appended", "godaddy", {
    story: "The full name was typed, and the panel added the domain again.",
    apply: addingRecord(({ challenge, zone }, value) => txt(`${challenge}.${zone}`, value)),
  }),
  mistake("record_at_apex", "namecheap", {
    story: "The record was put on the domain itself.",
    apply: addingRecord(({ zone }, value) => txt(zone, value)),
  }),
  mistake("record_on_www", "vercel", {
    story: "The record was put on the www name.",
    apply: addingRecord(({ label, zone }, value) => txt(`${label}.www.${zone}`, value)),
  }),
  mistake("value_formatted", "godaddy", {
    story: "The value was typed in quotation marks, and the panel kept them.",
    apply: addingRecord(({ challenge }, value) => txt(challenge, `"${value}"`)),
  }),
  mistake("expired_token", "cloudflare", {
    story: "The record still has the value of a canceled claim.",
    asks: "the value of the claim you canceled",
    steps: ["Add the domain, and copy the value of its record.", "Cancel, and start again."],
    apply: atChallenge,
  }),
  mistake("foreign_token", "namecheap", {
    story: "The record has the value of another claim.",
    apply: addingRecord(({ challenge }, value) => txt(challenge, anotherToken(value))),
  }),
  mistake("no_matching_record", "google-domains", {
    story: "A wildcard answers for every name in the zone, with another value.",
    asks: null,
    apply: addingRecord(({ zone }) => txt(`*.${zone}`, "v=spf1 -all")),
  }),
  mistake("cname_conflict", "cloudflare", {
    story: "There is a CNAME where the record should be.",
    asks: null,
    apply: addingRecord(({ challenge }) => ({
      name: challenge,
      type: "CNAME",
      ttl: 300,
      data: "www.hosting.example",
    })),
  }),
  mistake("record_absent", "other", {
    story: "The underscore at the start of the name was left out.",
    apply: addingRecord(({ label, zone }, value) =>
      txt(`${label.replace(/^_/, "")}.${zone}`, value),
    ),
  }),
  mistake("not_published", "godaddy", {
    story: "The zone moved to new nameservers, but the registry still lists the old ones.",
    spec: { ownNameservers: hosting, servedBy: [...godaddy, ...hosting] },
    apply: (playground, { zone, challenge }, value) => {
      for (const host of hosting) playground.addRecord(zone, txt(challenge, value), host);
    },
  }),
  mistake("negative_cache", "route53", {
    story: 'Resolvers were asked before the record was there, and have "not found" cached.',
    outcome:
      "Deed waits until the cached answer expires, three minutes at most. Then the domain is proved.",
    spec: { times: { ttl: 180, minimum: 180 } },
    apply: async (playground, { zone, challenge }, value) => {
      await playground.primeWitnesses(challenge);
      playground.addRecord(zone, txt(challenge, value));
    },
  }),
  mistake("servfail", "cloudflare", {
    story:
      "The zone is no longer signed, but the registry still has its DS record. Resolvers that check DNSSEC reject it.",
    spec: { signing: "bogus" },
    apply: atChallenge,
  }),
  mistake("lame_delegation", "other", {
    story:
      "The domain has expired, and neither of its nameservers serves it: one does not answer, the other does not know the zone.",
    asks: null,
    apply: (playground, { zone }) => {
      const expiration = new Date(Date.now() - 3 * DAY_MS).toISOString();
      playground.registry.register(zone, { status: ["auto renew period"], expiration });
      playground.setServerFault("ns1.hosting.example", "silent", zone);
      playground.setServerFault("ns2.hosting.example", "refused", zone);
    },
  }),
  wait("first_check", "vercel", {
    story: "Nothing is wrong. The record is there, before the first check.",
    outcome: "Deed checks soon after you added the domain. Then it is proved.",
    apply: atChallenge,
  }),
  wait("nameserver_sync", "godaddy", {
    story: "One nameserver has the record. The other does not have it yet.",
    spec: { times: { minimum: 60, refresh: 600 } },
    apply: addingRecord(({ challenge }, value) => txt(challenge, value), godaddy[0]),
  }),
  wait("retry", "other", {
    story: "The registry's servers cannot be reached, so no check gets to the zone.",
    outcome: "The first check takes some seconds. Then Deed says when it tries again.",
    asks: null,
    atOnce: true,
    apply: (playground, { zone }) => {
      for (const { host } of TLDS) playground.setServerFault(host, "silent", zone);
    },
  }),
];
