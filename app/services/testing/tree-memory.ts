import type { SignedTree, SignedTreeMemory } from "../log/signed-tree.server.ts";

/** A memory of what was signed, without a file. */
export function treeMemory(): SignedTreeMemory {
  let kept: SignedTree | null = null;
  return {
    keep(tree) {
      kept = tree;
      return "";
    },
    recall: () => kept,
  };
}
