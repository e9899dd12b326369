import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { compiled, rowsOf } from "./compiled.ts";
import { accounts, signInLinks } from "./schema.ts";
import { testDatabase } from "./testing.ts";

const account = { id: "acc_1", email: "ada@acme.test", createdAt: 1_700_000_000_000 };

it("binds and reads as drizzle does, booleans, defaults and nulls among the columns", () => {
  const db = testDatabase();
  db.insert(accounts).values(account).run();
  const query = db
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, sql.placeholder("id")), eq(accounts.mailEnabled, true)));
  const { statement, bind } = compiled(db, query);
  const cells = statement.raw().get(bind({ id: account.id })) as unknown[];
  const expected = query.prepare().get({ id: account.id });
  expect(expected?.mailEnabled).toBe(true);
  expect(rowsOf(accounts, 0)(cells)).toEqual(expected);
  expect(statement.raw().get(bind({ id: "acc_2" }))).toBeUndefined();
});

it("takes a table's columns from where they begin", () => {
  const db = testDatabase();
  const columns = Object.keys(getTableColumns(signInLinks));
  const cells = [null, null, ...columns.map((_, place) => place)];
  expect(Object.values(rowsOf(signInLinks, 2)(cells))).toEqual(columns.map((_, place) => place));
  db.$client.close();
});

it("refuses to bind a placeholder nobody gave a value", () => {
  const db = testDatabase();
  const { statement, bind } = compiled(
    db,
    db
      .select()
      .from(accounts)
      .where(eq(accounts.id, sql.placeholder("id"))),
  );
  expect(() => statement.get(bind({}))).toThrow(RangeError);
});
