import { soaOf } from "./answers.ts";
import { delegated, findDelegation } from "./delegation.ts";
import { lookAround } from "./look-around.ts";
import { isBelow, under } from "./names.ts";
import type { Observation, ServerReading } from "./observation.ts";
import type { Read } from "./read.ts";
import type { ChallengeQuestion } from "./reader.ts";
import type { Cut } from "./referral.ts";
import { type Answering, authoritative, type Readings, readServers } from "./servers.ts";
import { carries } from "./standing.ts";
import { askWitnesses } from "./witnesses.ts";

/** How many servers are tried for the confirmation over TCP. */
const CONFIRMATIONS = 3;

/**
 * Reads one challenge: the delegation from the root, TXT at H.D from every delegated nameserver, and
 * then what that calls for: confirmation and witnesses, or a look around for where the record went.
 * Rejects only when the caller's signal aborts.
 */
export async function readChallenge(
  read: Read,
  { domain, label, token }: ChallengeQuestion,
): Promise<Observation> {
  const challengeName = under(label, domain) ?? `${label}.${domain}`;
  const seen: Observation = {
    version: 1,
    at: read.at,
    durationMs: 0,
    domain,
    label,
    challengeName,
    token,
    delegation: { type: "unreachable", zone: "." },
    servers: [],
    unlisted: [],
    soa: null,
    typesAtName: [],
    confirmation: null,
    wildcard: null,
    misplaced: [],
    witnesses: null,
    packets: 0,
    limit: null,
    exchanges: read.exchanges,
  };
  const found = await findDelegation(read, domain);
  seen.delegation = found.delegation;
  if (found.cut) {
    const { cut, readings } = await readToTheEnd(read, found.cut, challengeName);
    seen.delegation = delegated(cut);
    seen.servers = readings.servers;
    seen.soa = soaIn(readings.servers, cut.zone) ?? (cut === found.cut ? found.soa : null);
    const answering = seen.servers.filter((server) => server.result === "answered");
    const holders = answering.filter((server) => carries(server.answer, token));
    const complete =
      holders.length > 0 &&
      holders.length === answering.length &&
      answering.length * 2 >= cut.nameservers.length;
    if (complete) await confirm(read, seen, cut.zone, holders);
    else if (answering.length > 0) {
      const holder = isBelow(cut.zone, domain) ? cut.parent : cut.zone;
      await Promise.all([
        readSoa(read, seen, cut.zone, answering),
        holders.length === 0 ? lookAround(read, seen, cut, holder, addresses(answering)) : null,
      ]);
    }
  }
  seen.packets = read.packets;
  seen.limit = read.limit;
  seen.durationMs = read.durationMs;
  return seen;
}

/** Reads the servers of a zone, and those further down where they point there: the lowest cut counts. */
async function readToTheEnd(
  read: Read,
  start: Cut,
  name: string,
): Promise<{ cut: Cut; readings: Readings }> {
  let cut = start;
  for (;;) {
    const readings = await readServers(read, cut.zone, cut.nameservers, name);
    const { referral } = readings;
    const further = referral && read.follow(referral.cut, referral.glue);
    if (!further) return { cut, readings };
    cut = further;
  }
}

/** The token stands everywhere: once more over TCP, and what the witnesses say, at the same time. */
async function confirm(
  read: Read,
  seen: Observation,
  zone: string,
  holders: readonly ServerReading[],
): Promise<void> {
  const { challengeName: name, token } = seen;
  const overTcp = async () => {
    for (const { host, address } of addresses(holders).slice(0, CONFIRMATIONS)) {
      const question = { name, type: "TXT" } as const;
      const message = await authoritative(read, zone, { host, address }, question, { tcp: true });
      const confirmed =
        message?.answers.some(
          (record) => record.type === "TXT" && record.name === name && record.value === token,
        ) ?? false;
      if (message || !seen.confirmation) seen.confirmation = { host, address, confirmed };
      if (message) return;
    }
  };
  const [, witnesses] = await Promise.all([overTcp(), askWitnesses(read, name)]);
  seen.witnesses = witnesses;
  const agreed = witnesses.every((witness) => witness.answer?.values.includes(token));
  if (!agreed) await readSoa(read, seen, zone, holders);
}

async function readSoa(
  read: Read,
  seen: Observation,
  zone: string,
  servers: readonly ServerReading[],
): Promise<void> {
  for (const server of addresses(servers).slice(0, 2)) {
    if (seen.soa) return;
    const message = await authoritative(read, zone, server, { name: zone, type: "SOA" });
    const soa = message && soaOf(message);
    if (soa?.zone === zone) seen.soa = soa;
  }
}

function soaIn(servers: readonly ServerReading[], zone: string) {
  return servers.map((server) => server.answer?.soa).find((soa) => soa?.zone === zone) ?? null;
}

function addresses(servers: readonly ServerReading[]): Answering[] {
  return [...servers]
    .sort((a, b) => (a.latencyMs ?? 0) - (b.latencyMs ?? 0))
    .flatMap(({ host, address }) => (address === null ? [] : [{ host, address }]));
}
