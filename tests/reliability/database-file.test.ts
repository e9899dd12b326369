import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  linkSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { says } from "../contract/sentences.ts";
import { type Client, roomy, signIn } from "../support/deed.ts";
import { namesIn } from "../support/facts.ts";
import { deedCommand } from "../support/product.ts";
import { freePort, newFolder, type Service, startService } from "../support/service.ts";
import { acknowledgedMore, expectWhole, startWriting } from "../support/writing.ts";
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

const deed = (...args: string[]) =>
  spawnSync(deedCommand(), args, {
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dataDir, ...env() },
    encoding: "utf8",
    timeout: 60_000,
  });

beforeEach(async () => {
  dataDir = newFolder();
  port = await freePort();
  await restart();
  client = await signIn(service, "file@holder.example");
  expect(deed("backup", at(BACKUP)).status).toBe(0);
});
afterEach(() => service.kill());

/** Writes while `act` is done. A name counts as late if its request began afterwards. */
async function underLoad(act: () => unknown) {
  const writing = startWriting(client, WRITERS);
  await acknowledgedMore(writing, 50);
  await act();
  const { begun, acknowledged, refused } = writing;
  await sleep(1_500);
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

function expectNone(): void {
  expect(namesIn(at("deed.db"))).toEqual(new Set());
  expectWhole(at("deed.db"));
}

const said = () => service.output().split("while it was open").length - 1;

async function expectNoticed(
  what: string,
  { late, refused }: { late: string[]; refused: number[] },
) {
  figure(`database ${what}: acknowledged afterwards`, late.length);
  expect(late.length).toBe(0);
  expect(new Set(refused)).toEqual(new Set([503]));
  const gone = { status: "failing", reason: "database" };
  expect(await client.get("/api/health")).toMatchObject({
    status: 503,
    body: { ...gone, database: "gone" },
  });
  expect(await client.get("/api/health/ready")).toMatchObject({ status: 503, body: gone });
  expect((await client.get("/api/domains")).status).toBe(200);
  expect(service.child.exitCode).toBeNull();
  await expect.poll(said, { timeout: 10_000 }).toBe(1);
}

function refusedStart(): string {
  const { status, stdout, stderr } = deed("serve");
  expect([status, stdout]).toEqual([78, ""]);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  return stderr;
}

describe(says("C21.15"), () => {
  it(`after it was removed. ${says("C21.16")}`, async () => {
    const load = await underLoad(() => {
      for (const end of ["", "-wal", "-shm"]) rmSync(at(`deed.db${end}`));
    });
    await expectNoticed("removed", load);
    const open = `/proc/${service.child.pid}/fd`;
    const held = readdirSync(open).find(
      (fd) => readlinkSync(join(open, fd)) === `${at("deed.db")} (deleted)`,
    );
    copyFileSync(join(open, held ?? ""), at("rescued.db"));
    expect(await service.stop()).toBe(0);
    expect(refusedStart()).toContain("deed restore");
    expect(deed("restore", at("rescued.db")).status).toBe(0);
    await restart();
    expectWhole(at("deed.db"), load.early);
  });

  it("after it was renamed, and leaves all it acknowledged in the renamed file", async () => {
    const load = await underLoad(() => renameSync(at("deed.db"), at("old.db")));
    await expectNoticed("renamed", load);
    await service.kill();
    expect(refusedStart()).toContain("deed restore");
    renameSync(at("old.db"), at("deed.db"));
    await restart();
    expectWhole(at("deed.db"), load.early);
  });

  it("after it was replaced, and leaves no log to the file that replaced it", async () => {
    const load = await underLoad(() => {
      linkSync(at("deed.db"), at("old.db"));
      renameSync(at(BACKUP), at("deed.db"));
    });
    await expectNoticed("replaced", load);
    expectWhole(at("old.db"), load.early);
    await service.kill();
    await restart();
    expectNone();
  });

  it("leaves no log to the file that replaced it at the very stop", async () => {
    expect((await client.post("/api/domains", { domain: "acme.com" })).status).toBe(201);
    renameSync(at(BACKUP), at("deed.db"));
    expect(await service.stop()).toBe(0);
    await restart();
    expectNone();
  });

  it("after its log was removed, and loses none", async () => {
    const load = await underLoad(() => rmSync(at("deed.db-wal")));
    await expectNoticed("without its log", load);
    await service.kill();
    await restart();
    expectWhole(at("deed.db"), load.early);
  });

  it("after its path leads to another file", async () => {
    await service.stop();
    for (const name of ["one.db", "two.db"]) copyFileSync(at(BACKUP), at(name));
    rmSync(at("deed.db"));
    symlinkSync("one.db", at("deed.db"));
    await restart();
    client = await signIn(service, "link@holder.example");
    const load = await underLoad(() => {
      symlinkSync("two.db", at("link"));
      renameSync(at("link"), at("deed.db"));
    });
    await expectNoticed("under a link that was changed", load);
  });
});

it("sees no fault in checkpoints, VACUUM, a second name, backups, and restores of another folder", async () => {
  const load = await underLoad(async () => {
    linkSync(at("deed.db"), at("second-name.db"));
    const other = new Database(at("deed.db"), { timeout: 10_000 });
    for (let i = 0; i < 3; i++) {
      other.pragma("wal_checkpoint(TRUNCATE)");
      other.exec("vacuum");
      expect(deed("backup", at(`copy${i}.db`)).status).toBe(0);
      await sleep(100);
    }
    other.close();
    const elsewhere = spawnSync(deedCommand(), ["restore", at("copy0.db")], {
      env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: at("elsewhere") },
    });
    expect(elsewhere.status).toBe(0);
    const { status, stderr } = deed("restore", at("copy0.db"));
    expect([status, stderr]).toEqual([1, expect.stringContaining("stop it first")]);
  });
  expect(load.refused).toEqual([]);
  expect((await client.get("/api/health")).body).toMatchObject({ status: "ok", database: "ok" });
  expect(said()).toBe(0);
  figure("database in place: false alarms", said());
});
