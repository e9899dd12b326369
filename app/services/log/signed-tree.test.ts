import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SignedTreeFile } from "./signed-tree.server.ts";

const TREE = { origin: "deed.test/log/01234567", size: 3, root: "root" };

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deed-signed-"));
  path = join(folder, "signed-tree");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("remembers across processes, to whom has the stamp", () => {
  expect(new SignedTreeFile(path).recall(null)).toBeNull();
  const own = new SignedTreeFile(path);
  const stamp = own.keep(TREE);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(own.recall(null)).toEqual(TREE);
  expect(new SignedTreeFile(path).recall(stamp)).toEqual(TREE);
  expect(new SignedTreeFile(path).recall(null)).toBeNull();
  expect(new SignedTreeFile(path).recall("1.2")).toBeNull();
});

it("forgets the stamp before, whoever wrote since", () => {
  const one = new SignedTreeFile(path);
  const before = one.keep(TREE);
  const stamp = new SignedTreeFile(path).keep({ ...TREE, size: 4 });
  expect(one.recall(before)).toBeNull();
  expect(one.recall(stamp)).toEqual({ ...TREE, size: 4 });
});

it("does not take a restored file for its own, even one written over it", () => {
  const backup = join(folder, "backup");
  const stamp = new SignedTreeFile(path).keep(TREE);
  copyFileSync(path, backup);
  copyFileSync(backup, path);
  expect(new SignedTreeFile(path).recall(stamp)).toBeNull();
});

it("is nothing if it cannot be read", () => {
  const stamp = new SignedTreeFile(path).keep(TREE);
  writeFileSync(path, "{");
  const { ino, ctimeNs } = statSync(path, { bigint: true });
  expect(stamp).not.toBe(`${ino}.${ctimeNs}`);
  expect(new SignedTreeFile(path).recall(`${ino}.${ctimeNs}`)).toBeNull();
});
