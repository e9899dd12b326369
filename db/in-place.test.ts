import { copyFileSync, linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUp } from "./backup.ts";
import { type Db, write } from "./client.ts";
import { openOwnDatabase } from "./open-own.ts";
import { accounts } from "./schema.ts";
import { testFolder } from "./testing.files.ts";

let folder: string;
let path: string;
let db: Db;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = testFolder();
  path = at("deed.db");
  db = openOwnDatabase(path, () => {});
});
afterEach(() => {
  db.$client.close();
});

const add = (id: string) =>
  write(db, (tx) =>
    tx
      .insert(accounts)
      .values({ id: `acc_${id}`, email: `${id}@holder.example`, createdAt: 1 })
      .run(),
  );
const isRefused = () =>
  expect(add("late")).rejects.toMatchObject({ code: "SQLITE_READONLY_DBMOVED" });

describe("a database that is open", () => {
  it.each<[string, () => void]>([
    ["was removed", () => rmSync(path)],
    ["was renamed", () => renameSync(path, at("other.db"))],
    [
      "was replaced by a copy",
      () => {
        copyFileSync(path, at("copy.db"));
        renameSync(at("copy.db"), path);
      },
    ],
    [
      "was replaced by an empty file",
      () => {
        rmSync(path);
        writeFileSync(path, "");
      },
    ],
    ["has lost its log", () => rmSync(`${path}-wal`)],
    ["has lost the index of its log", () => rmSync(`${path}-shm`)],
    ["is in a folder that was renamed", () => renameSync(folder, `${folder}-other`)],
  ])("takes no write once it %s", async (_, act) => {
    await add("early");
    act();
    await isRefused();
    rmSync(`${folder}-other`, { recursive: true, force: true });
  });

  it("takes none even when the file is back, because another may have written to it", async () => {
    renameSync(path, at("other.db"));
    await isRefused();
    renameSync(at("other.db"), path);
    await isRefused();
  });

  it("does not acknowledge what it commits while its file is removed", async () => {
    const during = write(db, () => rmSync(path));
    await expect(during).rejects.toMatchObject({ code: "SQLITE_READONLY_DBMOVED" });
  });

  it("follows the path that it was given, through a symlink", async () => {
    db.$client.close();
    await backUp(path, at("other.db"));
    symlinkSync("deed.db", at("link.db"));
    db = openOwnDatabase(at("link.db"), () => {});
    await add("early");
    symlinkSync("other.db", at("link.new"));
    renameSync(at("link.new"), at("link.db"));
    await isRefused();
  });

  it("is in place through checkpoints, VACUUM, backups and a second name", async () => {
    linkSync(path, at("second.db"));
    for (let i = 0; i < 3; i++) {
      await add(`n${i}`);
      db.$client.pragma("wal_checkpoint(TRUNCATE)");
      db.$client.exec("vacuum");
      await backUp(path, at(`copy${i}.db`));
    }
    expect(db.$isInPlace?.()).toBe(true);
  });
});
