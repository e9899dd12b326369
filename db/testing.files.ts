import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, onTestFinished } from "vitest";
import { openDatabase } from "./client.ts";
import { copyMigrated } from "./testing.ts";

export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "deed-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes such a folder for each test. The result tells its path, or that of a name in it. */
export function eachFolder(): (name?: string) => string {
  let folder = "";
  beforeEach(() => {
    folder = testFolder();
  });
  return (name = "") => join(folder, name);
}

/** A migrated database in a file of such a folder, closed after the test. */
export function testFile() {
  const folder = testFolder();
  const path = join(folder, "deed.db");
  copyMigrated(path);
  const db = openDatabase(path);
  onTestFinished(() => void db.$client.close());
  return { folder, path, db };
}
