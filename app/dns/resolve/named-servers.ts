import type { Observation, ServerReading } from "../verdict/observation.ts";
import { isAnswered, witnessedNames } from "../verdict/publication-status.ts";
import { addressesIn, txtAnswer } from "./answers.ts";
import { askAuthority } from "./authority.ts";
import { confirmPath } from "./path-confirmation.ts";
import { MAX_DECIDING, type Read } from "./read.ts";
import { type Answering, type Cut, MAX_KNOWN_ADDRESSES } from "./referral.ts";
import { confirmOverTcp } from "./tcp-confirmation.ts";
import { walk } from "./walk.ts";
import { witnessedAddresses } from "./witnesses.ts";

/** Packets for servers that the delegation does not name, apart from those of the read. */
const MAX_NAMED_PACKETS = 60;
const FAMILIES = ["A", "AAAA"] as const;

/**
 * Where the witnesses list other nameservers than the delegation, reads TXT at the challenge name from every address of
 * those names that has not answered yet, within bounds; what lies beyond them is an entry that was not asked. What counts
 * is the machines, not their names. Null if no name differs.
 */
export async function readNamed(
  read: Read,
  seen: Observation,
  cut: Cut,
): Promise<ServerReading[] | null> {
  const hosts = witnessedNames(seen)?.filter((host) => !cut.nameservers.includes(host)) ?? [];
  if (hosts.length === 0) return null;
  const beside = read.beside(MAX_NAMED_PACKETS);
  beside.allowFor(hosts.length);
  const answered = new Map(seen.servers.filter(isAnswered).map((one) => [one.address, one]));
  const doubted = new Set(seen.servers.map(({ address }) => address));
  try {
    const readings = await Promise.all(
      hosts.map(async (host, index) => {
        const unasked = unread({ host, address: null }, "timeout");
        if (index >= MAX_DECIDING) return [unasked];
        const addresses = await addressesOfNamed(beside, host, doubted);
        if (addresses.length === 0) return [unread({ host, address: null }, "no_address")];
        const readings = await Promise.all(
          addresses.slice(0, MAX_KNOWN_ADDRESSES).map(async (address) => {
            const known = answered.get(address);
            return known ? { ...known, host } : readFrom(beside, seen, cut, { host, address });
          }),
        );
        return addresses.length > readings.length ? [...readings, unasked] : readings;
      }),
    );
    return readings.flat();
  } finally {
    read.limit ??= beside.limit;
    beside.finish();
  }
}

const unread = (
  server: { host: string; address: string | null },
  result: ServerReading["result"],
): ServerReading => ({ ...server, result, answer: null, latencyMs: null });

async function readFrom(
  read: Read,
  seen: Observation,
  { zone }: Cut,
  server: Answering,
): Promise<ServerReading> {
  if (!read.network.permits(server.address)) return unread(server, "blocked_address");
  const { challengeName: name } = seen;
  const question = { name, type: "TXT" } as const;
  const reply = await askAuthority(read, zone, server, question, { insist: true });
  if ("failure" in reply)
    return unread(read.isOver ? { ...server, address: null } : server, reply.failure);
  if (reply.classification.type === "referral") return unread(server, "not_authoritative");
  const { confirmation } = await confirmOverTcp(read, seen, zone, [server]);
  const given = txtAnswer(reply.message, name);
  const answer = confirmation?.differs ? { ...given, values: [] } : given;
  return { ...server, result: "answered", answer, latencyMs: reply.latencyMs };
}

/**
 * All addresses of a nameserver by a walk of its own: never glue, and never the word of a `doubted` server, which might
 * name itself. Where only those could say, what a majority of the witnesses returns. Empty if neither does.
 */
async function addressesOfNamed(
  read: Read,
  host: string,
  doubted: ReadonlySet<string | null>,
): Promise<string[]> {
  const found = await Promise.all(
    FAMILIES.map(async (type) => {
      const result = await walk(read, host, type, { isGlueEnough: false });
      if (result.type === "silent" || !result.message || !result.server) return [];
      const { server, cut, message } = result;
      if (doubted.has(server.address)) return witnessedAddresses(read, host, type);
      const isPathConfirmed = await confirmPath(read, cut.zone, [server]);
      return isPathConfirmed ? addressesIn(message, host, type) : [];
    }),
  );
  return found.flat();
}
