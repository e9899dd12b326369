import { expect, it } from "vitest";
import { type Tx, write } from "./client.ts";
import { accounts } from "./schema.ts";
import { testDatabase } from "./testing.ts";

const insert = (tx: Tx) =>
  tx.insert(accounts).values({ id: "acc_1", email: "ada@acme.test", createdAt: 1 }).run();

it("commits what the work has written, and gives back what it returns", async () => {
  const db = testDatabase();
  expect(await write(db, (tx) => insert(tx).changes)).toBe(1);
  expect(db.$client.inTransaction).toBe(false);
  expect(db.select().from(accounts).all()).toHaveLength(1);
});

it("takes everything back where the work throws, or would wait", async () => {
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
});
