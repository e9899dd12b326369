import { expect, it } from "vitest";
import {
  completedBy,
  type Hash,
  inclusionPath,
  leafHash,
  nodeHash,
  rootOf,
  type Subtrees,
} from "./merkle.ts";

const hex = (hash: Hash) => Buffer.from(hash).toString("hex");
const entry = (n: number) => Buffer.from(`entry ${n}`);

/** A tree that is appended to one entry at a time. */
function treeOf(size: number): Subtrees {
  const hashes = new Map<string, Hash>();
  const subtrees: Subtrees = (level, index) => {
    const hash = hashes.get(`${level}/${index}`);
    if (!hash) throw new Error(`no subtree ${level}/${index}`);
    return hash;
  };
  for (let n = 0; n < size; n++) {
    const leaf = leafHash(entry(n));
    hashes.set(`0/${n}`, leaf);
    for (const { level, index, hash } of completedBy(subtrees, n, leaf))
      hashes.set(`${level}/${index}`, hash);
  }
  return subtrees;
}

/** MTH of RFC 6962 section 2.1, by its definition. */
function definedRoot(from: number, count: number): Hash {
  if (count === 1) return leafHash(entry(from));
  let k = 1;
  while (k * 2 < count) k *= 2;
  return nodeHash(definedRoot(from, k), definedRoot(from + k, count - k));
}

/** RFC 9162 section 2.1.3.2. */
function rootFrom(path: Hash[], index: number, size: number, leaf: Hash): Hash | null {
  let [fn, sn, r] = [index, size - 1, leaf];
  for (const p of path) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else r = nodeHash(r, p);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 ? r : null;
}

it("hashes the inputs of RFC 6962's reference code as it does", () => {
  // The test data of the CT reference implementation: eight leaves and the root of each prefix.
  const leaves = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
  ].map((text) => leafHash(Buffer.from(text, "hex")));
  const hashes = new Map<string, Hash>();
  const subtrees: Subtrees = (level, index) => hashes.get(`${level}/${index}`) ?? Buffer.alloc(0);
  const roots = leaves.map((leaf, n) => {
    hashes.set(`0/${n}`, leaf);
    for (const { level, index, hash } of completedBy(subtrees, n, leaf))
      hashes.set(`${level}/${index}`, hash);
    return hex(rootOf(subtrees, n + 1));
  });
  expect(hex(rootOf(subtrees, 0))).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  expect(roots).toEqual([
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]);
});

it("has the root and the proofs of every prefix", () => {
  const subtrees = treeOf(70);
  for (let size = 1; size <= 70; size++) {
    const root = hex(definedRoot(0, size));
    expect(hex(rootOf(subtrees, size))).toBe(root);
    for (let index = 0; index < size; index++) {
      const path = inclusionPath(subtrees, index, size);
      expect(hex(rootFrom(path, index, size, leafHash(entry(index))) ?? Buffer.alloc(0))).toBe(
        root,
      );
    }
  }
});
