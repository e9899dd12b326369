import { copyFileSync, linkSync, readdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { says } from "../contract/sentences.ts";
import { deed as run } from "../support/command.ts";
import { type Client, roomy, signIn } from "../support/deed.ts";
import { namesIn } from "../support/facts.ts";
import { freePort, newFolder, type Service, startService } from "../support/service.ts";
import { acknowledgedMore, expectWhole, startWriting, type Writing } from "../support/writing.ts";
import { figure } from "./figures.ts";

const WRITERS = 4;
const BACKUP = "backup.db";

let dataDir: string;
let service: Service;
let client: Client;
let port: number;
const env = () => ({
  DATABASE_PATH: join(dataDir, "deed.db"),
  PORT: String(port),
  ...roomy("API"),
});
const at = (name: string) => join(dataDir, name);

const deed = (...args: string[]) => run(args, { env: { DATA_DIR: dataDir, ...env() } });

beforeEach(async () => {
  dataDir = newFolder();
  port = await freePort();
  await restart();
  client = await signIn(service, "file@holder.example");
  expect(deed("backup", at(BACKUP)).status).toBe(0);
});
afterEach(() => service.kill());

/** Writes during `act`. A name counts as late if its request began after `act`. */
async function underLoad(act: (writing: Writing) => unknown) {
  const writing = startWriting(client, WRITERS);
  await acknowledgedMore(writing, 50);
  await act(writing);
  const { begun, acknowledged, refused } = writing;
  await vi.waitUntil(() => writing.begun >= begun + 50, 30_000);
  await writing.stop();
  const isLate = (name: string) => Number(/-(\d+)\./.exec(name)?.[1]) >= begun;
  const [late, early] = [true, false].map((is) =>
    [...acknowledged].filter((n) => isLate(n) === is),
  );
  return { early: early ?? [], late: late ?? [], refused };
}

async function restart(): Promise<void> {
  service = await startService({ dataDir, port, env: env() });
}

const said = () => service.output().split("while it was open").length - 1;

describe(says("C21.15"), () => {
  it(`after it was removed. ${says("C21.16")}`, async () => {
    const load = await underLoad(() => {
      for (const end of ["", "-wal", "-shm"]) rmSync(at(`deed.db${end}`));
    });
    const { late, refused } = load;
    figure("database removed: acknowledged afterwards", late.length);
    expect(late).toEqual([]);
    expect(new Set(refused)).toEqual(new Set([503]));
    const gone = { status: "failing", reason: "database" };
    expect(await client.get("/api/health")).toMatchObject({
      status: 503,
      body: { ...gone, database: "gone" },
    });
    expect(await client.get("/api/health/ready")).toMatchObject({ status: 503, body: gone });
    expect((await client.get("/api/domains")).status).toBe(200);
    expect(service.child.exitCode).toBeNull();
    await expect.poll(said).toBe(1);
    const open = `/proc/${service.child.pid}/fd`;
    const held = readdirSync(open).find(
      (fd) => readlinkSync(join(open, fd)) === `${at("deed.db")} (deleted)`,
    );
    copyFileSync(join(open, held ?? ""), at("rescued.db"));
    expect(await service.stop()).toBe(0);
    const { status, stdout, stderr } = deed("serve");
    expect([status, stdout]).toEqual([78, ""]);
    expect(stderr).toMatch(/^.*deed restore.*\n$/);
    expect(deed("restore", at("rescued.db")).status).toBe(0);
    await restart();
    expectWhole(at("deed.db"), load.early);
  });

  it("leaves no log to the file that replaced it at the very stop", async () => {
    expect((await client.post("/api/domains", { domain: "acme.com" })).status).toBe(201);
    renameSync(at(BACKUP), at("deed.db"));
    expect(await service.stop()).toBe(0);
    await restart();
    expect(namesIn(at("deed.db"))).toEqual(new Set());
    expectWhole(at("deed.db"));
  });
});

it("sees no fault in checkpoints, VACUUM, a second name, backups, and restores of another folder", async () => {
  const load = await underLoad(async (writing) => {
    linkSync(at("deed.db"), at("second-name.db"));
    const other = new Database(at("deed.db"), { timeout: 10_000 });
    for (let i = 0; i < 3; i++) {
      other.pragma("wal_checkpoint(TRUNCATE)");
      other.exec("vacuum");
      expect(deed("backup", at(`copy${i}.db`)).status).toBe(0);
      await acknowledgedMore(writing, 5);
    }
    other.close();
    const elsewhere = { DATA_DIR: at("elsewhere") };
    expect(run(["restore", at("copy0.db")], { env: elsewhere }).status).toBe(0);
  });
  expect(load.refused).toEqual([]);
  expect((await client.get("/api/health")).body).toMatchObject({ status: "ok", database: "ok" });
  expect(said()).toBe(0);
  figure("database in place: false alarms", said());
});
