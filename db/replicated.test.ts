import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { type Db, isWritable, openDatabase, type Replication, write } from "./client.ts";
import { schemaOf } from "./migrate.ts";
import { openReplicated } from "./open-own.ts";
import { accounts } from "./schema.ts";
import { eachFolder } from "./testing.files.ts";

const ignore = () => {};
const isMigrated = ({ $client }: Db) => schemaOf($client).pending.length === 0;

const folder = eachFolder();
const path = () => folder("deed.db");
/** A copy that is writable or not; its position advances only if `moves` is true. */
function replication({ writable = true, moves = true } = {}) {
  const receipts: bigint[] = [];
  let position = 0n;
  const copy: Replication = {
    isWritable: () => writable,
    waitUntilWritable: async () => {
      if (!writable) throw new Error("refused at the door");
    },
    position: () => (moves ? position++ : position),
    confirmCommit: (before) => {
      receipts.push(before);
      if (!moves) throw new Error("no receipt");
    },
    readOnlyError: () => new Error("refused"),
    outcomeUnknownError: () => new Error("lost"),
  };
  return { copy, receipts };
}

const account = { id: "acc_1", email: "one@holder.example", createdAt: 1 };

it("migrates a copy that takes writes, in journal mode DELETE", async () => {
  const db = await openReplicated(path(), replication().copy, ignore);
  expect(isMigrated(db)).toBe(true);
  expect(db.$client.pragma("journal_mode", { simple: true })).toBe("delete");
  expect(Number(db.$client.pragma("busy_timeout", { simple: true }))).toBeGreaterThanOrEqual(2_000);
  db.$client.close();
});

it("waits on any other copy until the schema has come", async () => {
  let isOpen = false;
  const opening = openReplicated(path(), replication({ writable: false }).copy, ignore).then(
    (db) => {
      isOpen = true;
      return db;
    },
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  const primary = new Database(path());
  primary.exec("pragma user_version = 2");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isOpen).toBe(false);
  primary.close();
  const whole = await openReplicated(path(), replication().copy, ignore);
  const db = await opening;
  expect(isMigrated(db)).toBe(true);
  expect(isWritable(db)).toBe(false);
  whole.$client.close();
  db.$client.close();
});

type Kind = Parameters<typeof replication>[0] & { query_only?: boolean };

it.each<[string, Kind, string]>([
  ["is not admitted", { writable: false }, "refused at the door"],
  ["has no receipt", { moves: false }, "no receipt"],
  ["turns out to be on a copy that takes none", { query_only: true }, "refused"],
])("acknowledges no write that %s", async (_, { query_only = false, ...kind }, reason) => {
  (await openReplicated(path(), replication().copy, ignore)).$client.close();
  const db = openDatabase(path(), replication(kind).copy);
  if (query_only) db.$client.pragma("query_only = ON");
  const writing = write(db, (tx) => tx.insert(accounts).values(account).run());
  await expect(writing).rejects.toThrow(reason);
  expect(db.$client.inTransaction).toBe(false);
  db.$client.close();
});

it("asks a receipt for what changed something, and for nothing else", async () => {
  const { copy, receipts } = replication();
  const db = await openReplicated(path(), copy, ignore);
  await write(db, (tx) => tx.select().from(accounts).all());
  expect(receipts).toHaveLength(0);
  await write(db, (tx) => tx.insert(accounts).values(account).run());
  expect(receipts).toHaveLength(1);
  db.$client.close();
});
