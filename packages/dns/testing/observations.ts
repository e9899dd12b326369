/** Observations for tests: a working zone, and parts to break it with. */

import { type History, NO_READS } from "../verdict/history.ts";
import type {
  Exchange,
  Failure,
  MisplacedRecord,
  Observation,
  ProbeKind,
  ServerReading,
  Soa,
  TxtAnswer,
  WitnessReading,
} from "../verdict/observation.ts";

export const AT = Date.UTC(2026, 2, 12, 14, 0, 0);
export const TOKEN = "service_v1_9f3a61c0d27be584f01c2a6b7d8e9f0013243546";
export const OTHER = "service_v1_00112233445566778899aabbccddeeff00112233";
export const LABEL = "_service-challenge";
export const DOMAIN = "shop.acme.com";
export const ZONE = "acme.com";
export const NAME = `${LABEL}.${DOMAIN}`;
export const SERIAL = 2026031201;

export const SOA: Soa = { zone: ZONE, serial: SERIAL, refresh: 7200, minimum: 300, ttl: 900 };

export const HISTORY: History = {
  ...NO_READS,
  endedTokens: [],
  domainOf: () => null,
  tokenPrefix: "service_v1_",
};

export const values = (...list: string[]): TxtAnswer => ({
  rcode: "NOERROR",
  values: list,
  ttl: 3600,
  alias: null,
  soa: null,
});
export const NXDOMAIN: TxtAnswer = { ...values(), rcode: "NXDOMAIN", ttl: null, soa: SOA };
export const NODATA: TxtAnswer = { ...NXDOMAIN, rcode: "NOERROR" };
export const alias = (target: string, type: "CNAME" | "DNAME" = "CNAME"): TxtAnswer => ({
  ...values(),
  ttl: null,
  alias: { type, name: type === "CNAME" ? NAME : DOMAIN, target },
});

const addressFor = (failure: Failure) => (failure === "no_address" ? null : "192.0.2.1");
export const server = (host: string, outcome: TxtAnswer | Failure): ServerReading =>
  typeof outcome === "string"
    ? { host, address: addressFor(outcome), result: outcome, answer: null, latencyMs: null }
    : { host, address: "192.0.2.1", result: "answered", answer: outcome, latencyMs: 12 };

export const servers = (...outcomes: (TxtAnswer | Failure)[]): ServerReading[] =>
  outcomes.map((one, index) => server(`ns${index + 1}.dns.test`, one));

/** A witness with the given answer; `servfail` means a SERVFAIL that disappears with CD=1. */
export const witness = (
  name: string,
  outcome: TxtAnswer | WitnessReading["result"],
): WitnessReading => ({
  name,
  address: "192.0.2.53",
  result: typeof outcome === "string" ? outcome : "answered",
  answer: typeof outcome === "string" ? null : outcome,
  nameservers: typeof outcome === "string" ? null : ["ns1.dns.test", "ns2.dns.test"],
  ad: typeof outcome !== "string",
  extendedErrors: outcome === "servfail" ? [{ code: 9, text: "no SEP matching the DS found" }] : [],
  uncheckedRcode: outcome === "servfail" ? "NOERROR" : null,
  latencyMs: outcome === "timeout" ? null : 20,
});

export const witnesses = (
  ...outcomes: (TxtAnswer | WitnessReading["result"])[]
): WitnessReading[] => outcomes.map((one, index) => witness(`witness${index + 1}`, one));

export const EXCHANGE: Exchange = {
  server: "ns1.dns.test",
  address: "192.0.2.1",
  transport: "udp",
  question: { name: NAME, type: "TXT" },
  at: AT,
  latencyMs: 3,
  result: "answered",
  rcode: "NOERROR",
  aa: true,
  ad: false,
  tc: false,
};

/** Changes to an observation: answers of nameservers, and answers of witnesses. */
export const on = (...outcomes: Parameters<typeof servers>) => ({ servers: servers(...outcomes) });
export const by = (...outcomes: Parameters<typeof witnesses>) => ({
  witnesses: witnesses(...outcomes),
});

export const misplaced = (
  kind: ProbeKind,
  name = `${kind}.test`,
  value = TOKEN,
): MisplacedRecord => ({
  kind,
  name,
  value,
  others: 0,
  servers: ["ns1.dns.test", "ns2.dns.test"],
});

/** A read that proves the claim unless `change` prevents it; the delegation lists the given servers. */
export function observation(change: Partial<Observation> = {}): Observation {
  const read = change.servers ?? servers(values(TOKEN), values(TOKEN));
  return {
    version: 1,
    at: AT,
    durationMs: 500,
    domain: DOMAIN,
    label: LABEL,
    challengeName: NAME,
    token: TOKEN,
    delegation: {
      type: "delegated",
      zone: ZONE,
      parent: "com",
      nameservers: read.map(({ host }) => host),
      ttl: 172_800,
    },
    servers: read,
    strays: [],
    silentAbove: [],
    named: null,
    unlisted: [],
    former: [],
    parent: null,
    soa: SOA,
    holder: null,
    typesAtName: [],
    confirmation: { host: "ns1.dns.test", address: "192.0.2.1", confirmed: true },
    wildcard: null,
    misplaced: [],
    witnesses: witnesses(values(TOKEN), values(TOKEN), values(TOKEN)),
    validation: { verdict: "insecure", reason: { type: "unsigned", zone: ZONE, parent: "com" } },
    chain: null,
    packets: 12,
    limit: null,
    exchanges: [],
    ...change,
  };
}

/** A read in which no nameserver has the token; nothing is confirmed, and no witness is asked. */
export const absence = (
  outcomes: (TxtAnswer | Failure)[],
  change: Partial<Observation> = {},
): Observation =>
  observation({
    servers: servers(...outcomes),
    confirmation: null,
    witnesses: null,
    validation: null,
    ...change,
  });
