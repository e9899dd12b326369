import { answersReader, answersResolvers, transportsOf } from "./manners.ts";
import { addressesAt, addressesOwn, holdsToken, type ZoneTree } from "./zone-tree.ts";

/** How long after a read its verdict must hold: the longest that a server stays away. */
const AFTERWARDS_MS = 60_000;

/** An honest machine that answers somebody. `hasToken`: over every transport that it answers. */
type Honest = {
  address: string;
  hasToken: boolean;
  isForReader: boolean;
  isSplit: boolean;
  isOneOfTwo: boolean;
};

/** The honest ones of these machines that answer somebody at this time, or soon again. */
const honestAt = (tree: ZoneTree, addresses: readonly string[], at: number): Honest[] =>
  addresses.flatMap((address) => {
    const machine = tree.servers.get(address);
    if (machine?.hold !== "honest") return [];
    const { manner, holding } = machine;
    const when = [at, at + AFTERWARDS_MS];
    if (!when.some((time) => answersResolvers(manner, time))) return [];
    const named = tree.levels.flatMap((level) => level.servers);
    return {
      address,
      hasToken: transportsOf(manner).every((one) => holdsToken(machine, one, at)),
      isForReader: when.some((time) => answersReader(manner, address, time, tree.hasIpv6)),
      isSplit: holding === "over_udp" || holding === "over_tcp",
      isOneOfTwo: named.some((one) => one.addresses.length > 1 && one.addresses.includes(address)),
    };
  });

/**
 * Whether a read at this time may find the token: at some zone on the way every honest machine that answers somebody
 * has it, or none is honest. Only machines of the last zone have it; a zone above may be held by the same ones, which
 * then show no cut, because they are authoritative for both. `isOwn`: most resolvers know the last zone by its own list
 * of nameservers, so that the machines on it count too. Times are milliseconds from the first read. `counts`: which of
 * the machines to consider.
 */
export function mayProve(
  tree: ZoneTree,
  at: number,
  isOwn: boolean,
  counts: (machine: Honest) => boolean = () => true,
): boolean {
  const honest = (addresses: readonly string[]) => honestAt(tree, addresses, at).filter(counts);
  if (tree.far.length > 0 && honest(tree.far).length === 0) return true;
  return tree.levels.some((level) => {
    const delegated = honest(addressesAt(level));
    const named = isOwn ? honest(addressesOwn(level)) : [];
    return delegated.length === 0 || [...delegated, ...named].every(({ hasToken }) => hasToken);
  });
}

/** Why a proof is wrong: what would deny it. */
export type Objection =
  | "one address of a nameserver"
  | "one transport of a nameserver"
  | "the zone's own nameserver"
  | "a nameserver only for resolvers"
  | "a nameserver";

/** What would have denied the token that a read at this time found, the narrowest case that holds; null if nothing. */
export function objection(tree: ZoneTree, at: number, isOwn: boolean): Objection | null {
  const isAllowed = (counts?: (machine: Honest) => boolean) => mayProve(tree, at, isOwn, counts);
  if (isAllowed()) return null;
  if (isAllowed(({ isOneOfTwo }) => !isOneOfTwo)) return "one address of a nameserver";
  if (isAllowed(({ isOneOfTwo, isSplit }) => !isOneOfTwo && !isSplit))
    return "one transport of a nameserver";
  if (mayProve(tree, at, false)) return "the zone's own nameserver";
  return isAllowed(({ isForReader }) => isForReader)
    ? "a nameserver only for resolvers"
    : "a nameserver";
}
