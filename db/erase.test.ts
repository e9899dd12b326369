import { readFileSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { eq, like } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { type Db, openDatabase, write } from "./client.ts";
import { markErased, scrub } from "./erase.ts";
import { accounts, domains } from "./schema.ts";
import { testFile } from "./testing.files.ts";

let path: string;
let db: Db;
beforeEach(() => {
  ({ path, db } = testFile());
});

const bytes = () => Buffer.concat([path, `${path}-wal`].map((file) => readFileSync(file)));
const pending = () => db.$client.pragma("user_version", { simple: true });
/** Enough rows to split every page of the table. */
const people = Array.from({ length: 600 }, (_, at) => ({
  id: `acc_${(at * 7_919) % 600}`,
  email: `person${(at * 104_729) % 99_991}@canary.example`,
  createdAt: 1,
}));

async function eraseHalf(): Promise<string[]> {
  await write(db, (tx) => tx.insert(accounts).values(people).run());
  const gone = people.filter((_, at) => at % 2 === 0);
  await write(db, (tx) => {
    for (const { id } of gone) tx.delete(accounts).where(eq(accounts.id, id)).run();
    markErased(tx);
  });
  return gone.map(({ email }) => email);
}

it("leaves nothing erased in the file or its log, and everything else", async () => {
  const gone = await eraseHalf();
  expect(pending()).toBe(1);
  scrub(db, Number.POSITIVE_INFINITY);
  const left = bytes();
  expect(gone.filter((email) => left.includes(email))).toEqual([]);
  expect(db.select().from(accounts).all()).toHaveLength(300);
  expect(pending()).toBe(0);
});

it("leaves no part of an erased name in the search index", async () => {
  const part = "ぱぴぷ";
  await write(db, (tx) => {
    tx.insert(accounts).values({ id: "acc_1", email: "a@canary.example", createdAt: 1 }).run();
    for (const name of [`${part}.example`, "other.example"]) {
      const row = { id: name, accountId: "acc_1", name, unicodeName: name, createdAt: 1 };
      tx.insert(domains).values(row).run();
    }
  });
  expect(bytes().includes(part)).toBe(true);
  await write(db, (tx) => {
    tx.delete(domains)
      .where(like(domains.name, `${part}%`))
      .run();
    markErased(tx);
  });
  scrub(db, Number.POSITIVE_INFINITY);
  expect(bytes().includes(part)).toBe(false);
  const query = "select count(*) from domain_search where domain_search match ?";
  expect(db.$client.prepare(query).pluck().get("other")).toBe(1);
});

it("keeps the note while the file is too large for now, or somebody else reads or writes", async () => {
  await eraseHalf();
  scrub(db, 4_096);
  expect(pending()).toBe(1);
  const other = openDatabase(path);
  other.$client.exec("begin immediate");
  scrub(db, Number.POSITIVE_INFINITY);
  other.$client.exec("rollback");
  expect(pending()).toBe(1);
  other.$client.close();
  scrub(db, Number.POSITIVE_INFINITY);
  expect(pending()).toBe(0);
});

it("forgets a note whose transaction was rolled back", async () => {
  const failing = write(db, (tx) => {
    markErased(tx);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(pending()).toBe(0);
});

it("rewrites the file once, however long another connection keeps the log from being emptied", async () => {
  const gone = await eraseHalf();
  const other = new Database(path);
  other.exec("begin; select * from accounts");
  scrub(db, Number.POSITIVE_INFINITY);
  const log = statSync(`${path}-wal`).size;
  for (let i = 0; i < 3; i++) scrub(db, Number.POSITIVE_INFINITY);
  expect(statSync(`${path}-wal`).size).toBe(log);
  other.close();
  scrub(db, Number.POSITIVE_INFINITY);
  const left = bytes();
  expect(gone.filter((email) => left.includes(email))).toEqual([]);
  expect(pending()).toBe(0);
});
