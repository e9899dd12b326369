import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Db, write } from "./client.ts";
import { openOwnDatabase } from "./open-own.ts";
import { accounts } from "./schema.ts";
import { testFolder } from "./testing.files.ts";
import { copyMigrated } from "./testing.ts";

let folder: string;
let path: string;
let db: Db;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = testFolder();
  path = at("deed.db");
  copyMigrated(path);
  db = openOwnDatabase(path, () => {});
});
afterEach(() => {
  db.$client.close();
});

const add = (id: string) => {
  const row = { id: `acc_${id}`, email: `${id}@holder.example`, createdAt: 1 };
  return write(db, (tx) => tx.insert(accounts).values(row).run());
};
const isRefused = (writing: Promise<unknown> = add("late")) =>
  expect(writing).rejects.toMatchObject({ code: "SQLITE_READONLY_DBMOVED" });

describe("a database that is open", () => {
  it.each<[string, () => unknown]>([
    ["was removed", () => rmSync(path)],
    ["was emptied", () => [rmSync(path), writeFileSync(path, "")]],
    ["was replaced", () => [writeFileSync(at("other.db"), ""), renameSync(at("other.db"), path)]],
    ["has lost its log", () => rmSync(`${path}-wal`)],
    ["has lost the index of its log", () => rmSync(`${path}-shm`)],
    ["is in a folder that was renamed", () => renameSync(folder, `${folder}-other`)],
  ])("takes no write once it %s", async (_, act) => {
    await add("early");
    act();
    await isRefused();
    rmSync(`${folder}-other`, { recursive: true, force: true });
  });

  it("takes none once its path leads to another file", async () => {
    for (const name of ["one.db", "two.db"]) copyMigrated(at(name));
    symlinkSync("one.db", at("link.db"));
    const linked = openOwnDatabase(at("link.db"), () => {});
    rmSync(at("link.db"));
    symlinkSync("two.db", at("link.db"));
    await isRefused(write(linked, () => {}));
    linked.$client.close();
  });

  it("takes none even when the file is back, because another may have written to it", async () => {
    renameSync(path, at("other.db"));
    await isRefused();
    renameSync(at("other.db"), path);
    await isRefused();
  });

  it("does not acknowledge what it commits while its file is removed", async () => {
    await isRefused(write(db, () => rmSync(path)));
  });
});
