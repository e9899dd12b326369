import { createHash } from "node:crypto";

/** SHA-256, 32 octets. */
export type Hash = Uint8Array;

/** The hash of a complete subtree: of the entries from `index · 2^level` to just before `(index + 1) · 2^level`. */
export type Subtrees = (level: number, index: number) => Hash;

const sha256 = (...parts: Uint8Array[]): Hash => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)];

/** The hash of a leaf (RFC 6962 section 2.1). */
export const leafHash = (entry: Uint8Array): Hash => sha256(LEAF, entry);

/** The hash of an inner node (RFC 6962 section 2.1). */
export const nodeHash = (left: Hash, right: Hash): Hash => sha256(NODE, left, right);

/** The level of the largest complete subtree with fewer than `count` entries; `count` is at least 2. */
function levelBelow(count: number): number {
  let level = 0;
  while (2 ** (level + 1) < count) level += 1;
  return level;
}

/** The hash of the `count` entries from `start` on, which is a multiple of the next power of two. */
function hashOf(subtrees: Subtrees, start: number, count: number): Hash {
  const level = Math.log2(count);
  if (Number.isInteger(level) && 2 ** level === count) return subtrees(level, start / count);
  const left = levelBelow(count);
  return nodeHash(
    subtrees(left, start / 2 ** left),
    hashOf(subtrees, start + 2 ** left, count - 2 ** left),
  );
}

/** The root of the tree of the first `size` entries. */
export const rootOf = (subtrees: Subtrees, size: number): Hash =>
  size === 0 ? sha256() : hashOf(subtrees, 0, size);

/** The inclusion proof of an entry in the tree of the first `size`, the leaf's sibling first (RFC 6962 section 2.1.1). */
export function inclusionPath(subtrees: Subtrees, index: number, size: number): Hash[] {
  const path: Hash[] = [];
  let [start, count] = [0, size];
  while (count > 1) {
    const left = 2 ** levelBelow(count);
    if (index < start + left) {
      path.push(hashOf(subtrees, start + left, count - left));
      count = left;
    } else {
      path.push(hashOf(subtrees, start, left));
      [start, count] = [start + left, count - left];
    }
  }
  return path.reverse();
}

export type Subtree = { level: number; index: number; hash: Hash };

/** The subtrees of more than one entry that the entry at `index` completes, smallest first. */
export function completedBy(subtrees: Subtrees, index: number, leaf: Hash): Subtree[] {
  const completed: Subtree[] = [];
  let [level, at, hash] = [0, index, leaf];
  while (at % 2 === 1) {
    hash = nodeHash(subtrees(level, at - 1), hash);
    [level, at] = [level + 1, (at - 1) / 2];
    completed.push({ level, index: at, hash });
  }
  return completed;
}
