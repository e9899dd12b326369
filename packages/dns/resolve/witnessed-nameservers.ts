import type { Observation, ServerReading } from "../verdict/observation.ts";
import { isAnswered, majorityHosts } from "../verdict/publication-status.ts";
import { addressesIn, askAuthority, MAX_KNOWN_ADDRESSES, recordAnswer } from "./authority.ts";
import { confirmOverTcp, confirmPath } from "./path-confirmation.ts";
import { MAX_DECIDING, packetsFor, type Read } from "./read.ts";
import type { Cut, Endpoint, ServerAddress } from "./reader.ts";
import { walk } from "./walk.ts";
import { witnessedAddresses } from "./witnesses.ts";

/** Reads TXT on nameservers that only witnesses list, with packets of its own. Null if they list no other names. */
export async function readWitnessed(read: Read, seen: Observation, cut: Cut) {
  const hosts = majorityHosts(seen)?.filter((host) => !cut.nameservers.includes(host)) ?? [];
  if (hosts.length === 0) return null;
  const separateRead = read.withOwnPackets(packetsFor(hosts.length));
  const answered = new Map(seen.servers.filter(isAnswered).map((one) => [one.address, one]));
  const delegatedAddresses = new Set(seen.servers.map(({ address }) => address));
  try {
    const readings = await Promise.all(
      hosts.map(async (host, index) => {
        const notAsked = noReading({ host, address: null }, "timeout");
        if (index >= MAX_DECIDING) return [notAsked];
        const addresses = await addressesOfNamed(separateRead, host, delegatedAddresses);
        if (addresses.length === 0) return [noReading({ host, address: null }, "no_address")];
        const readings = await Promise.all(
          addresses.slice(0, MAX_KNOWN_ADDRESSES).map(async (address) => {
            const earlier = answered.get(address);
            return earlier
              ? { ...earlier, host }
              : readFrom(separateRead, seen, cut.zone, { host, address });
          }),
        );
        return addresses.length > readings.length ? [...readings, notAsked] : readings;
      }),
    );
    return readings.flat();
  } finally {
    read.limit ??= separateRead.limit;
    separateRead.finish();
  }
}

const noReading = (server: ServerAddress, result: ServerReading["result"]): ServerReading => ({
  ...{ ...server, result, answer: null, latencyMs: null },
});

async function readFrom(read: Read, seen: Observation, zone: string, server: Endpoint) {
  if (!read.network.permits(server.address)) return noReading(server, "blocked_address");
  const { challengeName: name } = seen;
  const question = { name, type: read.wanted.type };
  const reply = await askAuthority(read, zone, server, question, { insist: true });
  if ("failure" in reply)
    return noReading(read.isOver ? { ...server, address: null } : server, reply.failure);
  if (reply.referral) return noReading(server, "not_authoritative");
  const { confirmation } = await confirmOverTcp(read, seen, zone, [server]);
  const reading = recordAnswer(read, reply.message, name);
  const answer = confirmation?.differs ? { ...reading, values: [] } : reading;
  return { ...server, result: "answered" as const, answer, latencyMs: reply.latencyMs };
}

/** Uses what most witnesses return, and neither glue nor answers of `doubted` servers, which might name themselves. */
async function addressesOfNamed(read: Read, host: string, doubted: ReadonlySet<string | null>) {
  const addresses = await Promise.all(
    (["A", "AAAA"] as const).map(async (type) => {
      const { cut, answer } = await walk(read, host, type, { isGlueEnough: false });
      if (!answer) return [];
      const { server, message } = answer;
      if (doubted.has(server.address)) return witnessedAddresses(read, host, type);
      return (await confirmPath(read, cut.zone, [server])) ? addressesIn(message, host, type) : [];
    }),
  );
  return addresses.flat();
}
