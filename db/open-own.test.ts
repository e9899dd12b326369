import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { launch } from "../tests/support/service.ts";
import { type Migration, RefusedDatabase, schemaOf } from "./migrate.ts";
import { checkDatabase, checkNotLost, leaveTrace, openOwnDatabase, traceFile } from "./open-own.ts";
import { eachFolder } from "./testing.files.ts";
import { copyMigrated, databaseBefore } from "./testing.ts";

const folder = eachFolder();
const path = () => folder("deed.db");

const files = () =>
  Object.fromEntries(
    readdirSync(folder()).map((name) => [name, readFileSync(folder(name), "latin1")]),
  );

it("a database that is missing is a new one, unless something shows that there was one", () => {
  const trace = traceFile({ DATA_DIR: folder() });
  checkNotLost(path(), trace);
  leaveTrace(trace);
  expect(() => checkNotLost(path(), trace)).toThrow(RefusedDatabase);
  writeFileSync(path(), "");
  expect(() => checkNotLost(path(), trace)).toThrow(/missing or empty.*deed restore/);
  copyMigrated(path());
  checkNotLost(path(), trace);
});

function open(): Migration[] {
  const reports: Migration[] = [];
  checkDatabase(path());
  openOwnDatabase(path(), (migration) => reports.push(migration)).$client.close();
  return reports;
}

function change(statements: string): void {
  const sqlite = new Database(path());
  sqlite.exec(statements);
  sqlite.close();
}

function schema() {
  const sqlite = new Database(path());
  const read = schemaOf(sqlite);
  sqlite.close();
  return read;
}

function expectRefusal(reason: RegExp): void {
  const before = files();
  expect(open).toThrow(RefusedDatabase);
  expect(open).toThrow(reason);
  expect(files()).toEqual(before);
}

describe("a database that is opened", () => {
  it("is created, and reported once", () => {
    const [made] = open();
    expect(made).toMatchObject({ from: null, to: schema().newest, tookMs: expect.any(Number) });
    expect(made?.applied[0]).toBe("0000_initial");
    expect(open()).toEqual([]);
  });

  it("is migrated from an earlier schema, by what it lacks", () => {
    writeFileSync(path(), databaseBefore("0006_ways_in").$client.serialize());
    const [done] = open();
    expect(done).toMatchObject({ from: 5, to: schema().newest });
    expect(done?.applied.slice(0, 2)).toEqual(["0006_ways_in", "0007_awaited"]);
    expect(open()).toEqual([]);
  });

  it("may be an empty file, or an empty database", () => {
    writeFileSync(path(), "");
    expect(open()).toHaveLength(1);
    rmSync(path());
    change("pragma journal_mode = wal; create table t (x); drop table t");
    expect(open()).toHaveLength(1);
  });

  it("is migrated once where two processes start at the same moment", async () => {
    const script = `import { reserveDatabase } from "./db/lock.ts";
      import { checkDatabase, openOwnDatabase } from "./db/open-own.ts";
      checkDatabase(${JSON.stringify(path())});
      await reserveDatabase(${JSON.stringify(path())}, 60_000, console.error);
      openOwnDatabase(${JSON.stringify(path())}, () => console.log("migrated")).$client.close();`;
    const runs = Array.from({ length: 2 }, async () => {
      const args = ["--no-warnings", "--experimental-strip-types", "--input-type=module"];
      const { ended, printed } = launch(process.execPath, [...args, "-e", script]);
      await ended;
      return printed();
    });
    expect((await Promise.all(runs)).join("")).toBe("migrated\n");
  });
});

describe("C21.14: a database that is refused, and left as it was", () => {
  it("has a newer schema", () => {
    copyMigrated(path());
    const number = schema().newest + 1;
    change("insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)");
    expectRefusal(
      new RegExp(
        `^${path()} has schema ${number}, and this version of Deed knows schema ${number - 1} at most: install the newer version, or restore the backup from before the upgrade$`,
      ),
    );
  });

  it.each(["delete", "wal"])("is another program's, in journal mode %s", (mode) => {
    change(`pragma journal_mode = ${mode}; create table users (id)`);
    expectRefusal(/deed\.db belongs to another program$/);
  });

  it("is another program's that also migrates by drizzle", () => {
    change(`create table users (id); create table __drizzle_migrations (hash, created_at);
      insert into __drizzle_migrations values ('x', 1)`);
    expectRefusal(/deed\.db belongs to another program$/);
  });

  it.each(["hello\n", "x".repeat(5_000)])("is no database", (text) => {
    writeFileSync(path(), text);
    expectRefusal(/deed\.db is not a database$/);
  });

  it("lacks what its migrations made", () => {
    writeFileSync(path(), databaseBefore("0006_ways_in").$client.serialize());
    change("create table account_events (id)");
    expect(open).toThrow(
      /deed\.db is not as Deed left it, so migration 0\S+ was undone \(.+\): restore a backup$/,
    );
    expect(schema().number).toBe(5);
  });

  it("is locked by another process", () => {
    copyMigrated(path());
    const other = new Database(path());
    other.exec("pragma locking_mode = exclusive; begin exclusive");
    expect(() => openOwnDatabase(path(), () => {})).toThrow(
      /deed\.db is locked by another process$/,
    );
    other.close();
  });

  it("is damaged", () => {
    copyMigrated(path());
    writeFileSync(path(), readFileSync(path()).fill(7, 100));
    expectRefusal(/deed\.db is damaged: restore a backup$/);
  });
});
