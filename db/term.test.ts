import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, expect, it } from "vitest";
import { type Db, write } from "./client.ts";
import { beginTerm, readTerm, renewTerm, termOf } from "./term.ts";
import { testFile } from "./testing.files.ts";

let folder: string;
let path: string;
let db: Db;
beforeEach(() => {
  ({ folder, path, db } = testFile());
});

const begin = (holder: string, now: number) => write(db, (tx) => beginTerm(tx, holder, now));

it("begins with the first primary, and stays while that one restarts", async () => {
  expect(termOf(db)).toBe(0);
  await begin("10.0.0.1", 1_000);
  await begin("10.0.0.1", 2_000);
  expect(termOf(db)).toBe(1_000);
  expect(readTerm(path)).toBe(1_000);
});

it("rises with every promotion, whatever the clock of the promoted node says", async () => {
  await begin("10.0.0.1", 1_000);
  await begin("10.0.0.2", 2_000);
  expect(termOf(db)).toBe(2_000);
  await begin("10.0.0.1", 500);
  expect(termOf(db)).toBe(2_001);
});

it("begins anew with a restored database, though the same node leads", async () => {
  await begin("10.0.0.1", 1_000);
  await write(db, (tx) => renewTerm(tx, "10.0.0.1", 3_000));
  expect(termOf(db)).toBe(3_000);
});

it("is none where there is no database yet, or one of an older schema", () => {
  expect(readTerm(join(folder, "none.db"))).toBe(0);
  const old = new Database(join(folder, "old.db"));
  old.exec("create table accounts (id)");
  old.close();
  expect(readTerm(join(folder, "old.db"))).toBe(0);
});
