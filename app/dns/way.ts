import { isIPv6 } from "node:net";
import { canonicalAddress } from "./address.ts";
import { isAtOrBelow } from "./names.ts";
import type { Question } from "./query.ts";
import type { Read } from "./read.ts";
import { type Answering, type Cut, cutShown, type Shown, sameCut } from "./referral.ts";
import { isRegistry } from "./registry.ts";
import { askAuthority } from "./servers.ts";
import { addressesOf } from "./walk.ts";
import { askAddress, candidates, type Heard } from "./zone-servers.ts";

/** How many servers are tried until one answers over TCP. */
const TCP_TRIES = 3;
/** How many servers of a nameserver's zone must tell its address alike, where so many answer. */
const TELLERS = 3;

/** What a server says over TCP of a cut that was shown over UDP. */
export type Confirmation = "agrees" | "differs" | "silent";

/**
 * Whether the way to these servers of `zone` holds, before what they say is believed: every cut on it was made over
 * UDP by one server's word, and is shown once more over TCP; the address of a nameserver's name that was looked up at
 * one server of its zone is looked up at two more, where there are more. Cuts below the registries are confirmed when
 * they are settled.
 */
export async function confirmWay(
  read: Read,
  zone: string,
  servers: readonly Answering[],
): Promise<boolean> {
  const met = new Map<string, Answering>();
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

/** Whether servers of the host's zone, and of the zones it was handed down through, tell the address that is used. */
async function isTold(
  read: Read,
  server: Answering,
  met: Map<string, Answering>,
): Promise<boolean> {
  const { host, address } = server;
  const key = `${host} ${address}`;
  if (met.has(key)) return true;
  met.set(key, server);
  if (read.isVouched(host)) return true;
  const zones = [...read.cuts.values()].filter(
    (cut) => isAtOrBelow(host, cut.zone) && !isRegistry(cut.zone, host),
  );
  const told = await Promise.all(
    zones.map(async (cut) => {
      const heard = await tellers(read, cut, { name: host, type: isIPv6(address) ? "AAAA" : "A" });
      if (!heard.every((one) => tells(read, one, host, address))) return false;
      const known = await Promise.all(heard.map(({ server: teller }) => isTold(read, teller, met)));
      return !known.includes(false);
    }),
  );
  return !told.includes(false);
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

/** An authoritative answer tells the address itself; a referral, by the cut this read went through. */
function tells(read: Read, { message, verdict }: Heard, host: string, address: string): boolean {
  if (verdict.type === "authoritative") {
    return message.answers.some(
      (record) =>
        (record.type === "A" || record.type === "AAAA") &&
        record.name === host &&
        canonicalAddress(record.address) === address,
    );
  }
  const known = read.cuts.get(verdict.cut.zone);
  if (!known || !sameCut(known, verdict.cut)) return false;
  // Of a nameserver in its own zone, the parent's glue is all there is.
  return !known.nameservers.includes(host) || verdict.glue.get(host)?.includes(address) === true;
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
