import { answersResolvers, transportsOf } from "./manners.ts";
import { addressesAt, addressesOwn, holdsToken, type ZoneTree } from "./zone-tree.ts";

/** How long after a read its verdict must be right: the longest that a server stays away. */
const AFTERWARDS_MS = 60_000;

/** An honest machine that answers somebody. `hasToken`: over every transport on which it answers. */
type Honest = { hasToken: boolean; isOneOfTwo: boolean };

/** The honest machines among these that answer somebody at this time, or soon again. */
const honestAt = (tree: ZoneTree, addresses: readonly string[], at: number): Honest[] =>
  addresses.flatMap((address) => {
    const machine = tree.servers.get(address);
    if (machine?.hold !== "honest") return [];
    const { manner } = machine;
    if (![at, at + AFTERWARDS_MS].some((time) => answersResolvers(manner, time))) return [];
    const named = tree.levels.flatMap((level) => level.servers);
    return {
      hasToken: transportsOf(manner).every((one) => holdsToken(machine, one, at)),
      isOneOfTwo: named.some((one) => one.addresses.length > 1 && one.addresses.includes(address)),
    };
  });

/**
 * Whether a read at this time (ms from the first read) may find the token: in some zone on the way every honest machine
 * that answers somebody has it, or none is honest. The last zone's machines may also serve a zone above, and then show no
 * cut. `isOwn`: most resolvers know the last zone by its own list, so the machines on that list count too.
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
