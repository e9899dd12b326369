import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Db, write } from "../../db/client.ts";
import { markErased, scrub } from "../../db/erase.ts";
import { openOwnDatabase } from "../../db/open-own.ts";
import { accounts } from "../../db/schema.ts";
import { countIn } from "../support/facts.ts";
import { deedCommand } from "../support/product.ts";
import { newFolder } from "../support/service.ts";
import { expectWhole } from "../support/writing.ts";
import { buildLitestream } from "./build.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/operate/backup.md"), "utf8");
const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(page) ?? [];

let folder: string;
let data: string;
let replica: string;
let config: string;
let db: Db;
let litestream: ChildProcess | null = null;
beforeEach(() => {
  folder = newFolder();
  data = join(folder, "data");
  replica = join(folder, "replica");
  config = join(folder, "litestream.yml");
  for (const made of [data, replica]) mkdirSync(made, { mode: 0o700 });
  const here = yaml.replace("/var/lib/deed/deed.db", join(data, "deed.db"));
  writeFileSync(config, here.replace("/mnt/backups/deed", replica));
  db = openOwnDatabase(join(data, "deed.db"), () => {});
  litestream = spawn(buildLitestream(), ["replicate", "-config", config], { stdio: "ignore" });
});
afterEach(() => {
  litestream?.kill("SIGKILL");
  db.$client.close();
});

const add = (id: string) =>
  write(db, (tx) =>
    tx
      .insert(accounts)
      .values({ id, email: `${id}@holder.example`, createdAt: 1 })
      .run(),
  );

/** Restores the newest state with Litestream, then into a new data folder with `deed restore`. */
function restore(to: string): string {
  const file = `${to}.copy`;
  rmSync(file, { force: true });
  spawnSync(buildLitestream(), ["restore", "-config", config, "-o", file, join(data, "deed.db")]);
  const { status } = spawnSync(deedCommand(), ["restore", file], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: to },
  });
  return status === 0 ? join(to, "deed.db") : "";
}

async function restoredWith(id: string): Promise<string> {
  for (let i = 0; i < 100; i++) {
    const path = restore(join(folder, `restored-${i}-${id}`));
    const sql = `select count(*) from accounts where id = '${id}'`;
    if (path && countIn(path, sql) === 1) return path;
    await sleep(500);
  }
  throw new Error(`${id} did not arrive in the replica`);
}

it("restores what was written from a file replica, by the settings of docs/operate/backup.md", async () => {
  for (let i = 0; i < 300; i++) await add(`first${i}`);
  await add("last");
  const path = await restoredWith("last");
  expectWhole(path);
  expect(countIn(path, "select count(*) from accounts")).toBe(301);
});

it("lets what is erased leave the restored database, though the log is emptied only later", async () => {
  await add("gone");
  await add("stays");
  await restoredWith("gone");
  await write(db, (tx) => {
    tx.delete(accounts).where(eq(accounts.id, "gone")).run();
    markErased(tx);
  });
  for (let i = 0; i < 3; i++) scrub(db, Number.POSITIVE_INFINITY);
  const log = statSync(join(data, "deed.db-wal")).size;
  scrub(db, Number.POSITIVE_INFINITY);
  expect(statSync(join(data, "deed.db-wal")).size).toBe(log);
  await add("after");
  const path = await restoredWith("after");
  expect(readFileSync(path).includes("gone@holder.example")).toBe(false);

  const ended = new Promise((done) => litestream?.once("exit", done));
  litestream?.kill("SIGTERM");
  await ended;
  scrub(db, Number.POSITIVE_INFINITY);
  const left = Buffer.concat(["", "-wal"].map((end) => readFileSync(join(data, `deed.db${end}`))));
  expect(left.includes("gone@holder.example")).toBe(false);
});
