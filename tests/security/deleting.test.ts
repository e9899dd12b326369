import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { newEmail, newName, targetService } from "../contract/kit.ts";
import type { Client } from "../support/deed.ts";
import { ownerOfEverything } from "../support/owned.ts";

const target = targetService({});
const WINDOW = 16;
const STEP = 8;

function rowsOf(dataDir: string): string[][] {
  const db = new Database(join(dataDir, "deed.db"), { readonly: true });
  const tables = db.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  const rows = tables.flatMap((table) => db.prepare(`select * from "${table}"`).raw().all());
  db.close();
  return (rows as unknown[][]).map((row) => row.filter((value) => typeof value === "string"));
}

/** As the file has them: the texts of a row side by side. */
const recordsOf = (rows: string[][]): string => rows.map((row) => row.join("")).join("\n");

const ID = /\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{25}\b/g;
const idsIn = (row: string[]): string[] => row.join(" ").match(ID) ?? [];

/** The ids in rows with this text, and in rows with these ids, and so on. */
function idsFrom(text: string, rows: string[][]): Set<string> {
  const ids = new Set(rows.filter((row) => row.includes(text)).flatMap(idsIn));
  // What is added while it is walked is walked too.
  for (const id of ids)
    for (const row of rows) if (idsIn(row).includes(id)) for (const one of idsIn(row)) ids.add(one);
  return ids;
}

/** Overlapping pieces of the deleted texts that do not occur in what is left. */
function canariesOf(gone: string[], left: string): Buffer[] {
  const pieces = gone.flatMap((text) =>
    Array.from({ length: Math.max(1, Math.ceil((text.length - WINDOW) / STEP) + 1) }, (_, at) =>
      text.slice(at * STEP, at * STEP + WINDOW),
    ),
  );
  const whole = pieces.filter((piece) => piece.length === WINDOW && !left.includes(piece));
  return [...new Set(whole)].map((piece) => Buffer.from(piece));
}

function filesOf(dataDir: string): Buffer[] {
  return ["deed.db", "deed.db-wal"]
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path));
}

const foundIn = (files: Buffer[], canaries: Buffer[]) =>
  canaries.filter((canary) => files.some((file) => file.includes(canary)));

async function live(client: Client, domains: number): Promise<void> {
  for (let at = 0; at < domains; at += 1) {
    const name = `${newName().replace(".example", "")}-${"x".repeat((at * 7) % 40)}y.example`;
    const added = (await client.post("/api/domains", { domain: name })).body as { id: string };
    if (at % 2) await client.post("/api/claims", { domainId: added.id });
    if (at % 5 === 0) await client.post(`/api/domains/${added.id}/archive`);
  }
}

it("an erased account is neither in the database file nor in its log", async () => {
  const { client, email } = await ownerOfEverything(target());
  const neighbour = await ownerOfEverything(target());
  const { dataDir } = target().own.service;
  // Interleaves the rows of both accounts, so that they share pages.
  for (let round = 0; round < 4; round += 1)
    await Promise.all([live(client, 20), live(neighbour.client, 20)]);
  await client.post("/api/auth/magic-link", { email, callbackPath: `/domains?${newEmail()}` });

  const rowsBefore = rowsOf(dataDir);
  const before = new Set(rowsBefore.flat());
  const ids = idsFrom(email, rowsBefore);
  const filesBefore = filesOf(dataDir);
  expect((await client.delete("/api/account", { email })).status).toBe(204);
  const filesAfter = filesOf(dataDir);
  const rows = rowsOf(dataDir);
  const after = new Set(rows.flat());
  const gone = [...before].filter((text) => !after.has(text));
  const canaries = canariesOf(gone, recordsOf(rows));
  const present = foundIn(filesBefore, canaries).length;
  const remaining = foundIn(filesAfter, canaries);
  console.log(
    `${gone.length} values gone, ${canaries.length} canaries: ${present} on disk before, ${remaining.length} after`,
  );
  expect(ids.size).toBeGreaterThan(150);
  expect(rows.filter((row) => idsIn(row).some((id) => ids.has(id)))).toEqual([]);
  expect(gone).toContain(email);
  expect(present).toBeGreaterThan(500);
  expect(remaining.map(String)).toEqual([]);
  expect((await neighbour.client.get("/api/domains?limit=100")).status).toBe(200);
});
