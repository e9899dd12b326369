import { isIPv4, isIPv6 } from "node:net";
import { isAtOrBelow } from "../names.ts";
import { isRegistry } from "../verdict/registry.ts";
import type { Question } from "../wire/query.ts";
import { addressesIn } from "./answers.ts";
import { MAX_ADDRESSES, type Read } from "./read.ts";
import { type Answering, type Cut, cutShown, type Shown, sameCut } from "./referral.ts";
import { askAuthority, usableAddresses } from "./servers.ts";
import { addressesOf } from "./walk.ts";
import { askAddress, candidates, type Heard } from "./zone-servers.ts";

/** How many servers are tried until one answers over TCP. */
const TCP_TRIES = 3;
/** How many servers of a nameserver's zone must tell its address alike, where so many answer. */
const TELLERS = 3;

/** What a server says over TCP of a cut that was shown over UDP. */
export type Confirmation = "agrees" | "differs" | "silent";

/** A delegated nameserver: the address that answered, or null where none that was known did. */
export type Counted = { host: string; address: string | null };

/**
 * Whether the way to these servers of `zone` holds, before what they say is believed. Every cut on it was made over
 * UDP by one server's word: it is shown once more over TCP. The addresses of a nameserver's name that was looked up
 * were told by one server of its zone: up to two more must tell the same, of a silent name too, whose silence may be
 * made up. Cuts below the registries were confirmed when they were settled.
 */
export async function confirmPath(
  read: Read,
  zone: string,
  servers: readonly Counted[],
): Promise<boolean> {
  const met = new Map<string, Counted>();
  const told = await Promise.all(servers.map((server) => isTold(read, server, met)));
  if (told.includes(false)) return false;
  const names = [zone, ...[...met.values()].map(({ host }) => host)];
  const cuts = [...read.cuts.values()].filter(
    ({ zone: cut }) =>
      read.followed.has(cut) &&
      !read.settled.has(cut) &&
      names.some((name) => isAtOrBelow(name, cut)),
  );
  const confirmed = await Promise.all(cuts.map((cut) => confirmFollowed(read, cut)));
  return confirmed.every((one) => one === "agrees");
}

/** Whether servers of the host's zone, and of the zones it was handed down through, tell what this read went by. */
async function isTold(read: Read, server: Counted, met: Map<string, Counted>): Promise<boolean> {
  const { host, address } = server;
  const key = `${host} ${address}`;
  if (met.has(key)) return true;
  met.set(key, server);
  if (read.isVouched(host)) return true;
  const zones = [...read.cuts.values()].filter(
    (cut) => isAtOrBelow(host, cut.zone) && !isRegistry(cut.zone, host),
  );
  const questions = await usedBy(read, server);
  const told = await Promise.all(
    zones.flatMap((cut) =>
      questions.map(async (used) => {
        const heard = await tellers(read, cut, { name: host, type: used.type });
        // Who was left out by a limit of ours might tell otherwise.
        if (read.limit !== null && heard.length < TELLERS) return false;
        if (!heard.every((one) => tells(read, one, host, used))) return false;
        const known = await Promise.all(heard.map((one) => isTold(read, one.server, met)));
        return !known.includes(false);
      }),
    ),
  );
  return !told.includes(false);
}

/** Addresses of one family that must be told. `room`: so many more could have been tried, were they told. */
type Used = { type: "A" | "AAAA"; addresses: string[]; room: number };

async function usedBy(read: Read, { host, address }: Counted): Promise<Used[]> {
  if (address !== null) {
    return [{ type: isIPv6(address) ? "AAAA" : "A", addresses: [address], room: 0 }];
  }
  const tried = await usableAddresses(read, host);
  const [one, two] = [tried.filter(isIPv4), tried.filter(isIPv6)];
  return [
    { type: "A", addresses: one, room: MAX_ADDRESSES - one.length },
    { type: "AAAA", addresses: two, room: MAX_ADDRESSES - tried.length },
  ];
}

/** What three servers of a zone say, fewer where fewer answer. */
async function tellers(read: Read, cut: Cut, question: Question): Promise<Heard[]> {
  const hosts = [...read.orderOf(cut)];
  const all: Heard[] = [];
  while (hosts.length > 0 && all.length < TELLERS) {
    const asked = hosts.splice(0, TELLERS - all.length).map(async (host) => {
      const address = (await addressesOf(read, host)).find(read.network.permits);
      return address === undefined ? null : askAddress(read, cut, question, { host, address });
    });
    all.push(...(await Promise.all(asked)).flatMap((heard) => heard ?? []));
  }
  return all;
}

/** An authoritative answer tells addresses itself; a referral, by the cut this read went through. */
function tells(
  read: Read,
  { message, verdict }: Heard,
  host: string,
  { type, addresses, room }: Used,
): boolean {
  const isAllOf = (told: readonly string[]) => {
    const others = told.filter((one) => !addresses.includes(one) && read.network.permits(one));
    return addresses.every((one) => told.includes(one)) && (room === 0 || others.length === 0);
  };
  if (verdict.type === "authoritative") return isAllOf(addressesIn(message, host, type));
  const known = read.cuts.get(verdict.cut.zone);
  if (!known || !sameCut(known, verdict.cut)) return false;
  // Of a nameserver in its own zone, the parent's glue is all there is.
  if (!known.nameservers.includes(host)) return true;
  const isFamily = type === "AAAA" ? isIPv6 : isIPv4;
  return isAllOf((verdict.glue.get(host) ?? []).filter((one) => isFamily(one)));
}

/** The server that showed it is asked first. */
function confirmFollowed(read: Read, cut: Cut): Promise<Confirmation> {
  const { server, glue } = read.followed.get(cut.zone) ?? {};
  const parent = read.cuts.get(cut.parent);
  const others = parent ? candidates(read, read.orderOf(parent)) : [];
  const servers = others.filter(({ address }) => address !== server?.address);
  return confirmCut(
    read,
    { cut, glue: glue ?? new Map() },
    server ? [server, ...servers] : servers,
  );
}

/** What servers say of a cut over TCP: the first of them that answers decides. */
export async function confirmCut(
  read: Read,
  { cut, glue }: Shown,
  servers: readonly Answering[],
): Promise<Confirmation> {
  const question = { name: cut.zone, type: "NS" } as const;
  for (const server of servers.slice(0, TCP_TRIES)) {
    const reply = await askAuthority(read, cut.parent, server, question, { tcp: true });
    if (!reply.ok) continue;
    const shown = cutShown(reply.message, cut.parent, cut.zone);
    const holds =
      shown !== null &&
      sameCut(shown.cut, cut) &&
      [...glue].every(([host, addresses]) =>
        addresses.every((address) => shown.glue.get(host)?.includes(address)),
      );
    return holds ? "agrees" : "differs";
  }
  return "silent";
}
