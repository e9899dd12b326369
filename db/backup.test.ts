import fs, {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { passOver } from "../tests/support/lacks.ts";
import { BackupError, backUp, checkBackup, restoreInto } from "./backup.ts";
import { type Db, openDatabase, write } from "./client.ts";
import { accounts } from "./schema.ts";
import { testFile } from "./testing.files.ts";

let folder: string;
let path: string;
let db: Db;
/** A backup of `target`, made before each test, and where a restore keeps the replaced file. */
let target: string;
let before: string;

const account = (n: number) => ({ id: `acc_${n}`, email: `${n}@holder.example`, createdAt: n });
const add = (to: Db, ...numbers: number[]) =>
  write(to, (tx) => tx.insert(accounts).values(numbers.map(account)).run());
const countOf = (from: Db) => from.select().from(accounts).all().length;
const countIn = (file: string) => {
  const sqlite = openDatabase(file);
  const count = countOf(sqlite);
  sqlite.$client.close();
  return count;
};

beforeEach(async () => {
  ({ folder, path, db } = testFile());
  await add(db, ...Array(50).keys());
  target = join(folder, "copy.db");
  before = join(folder, "before.db");
  await backUp(path, target);
});

function textFile(): string {
  const text = join(folder, "text.db");
  writeFileSync(text, "not a database at all, but long enough to look like a file of some kind");
  return text;
}

/** Makes a file system function fail for the rest of the test. */
function failing(name: "linkSync" | "renameSync", error: Error): void {
  vi.spyOn(fs, name).mockImplementation(() => {
    throw error;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}

it("copies a database while it is written to, without its WAL mode", async () => {
  const other = join(folder, "other.db");
  const copying = backUp(path, other);
  for (let n = 50; n < 80; n++) await add(db, n);
  await copying;
  checkBackup(other);
  expect(countIn(other)).toBeGreaterThanOrEqual(50);
  // File format write and read version (SQLite file format, section 1.3): 1 is legacy, 2 is WAL.
  expect([...readFileSync(target).subarray(18, 20)]).toEqual([1, 1]);
});

const LINKS = ["with", "without"];
const withoutLinks = () =>
  failing("linkSync", Object.assign(new Error("operation not permitted"), { code: "EPERM" }));

it.each(LINKS)(
  "restores a backup and keeps the database before it, %s hard links",
  async (links) => {
    await add(db, 999);
    db.$client.close();
    if (links === "without") withoutLinks();
    expect(await restoreInto(path, target, before)).toBe(before);
    expect([countIn(path), countIn(before)]).toEqual([50, 51]);
  },
);

it("refuses to overwrite a database that a service has open", async () => {
  await add(db, 999);
  await expect(restoreInto(path, target, before)).rejects.toThrow(/in use/);
  expect(countOf(db)).toBe(51);
  expect(existsSync(`${path}.restore`)).toBe(false);
});

it("leaves the database in place if it cannot be replaced", async () => {
  db.$client.close();
  failing("renameSync", new Error("no space"));
  await expect(restoreInto(path, target, before)).rejects.toThrow("no space");
  expect(countIn(path)).toBe(50);
  expect(readdirSync(folder).sort()).toEqual(["copy.db", "deed.db"]);
});

it("restores where there is no database yet, unless there is the log of another", async () => {
  await add(db, 999);
  const fresh = join(folder, "fresh.db");
  copyFileSync(`${path}-wal`, `${fresh}-wal`);
  await expect(restoreInto(fresh, target, before)).rejects.toThrow("fresh.db-wal is the log of a");
  expect(existsSync(fresh)).toBe(false);
  rmSync(`${fresh}-wal`);
  expect(await restoreInto(fresh, target, before)).toBeNull();
  expect(countIn(fresh)).toBe(50);
});

it("refuses a backup that is damaged or of something else", async () => {
  const bytes = readFileSync(target);
  bytes.fill(0xff, 4096 * 3, 4096 * 9);
  const damaged = join(folder, "damaged.db");
  writeFileSync(damaged, bytes);
  const text = textFile();
  const empty = join(folder, "empty.db");
  openDatabase(empty).$client.close();
  db.$client.close();
  copyFileSync(path, join(folder, "as-it-was.db"));
  for (const file of [damaged, text, empty])
    await expect(restoreInto(path, file, before)).rejects.toThrow(BackupError);
  // `toEqual` would compare octet by octet, which takes seconds.
  expect(readFileSync(path).equals(readFileSync(join(folder, "as-it-was.db")))).toBe(true);
});

it("names the file that is missing or not Deed's, whether it is copied from or restored over", async () => {
  const text = textFile();
  const other = join(folder, "other.db");
  const theirs = openDatabase(other);
  theirs.$client.exec("create table notes (text)");
  theirs.$client.close();
  for (const file of [text, other, join(folder, "missing.db")]) {
    await expect(backUp(file, join(folder, "of-it.db"))).rejects.toThrow(file);
    await expect(backUp(file, join(folder, "of-it.db"))).rejects.toBeInstanceOf(BackupError);
    expect(existsSync(join(folder, "of-it.db"))).toBe(false);
  }
  for (const file of [text, other])
    await expect(restoreInto(file, target, before)).rejects.toThrow(file);
  expect(readFileSync(text, "utf8")).toContain("not a database");
});

it("writes private files, whatever the mode of the backup, and never through a symlink", async () => {
  chmodSync(target, 0o644);
  db.$client.close();
  const elsewhere = join(folder, "elsewhere");
  writeFileSync(elsewhere, "kept");
  symlinkSync(elsewhere, `${path}.restore`);
  await restoreInto(path, target, before);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(elsewhere, "utf8")).toBe("kept");
  symlinkSync(elsewhere, join(folder, "planted.db"));
  await expect(backUp(path, join(folder, "planted.db"))).rejects.toThrow();
  expect(readFileSync(elsewhere, "utf8")).toBe("kept");
});

const isRoot = process.getuid?.() === 0;
const OWNER = { uid: 4321, gid: 4322 };

/** The backup as a copy that belongs to root and is open to others. */
function copyOfRoot(): string {
  const copy = join(folder, "of-root.db");
  writeFileSync(copy, readFileSync(target), { mode: 0o644 });
  chmodSync(copy, 0o644);
  return copy;
}

/** The file that this process still has open under the removed database's name. */
function openFile(): string {
  rmSync(path);
  const number = readdirSync("/proc/self/fd").find((one) => {
    try {
      return readlinkSync(`/proc/self/fd/${one}`) === `${path} (deleted)`;
    } catch {
      return false;
    }
  });
  return `/proc/${process.pid}/fd/${number}`;
}

describe.skipIf(!isRoot && passOver("root, who gives files to others"))("as root", () => {
  it("gives what it makes to the folder's owner", async () => {
    chownSync(folder, OWNER.uid, OWNER.gid);
    rmSync(target);
    await backUp(path, target);
    expect(statSync(target)).toMatchObject(OWNER);
  });

  it.each(LINKS)(
    "gives what it restores from a copy of root's to the folder's owner, %s hard links",
    async (links) => {
      db.$client.close();
      const data = join(folder, "data");
      mkdirSync(data);
      const restored = join(data, "deed.db");
      const kept = join(data, "before.db");
      copyFileSync(path, restored);
      chownSync(data, OWNER.uid, OWNER.gid);
      if (links === "without") withoutLinks();
      await restoreInto(restored, copyOfRoot(), kept);
      expect(readdirSync(data).sort()).toEqual(["before.db", "deed.db"]);
      for (const file of [restored, kept]) expect(statSync(file)).toMatchObject(OWNER);
      expect(statSync(restored).mode & 0o777).toBe(0o600);
    },
  );
});

it.skipIf(process.platform !== "linux" && passOver("Linux, which shows open files"))(
  "restores the open file of a removed database, and writes nothing beside what it reads",
  async () => {
    db.$client.pragma("wal_checkpoint(TRUNCATE)");
    const fresh = join(folder, "fresh.db");
    const left = readdirSync(folder).filter((name) => name !== "deed.db");
    await restoreInto(fresh, openFile(), before);
    expect(readdirSync(folder).sort()).toEqual([...left, "fresh.db"].sort());
    expect(countIn(fresh)).toBe(50);
  },
);

it("refuses a backup of a newer version", async () => {
  const copy = openDatabase(target);
  copy.$client.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9e12)");
  copy.$client.close();
  db.$client.close();
  await expect(restoreInto(path, target, before)).rejects.toThrow(/newer version/);
  expect(countIn(path)).toBe(50);
});
