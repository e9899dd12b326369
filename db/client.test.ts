import { eq, sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { openDatabase, type Tx, write } from "./client.ts";
import { accounts, claims } from "./schema.ts";
import { testFile } from "./testing.files.ts";
import { testDatabase } from "./testing.ts";

const insert = (tx: Tx) =>
  tx.insert(accounts).values({ id: "acc_1", email: "ada@acme.test", createdAt: 1 }).run();

it("rolls everything back if the work throws or would wait", async () => {
  const db = testDatabase();
  const failing = write(db, (tx) => {
    insert(tx);
    throw new RangeError("no");
  });
  await expect(failing).rejects.toThrow(new RangeError("no"));
  await expect(write(db, async (tx) => insert(tx))).rejects.toThrow(TypeError);
  expect(db.$client.inTransaction).toBe(false);
  expect(db.select().from(accounts).all()).toEqual([]);
  expect(await write(db, (tx) => insert(tx).changes)).toBe(1);
  expect(db.$client.inTransaction).toBe(false);
  expect(db.select().from(accounts).all()).toHaveLength(1);
});

it("waits up to five seconds for another writer, and reads meanwhile", async () => {
  const { path, db } = testFile();
  const other = openDatabase(path);
  other.$client.exec("begin immediate");
  const writing = write(db, (tx) => insert(tx).changes);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(db.select().from(accounts).all()).toEqual([]);
  other.$client.exec("rollback");
  expect(await writing).toBe(1);

  other.$client.exec("begin immediate");
  const time = vi
    .spyOn(performance, "now")
    .mockReturnValueOnce(0)
    .mockReturnValueOnce(4_999)
    .mockReturnValue(5_001);
  await expect(write(db, () => {})).rejects.toMatchObject({ code: "SQLITE_BUSY" });
  expect(time).toHaveBeenCalledTimes(3);
  time.mockRestore();
  other.$client.close();
});

it("prepares a query once, however often it is built, in each of its forms", () => {
  const { db } = testFile();
  const prepare = vi.spyOn(db.$client, "prepare");
  const { id, email } = accounts;
  const shapes = () => {
    const query = db.select({ id, email }).from(accounts);
    return [query.all(), query.values(), db.all(sql.raw(query.toSQL().sql))];
  };
  db.insert(accounts).values({ id: "acc_1", email: "ada@acme.test", createdAt: 1 }).run();
  const first = shapes();
  const count = prepare.mock.calls.length;
  expect(first[0]).toEqual([{ id: "acc_1", email: "ada@acme.test" }]);
  expect(first[1]).toEqual([["acc_1", "ada@acme.test"]]);
  expect(first[2]).toEqual(first[0]);
  expect(shapes()).toEqual(first);
  expect(prepare).toHaveBeenCalledTimes(count);
});

it("plans a query for any value, so that no run compiles it anew", () => {
  const { db } = testFile();
  const query = db.select({ id: claims.id }).from(claims);
  const planFor = (state: "pending" | "proved") => {
    const { sql: text, params } = query.where(eq(claims.state, state)).toSQL();
    return db.$client.prepare(`explain query plan ${text}`).all(params);
  };
  expect(planFor("pending")).toEqual(planFor("proved"));
});
