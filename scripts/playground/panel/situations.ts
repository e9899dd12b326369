import { randomBytes } from "node:crypto";
import type { Provider } from "#app/dns/verdict/diagnosis.ts";
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
  /** What somebody did, in a sentence. */
  story: string;
  /** What to paste before it goes wrong; null if nothing is needed. */
  asks: "the value of the claim's record" | "the value of the claim you canceled" | null;
  /** Steps in the service before the button; by default, claiming the zone. */
  steps?: string[];
  /** What the service then shows, if it is not the code at the next read. */
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

const hosting = hostsOf("other");
const godaddy = hostsOf("godaddy");

const add =
  (record: (at: Names, value: string) => ZoneRecord, host?: string): Apply =>
  (playground, at, value) =>
    playground.addRecord(at.zone, record(at, value), host);

const atChallenge = add(({ challenge }, value) => txt(challenge, value));

const another = (value: string) =>
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
    story: "The full name was typed, and the panel added the domain to it once more.",
    apply: add(({ challenge, zone }, value) => txt(`${challenge}.${zone}`, value)),
  }),
  mistake("record_at_apex", "namecheap", {
    story: "The record was put on the domain itself.",
    apply: add(({ zone }, value) => txt(zone, value)),
  }),
  mistake("record_on_www", "vercel", {
    story: "The record was put on the www name.",
    apply: add(({ label, zone }, value) => txt(`${label}.www.${zone}`, value)),
  }),
  mistake("value_formatted", "godaddy", {
    story: "The value was typed in quotation marks, and the panel kept them.",
    apply: add(({ challenge }, value) => txt(challenge, `"${value}"`)),
  }),
  mistake("expired_token", "cloudflare", {
    story: "The record still has the value of a claim that was canceled.",
    asks: "the value of the claim you canceled",
    steps: [
      "Claim the zone, and copy the value of its record.",
      "Cancel that claim, and claim the zone again.",
    ],
    apply: atChallenge,
  }),
  mistake("foreign_token", "namecheap", {
    story: "The record has the value of somebody else's claim.",
    apply: add(({ challenge }, value) => txt(challenge, another(value))),
  }),
  mistake("no_matching_record", "google-domains", {
    story: "A wildcard answers for every name of the zone, with something else.",
    asks: null,
    apply: add(({ zone }) => txt(`*.${zone}`, "v=spf1 -all")),
  }),
  mistake("cname_conflict", "cloudflare", {
    story: "An alias stands where the record should be.",
    asks: null,
    apply: add(({ challenge }) => ({
      name: challenge,
      type: "CNAME",
      ttl: 300,
      data: "www.hosting.example",
    })),
  }),
  mistake("record_absent", "other", {
    story: "The underscore at the start of the name was left out.",
    apply: add(({ label, zone }, value) => txt(`${label.replace(/^_/, "")}.${zone}`, value)),
  }),
  mistake("not_published", "godaddy", {
    story: "The zone moved to new nameservers, the registry still lists the old ones.",
    spec: { ownNameservers: hosting, servedBy: [...godaddy, ...hosting] },
    apply: (playground, { zone, challenge }, value) => {
      for (const host of hosting) playground.addRecord(zone, txt(challenge, value), host);
    },
  }),
  mistake("negative_cache", "route53", {
    story: "Resolvers were asked before the record was there, and remember that it was not.",
    outcome:
      "Deed waits until the resolvers have forgotten, three minutes at most, and then proves the claim.",
    spec: { times: { ttl: 180, minimum: 180 } },
    apply: async (playground, { zone, challenge }, value) => {
      await playground.primeWitnesses(challenge);
      playground.addRecord(zone, txt(challenge, value));
    },
  }),
  mistake("servfail", "cloudflare", {
    story:
      "The zone is not signed any more, and the registry still has its DS record: resolvers that check refuse it.",
    spec: { signing: "bogus" },
    apply: atChallenge,
  }),
  mistake("lame_delegation", "other", {
    story: "Of the nameservers the registry lists, one is silent and one does not know the zone.",
    asks: null,
    apply: (playground, { zone }) => {
      playground.setServerFault("ns1.hosting.example", "silent", zone);
      playground.setServerFault("ns2.hosting.example", "refused", zone);
    },
  }),
  wait("first_check", "vercel", {
    story: "Nothing is wrong: the record is there, and the first read is still to come.",
    outcome:
      "Deed waits for its first read, half a minute after the claim began, and then proves it.",
    apply: atChallenge,
  }),
  wait("nameserver_sync", "godaddy", {
    story: "One nameserver has the record, the other does not have it yet.",
    spec: { times: { minimum: 60, refresh: 600 } },
    apply: add(({ challenge }, value) => txt(challenge, value), godaddy[0]),
  }),
  wait("retry", "other", {
    story: "The registry's servers cannot be reached, so no read gets as far as the zone.",
    outcome: "After its first read, which takes some seconds, Deed says when it tries again.",
    asks: null,
    atOnce: true,
    apply: (playground, { zone }) => {
      for (const { host } of TLDS) playground.setServerFault(host, "silent", zone);
    },
  }),
];
