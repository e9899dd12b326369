import { escapeUntrusted } from "./escape-untrusted.ts";
import type {
  Delegation,
  DnssecReading,
  Evidence,
  EvidenceSummary,
  Exchange,
  Misplaced,
  Observation,
  ServerReading,
  Stray,
  TxtAnswer,
  WitnessReading,
} from "./observation.ts";
import { hasToken } from "./publication-status.ts";

const MAX_STORED_VALUES = 20;
/** Bound on the names in any other list. A read asks 13 nameservers, but a hostile registry may name more. */
const MAX_NAMES = 26;
/** A read sends at most 60 packets; the rest is for exchanges recorded without one. */
const MAX_EXCHANGES = 100;

const names = (list: readonly string[]) =>
  list.slice(0, MAX_NAMES).map((name) => escapeUntrusted(name));

/** Puts the token first, so that the bound never drops it. */
function boundedAnswer(answer: TxtAnswer | null, token: string): TxtAnswer | null {
  if (!answer) return null;
  const isToken = (value: string) => value === token;
  const others = answer.values.filter((value) => !isToken(value));
  const values = [...answer.values.filter(isToken).slice(0, 1), ...others];
  return {
    ...answer,
    rcode: escapeUntrusted(answer.rcode),
    values: values.slice(0, MAX_STORED_VALUES).map((value) => escapeUntrusted(value)),
    alias: answer.alias && {
      ...answer.alias,
      name: escapeUntrusted(answer.alias.name),
      target: escapeUntrusted(answer.alias.target),
    },
    soa: answer.soa && { ...answer.soa, zone: escapeUntrusted(answer.soa.zone) },
  };
}

const boundedServer = (server: ServerReading, token: string): ServerReading => ({
  ...server,
  host: escapeUntrusted(server.host),
  answer: boundedAnswer(server.answer, token),
  ...(server.alias !== undefined && { alias: escapeUntrusted(server.alias) }),
});

const boundedWitness = (witness: WitnessReading, token: string): WitnessReading => ({
  ...witness,
  answer: boundedAnswer(witness.answer, token),
  nameservers: witness.nameservers && names(witness.nameservers),
  extendedErrors: witness.extendedErrors
    .slice(0, MAX_STORED_VALUES)
    .map(({ code, text }) => ({ code, text: escapeUntrusted(text) })),
});

const boundedDelegation = (delegation: Delegation): Delegation =>
  delegation.type === "delegated"
    ? {
        ...delegation,
        zone: escapeUntrusted(delegation.zone),
        nameservers: names(delegation.nameservers),
      }
    : delegation;

const boundedStray = (stray: Stray): Stray => ({
  host: escapeUntrusted(stray.host),
  zone: escapeUntrusted(stray.zone),
  nameservers: names(stray.nameservers),
});

const boundedMisplaced = (hit: Misplaced): Misplaced => ({
  ...hit,
  name: escapeUntrusted(hit.name),
  value: escapeUntrusted(hit.value),
  servers: names(hit.servers),
});

const boundedDnssec = (reading: DnssecReading): DnssecReading => ({
  ...reading,
  zone: escapeUntrusted(reading.zone),
  parent: escapeUntrusted(reading.parent),
  ds: reading.ds?.slice(0, MAX_STORED_VALUES) ?? null,
  keys: reading.keys?.slice(0, MAX_STORED_VALUES) ?? null,
  keySignatures: reading.keySignatures.slice(0, MAX_STORED_VALUES),
  answerSignatures: reading.answerSignatures?.slice(0, MAX_STORED_VALUES) ?? null,
});

const boundedExchange = (exchange: Exchange): Exchange => ({
  ...exchange,
  server: escapeUntrusted(exchange.server),
  question: { ...exchange.question, name: escapeUntrusted(exchange.question.name) },
});

/** The observation as stored: at most 20 values of 255 visible characters per answer, every list bounded. */
export function evidenceOf(observation: Observation): Evidence {
  const { token } = observation;
  const servers = (list: ServerReading[]) =>
    list.slice(0, MAX_NAMES).map((server) => boundedServer(server, token));
  return {
    ...observation,
    delegation: boundedDelegation(observation.delegation),
    servers: servers(observation.servers),
    strays: observation.strays.slice(0, MAX_NAMES).map(boundedStray),
    unlisted: servers(observation.unlisted),
    former: servers(observation.former),
    parent: observation.parent && {
      zone: escapeUntrusted(observation.parent.zone),
      name: observation.parent.name && escapeUntrusted(observation.parent.name),
      nameservers: names(observation.parent.nameservers),
    },
    holder: observation.holder && {
      ...observation.holder,
      host: escapeUntrusted(observation.holder.host),
    },
    soa: observation.soa && { ...observation.soa, zone: escapeUntrusted(observation.soa.zone) },
    typesAtName: names(observation.typesAtName),
    wildcard: observation.wildcard && escapeUntrusted(observation.wildcard),
    misplaced: observation.misplaced.slice(0, MAX_NAMES).map(boundedMisplaced),
    witnesses: observation.witnesses?.map((witness) => boundedWitness(witness, token)) ?? null,
    dnssec: observation.dnssec?.map(boundedDnssec) ?? null,
    exchanges: observation.exchanges.slice(0, MAX_EXCHANGES).map(boundedExchange),
  };
}

/** The servers asked and whether they had the token: what remains of the evidence after 30 days. */
export const summaryOf = (evidence: Evidence): EvidenceSummary => ({
  version: 1,
  at: evidence.at,
  durationMs: evidence.durationMs,
  packets: evidence.packets,
  zone: evidence.delegation.type === "delegated" ? evidence.delegation.zone : null,
  servers: evidence.servers.map(({ host, result, answer }) => ({
    host,
    result,
    rcode: answer?.rcode ?? null,
    hasToken: hasToken(answer, evidence.token),
  })),
  witnesses:
    evidence.witnesses?.map(({ name, ad, answer }) => ({
      name,
      rcode: answer?.rcode ?? null,
      ad,
      hasToken: hasToken(answer, evidence.token),
    })) ?? [],
});
