import fs, {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BackupError, backUp, checkBackup, restoreInto } from "./backup.ts";
import { type Db, openDatabase, write } from "./client.ts";
import { migrateDatabase } from "./migrate.ts";
import { accounts } from "./schema.ts";

let folder: string;
let path: string;
let db: Db;

const account = (n: number) => ({ id: `acc_${n}`, email: `${n}@holder.example`, createdAt: n });
const add = (to: Db, ...numbers: number[]) =>
  write(to, (tx) => tx.insert(accounts).values(numbers.map(account)).run());
const countOf = (from: Db) => from.select().from(accounts).all().length;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "deed-backup-"));
  path = join(folder, "deed.db");
  db = openDatabase(path);
  migrateDatabase(db);
  await add(db, ...Array(50).keys());
});
afterEach(() => {
  db.$client.close();
  rmSync(folder, { recursive: true, force: true });
});

it("copies a database while it is written to", async () => {
  const target = join(folder, "copy.db");
  const copying = backUp(path, target);
  for (let n = 50; n < 80; n++) await add(db, n);
  await copying;
  checkBackup(target);
  const copy = openDatabase(target);
  expect(countOf(copy)).toBeGreaterThanOrEqual(50);
  copy.$client.close();
});

it("makes backups that carry no WAL mode", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  // File format write and read version (SQLite file format, section 1.3): 1 is legacy, 2 is WAL.
  expect([...readFileSync(target).subarray(18, 20)]).toEqual([1, 1]);
});

it("restores what was backed up, and keeps the database before it", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  await add(db, 999);
  db.$client.close();
  const kept = restoreInto(path, target, join(folder, "before.db"));
  db = openDatabase(path);
  expect(countOf(db)).toBe(50);
  const before = openDatabase(kept ?? "");
  expect(countOf(before)).toBe(51);
  before.$client.close();
});

it("refuses to overwrite a database that a service has open", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  await add(db, 999);
  expect(() => restoreInto(path, target, join(folder, "before.db"))).toThrow(/in use/);
  expect(countOf(db)).toBe(51);
  expect(existsSync(`${path}.restore`)).toBe(false);
});

it("leaves the database in place if it cannot be replaced", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  db.$client.close();
  const { renameSync } = fs;
  fs.renameSync = () => {
    throw new Error("no space");
  };
  syncBuiltinESMExports();
  try {
    expect(() => restoreInto(path, target, join(folder, "before.db"))).toThrow("no space");
  } finally {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  }
  db = openDatabase(path);
  expect(countOf(db)).toBe(50);
  expect(readdirSync(folder).sort()).toEqual(["copy.db", "deed.db", "deed.db-shm", "deed.db-wal"]);
});

it("restores where there is no database yet", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  const fresh = join(folder, "fresh.db");
  expect(restoreInto(fresh, target, join(folder, "before.db"))).toBeNull();
  checkBackup(fresh);
});

it("gives a restored database no log of another", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  await add(db, 999);
  const fresh = join(folder, "fresh.db");
  const before = join(folder, "before.db");
  copyFileSync(`${path}-wal`, `${fresh}-wal`);
  expect(() => restoreInto(fresh, target, before)).toThrow("fresh.db-wal is the log of a");
  expect(existsSync(fresh)).toBe(false);
  rmSync(`${fresh}-wal`);
  restoreInto(fresh, target, before);
  const restored = openDatabase(fresh);
  expect(countOf(restored)).toBe(50);
  restored.$client.close();
});

it("refuses a backup that is damaged, of something else, or missing", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  const bytes = readFileSync(target);
  bytes.fill(0xff, 4096 * 3, 4096 * 9);
  const damaged = join(folder, "damaged.db");
  writeFileSync(damaged, bytes);
  const text = join(folder, "text.db");
  writeFileSync(text, "not a database at all, but long enough to look like a file of some kind");
  const empty = join(folder, "empty.db");
  openDatabase(empty).$client.close();
  db.$client.close();
  copyFileSync(path, join(folder, "as-it-was.db"));
  for (const file of [damaged, text, empty, join(folder, "nowhere.db")])
    expect(() => restoreInto(path, file, join(folder, "before.db"))).toThrow(BackupError);
  // `toEqual` compares octet by octet, which takes seconds.
  expect(readFileSync(path).equals(readFileSync(join(folder, "as-it-was.db")))).toBe(true);
  db = openDatabase(path);
});

it("keeps the old database on a file system without hard links", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  await add(db, 999);
  db.$client.close();
  const { linkSync } = fs;
  fs.linkSync = () => {
    throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
  };
  syncBuiltinESMExports();
  try {
    restoreInto(path, target, join(folder, "before.db"));
  } finally {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
  }
  const before = openDatabase(join(folder, "before.db"));
  expect(countOf(before)).toBe(51);
  before.$client.close();
  db = openDatabase(path);
  expect(countOf(db)).toBe(50);
});

it("names the file that is missing or not Deed's, whether it is copied from or restored over", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  const text = join(folder, "text.db");
  writeFileSync(text, "not a database at all, but long enough to look like a file of some kind");
  const other = join(folder, "other.db");
  const theirs = openDatabase(other);
  theirs.$client.exec("create table notes (text)");
  theirs.$client.close();
  const missing = join(folder, "missing.db");
  for (const file of [text, other, missing]) {
    await expect(backUp(file, join(folder, "of-it.db"))).rejects.toThrow(file);
    await expect(backUp(file, join(folder, "of-it.db"))).rejects.toBeInstanceOf(BackupError);
    expect(existsSync(join(folder, "of-it.db"))).toBe(false);
  }
  for (const file of [text, other])
    expect(() => restoreInto(file, target, join(folder, "before.db"))).toThrow(file);
  expect(readFileSync(text, "utf8")).toContain("not a database");
});

it("writes private files, whatever the mode of the backup, and never through a symlink", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  chmodSync(target, 0o644);
  db.$client.close();
  const elsewhere = join(folder, "elsewhere");
  writeFileSync(elsewhere, "kept");
  symlinkSync(elsewhere, `${path}.restore`);
  restoreInto(path, target, join(folder, "before.db"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(elsewhere, "utf8")).toBe("kept");
  symlinkSync(elsewhere, join(folder, "planted.db"));
  await expect(backUp(path, join(folder, "planted.db"))).rejects.toThrow();
  expect(readFileSync(elsewhere, "utf8")).toBe("kept");
  db = openDatabase(path);
});

it.runIf(process.getuid?.() === 0)("gives what root makes to the folder's owner", async () => {
  chownSync(folder, 4321, 4322);
  const target = join(folder, "copy.db");
  await backUp(path, target);
  db.$client.close();
  restoreInto(path, target, join(folder, "before.db"));
  for (const file of [target, path]) expect(statSync(file)).toMatchObject({ uid: 4321, gid: 4322 });
  db = openDatabase(path);
});

it("refuses a backup of a newer version", async () => {
  const target = join(folder, "copy.db");
  await backUp(path, target);
  const copy = openDatabase(target);
  copy.$client.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9e12)");
  copy.$client.close();
  db.$client.close();
  expect(() => restoreInto(path, target, join(folder, "before.db"))).toThrow(/newer version/);
  db = openDatabase(path);
  expect(countOf(db)).toBe(50);
});
