import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { backupName, deleteOlderBackups, newestBackupAt } from "./backup.ts";
import { eachFolder } from "./testing.files.ts";

const folder = eachFolder();
const nameOf = (day: number) => backupName(new Date(Date.UTC(2026, 10, day)));

it("keeps the newest backups, and every file of another name", () => {
  const others = ["deed.db", "before.db", "deed-2026-11-01.db", `${nameOf(1)}.part`];
  for (const name of [1, 2, 3, 4, 5].map(nameOf).concat(others)) writeFileSync(folder(name), "");
  mkdirSync(folder(backupName(new Date(0))));
  deleteOlderBackups(folder(), nameOf(5), 2);
  const left = [...others, nameOf(4), nameOf(5), backupName(new Date(0))];
  expect(readdirSync(folder()).sort()).toEqual(left.sort());
});

it("never deletes the newest, even if the clock went back", () => {
  for (const name of [1, 2, 3].map(nameOf)) writeFileSync(folder(name), "");
  deleteOlderBackups(folder(), nameOf(1), 1);
  expect(readdirSync(folder())).toEqual([nameOf(1)]);
});

it("tells when the newest backup was made, of the folder while it has none, and nothing without one", () => {
  const dated = (path: string, seconds: number) => utimesSync(path, seconds, seconds);
  expect(newestBackupAt(folder("backups"))).toBeNull();
  dated(folder(), 1_000);
  expect(newestBackupAt(folder())).toBe(1_000_000);
  for (const [name, seconds] of [
    [nameOf(1), 3_000],
    [nameOf(2), 4_000],
    [`${nameOf(3)}.part`, 9_000],
  ] as const) {
    writeFileSync(folder(name), "");
    dated(folder(name), seconds);
  }
  expect(newestBackupAt(folder())).toBe(4_000_000);
});
