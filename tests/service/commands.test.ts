import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openOwnDatabase } from "../../db/open-own.ts";
import { isRoot, nobodyToAsk, deed as run } from "../support/command.ts";
import { Client } from "../support/deed.ts";
import { lacksSharedNode, passOver } from "../support/lacks.ts";
import { deedCommand, productFolder } from "../support/product.ts";
import { closed, freePort, newFolder } from "../support/service.ts";

const bare = { ...closed(), HOME: process.env.HOME };

let folder: string;
let service: ChildProcess | undefined;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => {
  service?.kill("SIGKILL");
  service = undefined;
});

const deed = (args: string[], env: Record<string, string> = {}) => run(args, { cwd: folder, env });

function start(command: string, args: string[], options: SpawnOptions): ChildProcess {
  service = spawn(command, args, { ...options, stdio: "ignore" });
  return service;
}

const exitOf = (child: ChildProcess) =>
  new Promise<number | null>((done) => child.once("exit", (code) => done(code)));

async function untilHealthy(url: string): Promise<void> {
  const live = () => fetch(`${url}/api/health/live`).catch(() => null);
  await expect.poll(live, { timeout: 60_000 }).toMatchObject({ ok: true });
}

describe("usage", () => {
  it("is printed with examples and exit code 0 for --help", () => {
    expect(deed(["--help"])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Exit codes"),
    });
    expect(deed(["backup", "--help"])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("deed backup --keep 7"),
    });
  });

  it.each([
    [["bakup"], "Did you mean backup?"],
    [["backup", "--kep", "3"], "unknown option '--kep'"],
    [["backup", "--keep", "none"], "A whole number from 1"],
    [["backup", "--keep", "3", "x.db"], "leave out the file"],
    [["backup", "one.db", "two.db"], "too many arguments"],
    [["restore"], "missing required argument 'file'"],
    [["users", "add", "nobody"], "is not an email address"],
    [["users", "sign-out"], "name an address, or --all"],
    [["users", "sign-out", "--all", "kim@example.org"], "name an address, or --all"],
  ])("that is wrong (%j) ends with code 2, and writes nothing", (args, said) => {
    const { status, stdout, stderr } = deed(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it("prints versions, and settings without secrets, in no colour", () => {
  const { stdout, status } = deed(["version", "--json"], { FORCE_COLOR: "1", NO_COLOR: "1" });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    commit: expect.stringMatching(/^([0-9a-f]{40}|unknown)$/),
    node: process.versions.node,
    schema: expect.any(Number),
  });
  writeFileSync(join(folder, ".env"), "SMTP_URL=smtp://user:s3cr3t@mail.example.org\n");
  const config = deed(["config"], { MAIL_FROM: "deed@example.org" });
  expect(config).toMatchObject({ status: 0, stderr: "" });
  expect(config.stdout).toMatch(/^SMTP_URL +\.env +smtp:\/\/\(hidden\)@mail\.example\.org$/m);
  expect(config.stdout).toMatch(/^MAIL_FROM +environment +deed@example\.org$/m);
  expect(config.stdout).toContain(join(folder, "data", "deed.db"));
  expect(config.stdout).not.toContain("s3cr3t");
});

it("serves from any folder, and lets the operator list, add, sign in and disable", async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  writeFileSync(join(folder, ".env"), `PORT=${port}\nDNS_RESOLVERS=\nSIGN_UP=closed\n`);
  mkdirSync(join(folder, "public"));
  writeFileSync(join(folder, "public", "private.txt"), "not Deed's to serve");
  expect(deed(["health"])).toMatchObject({ status: 1, stdout: expect.stringContaining("ECONN") });
  expect(deed(["users", "list"])).toMatchObject({ status: 1 });
  expect(existsSync(join(folder, "data"))).toBe(false);

  const serve = () => start(deedCommand(), ["serve"], { cwd: folder, env: bare });
  let serving = serve();
  await untilHealthy(url);
  expect(existsSync(join(folder, "data", "deed.db"))).toBe(true);
  expect((await fetch(`${url}/robots.txt`)).status).toBe(200);
  expect((await fetch(`${url}/private.txt`)).status).toBe(404);
  const page = await (await fetch(`${url}/zones`)).text();
  const style = /href="(\/build\/[^"]+\.css)"/.exec(page)?.[1] ?? "";
  expect((await fetch(url + style)).headers.get("content-type")).toContain("text/css");
  for (const [which, path] of [
    ["", "/api/health"],
    ["--live", "/api/health/live"],
    ["--ready", "/api/health/ready"],
  ] as const) {
    const asked = deed(["health", "--json", ...(which ? [which] : [])]);
    const answer = { url: `http://127.0.0.1:${port}${path}`, status: "ok", reason: null };
    expect([asked.status, JSON.parse(asked.stdout)]).toEqual([0, answer]);
  }

  expect(deed(["users", "link", "ops@example.org"])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("deed users add ops@example.org"),
  });
  expect(deed(["users", "add", "Ops@example.org"])).toMatchObject({ status: 0 });
  const [listed] = JSON.parse(deed(["users", "list", "--json"]).stdout);
  expect(listed).toMatchObject({ email: "ops@example.org", names: 0, disabledAt: null });

  const link = deed(["users", "link", "ops@example.org"]).stdout.trim();
  expect(link.startsWith(`${url}/sign-in/confirm?token=`)).toBe(true);
  const token = new URL(link).searchParams.get("token");
  const client = new Client(url);
  expect((await client.post("/api/auth/magic-link/verify", { token })).status).toBe(200);
  expect((await client.get("/api/auth/session")).body).toMatchObject({
    session: { email: "ops@example.org" },
  });
  expect((await client.post("/api/auth/magic-link/verify", { token })).status).toBe(401);

  const unused = new URL(deed(["users", "link", "ops@example.org"]).stdout.trim());
  expect(deed(["users", "disable", "ops@example.org"])).toMatchObject({ status: 0 });
  expect((await client.get("/api/auth/session")).body).toEqual({ session: null });
  const late = { token: unused.searchParams.get("token") };
  expect((await client.post("/api/auth/magic-link/verify", late)).status).toBe(401);
  expect(deed(["users", "link", "ops@example.org"])).toMatchObject({ status: 1 });
  expect(deed(["users", "enable", "ops@example.org"])).toMatchObject({ status: 0 });
  expect(deed(["users", "link", "ops@example.org"])).toMatchObject({ status: 0 });

  const keys = () => JSON.parse(deed(["keys", "list", "--json"]).stdout) as { kid: string }[];
  await expect.poll(keys, { timeout: 30_000 }).toHaveLength(1);
  const [old] = keys();
  const rotated = deed(["keys", "rotate"]);
  expect(rotated).toMatchObject({ status: 0, stderr: "" });
  serving.kill("SIGTERM");
  expect(await exitOf(serving)).toBe(0);
  serving = serve();
  await untilHealthy(url);
  await expect.poll(keys, { timeout: 30_000 }).toHaveLength(2);
  const [current, retired] = keys();
  expect(rotated.stdout).toContain(current?.kid);
  expect(retired).toEqual({ ...old, until: expect.any(String) });
  const keyFile = join(folder, "data", "signing-key");
  expect(readFileSync(keyFile, "utf8")).toHaveLength(65);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const published = await (await fetch(`${url}/.well-known/jwks.json`)).json();
  expect(published).toMatchObject({ keys: [{ kid: current?.kid }, { kid: old?.kid }] });

  const revoke = (key = "", since = "2026-01-01T00:00:00Z") =>
    deed(["keys", "revoke", "--since", since, "--", key]);
  expect(revoke(old?.kid, "yesterday")).toMatchObject({ status: 2 });
  expect(revoke("x".repeat(43))).toMatchObject({ status: 1 });
  expect(revoke(current?.kid).stdout).toContain("It signs still");
  expect(revoke(old?.kid)).toMatchObject({ status: 0, stderr: "" });
  expect(keys()[1]).toMatchObject({ kid: old?.kid, compromisedSince: "2026-01-01T00:00:00.000Z" });

  // Root's backups belong to the owner of the data folder.
  if (isRoot) chownSync(join(folder, "data"), 4321, 4322);
  const made = [1, 2, 3].map(() => deed(["backup", "--keep", "2"]).stdout.trim());
  const backups = join(folder, "data", "backups");
  expect(readdirSync(backups)).toEqual(made.slice(1).map((path) => path.split("/").at(-1)));
  for (const path of [backups, made[2] ?? ""])
    expect(statSync(path)).toMatchObject(isRoot ? { uid: 4321, gid: 4322 } : {});
  expect(statSync(made[2] ?? "").mode & 0o777).toBe(0o600);

  serving.kill("SIGTERM");
  expect(await exitOf(serving)).toBe(0);
  expect(deed(["restore", join(folder, "none.db")])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(join(folder, "none.db does not exist")),
  });
  expect(deed(["restore", made[2] ?? ""])).toMatchObject({ status: 0 });
  const restored = statSync(join(folder, "data", "deed.db"));
  expect(restored).toMatchObject(isRoot ? { uid: 4321, gid: 4322 } : {});
  expect(restored.mode & 0o777).toBe(0o600);
});

/** A disk of 1 MB; null if this user may mount none. */
function smallDisk(): string | null {
  const disk = newFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", disk]);
  if (mounted.status !== 0) return null;
  onTestFinished(() => void spawnSync("umount", ["-l", disk]));
  return disk;
}

describe("a backup that fails", () => {
  const database = (rows: number) => {
    const file = join(folder, "deed.db");
    const db = openOwnDatabase(file, () => {});
    const add = db.$client.prepare("insert into accounts (id, email, created_at) values (?, ?, 1)");
    for (let i = 0; i < rows; i++) add.run(`acc_${i}`, `${i}${"x".repeat(2_000)}@holder.example`);
    db.$client.close();
    return file;
  };

  it("leaves no folder", () => {
    writeFileSync(join(folder, "deed.db"), "no database");
    for (const env of [{ DATA_DIR: folder }, { DATA_DIR: join(folder, "none") }])
      expect(deed(["backup"], env)).toMatchObject({ status: 1, stdout: "" });
    expect(deed(["backup", "a/b/c.db"], { DATA_DIR: folder })).toMatchObject({ status: 1 });
    expect(readdirSync(folder)).toEqual(["deed.db"]);
  });

  it("says that the disk is full where it is, as a restore does", ({ skip }) => {
    const disk = smallDisk();
    if (disk === null) return skip(passOver("the right to mount a disk"));
    const file = database(1_000);
    const full = (of: string) => ({ status: 1, stdout: "", stderr: `${of}: the disk is full\n` });
    const backup = deed(["backup", join(disk, "new/copy.db")], { DATA_DIR: folder });
    expect(backup).toMatchObject(full("No backup was made"));
    expect(readdirSync(disk)).toEqual([]);
    expect(deed(["restore", file], { DATA_DIR: disk })).toMatchObject(full("Nothing was restored"));
    expect(readdirSync(disk).filter((name) => name.includes("restore"))).toEqual([]);
  });
});

it("does not start on a Node that is not supported, and says which are", () => {
  const old = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })`;
  const script = join(productFolder(), "bin/deed.mjs");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(old)}`, script, "serve"],
    { encoding: "utf8" },
  );
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    "Deed runs on Node 22 and newer; this is 20.20.2. Install a newer one, or Deed's archive, which brings Node.\n",
  );
});

it("passes SIGTERM on from npm start", async () => {
  const port = await freePort();
  const npm = start("npm", ["start"], {
    env: { ...bare, PORT: String(port), DATA_DIR: join(folder, "data"), DNS_RESOLVERS: "" },
  });
  await untilHealthy(`http://localhost:${port}`);
  npm.kill("SIGTERM");
  expect(await exitOf(npm)).toBe(0);
  await expect(fetch(`http://localhost:${port}/api/health/live`)).rejects.toThrow();
});

type Finding = { subject: string; status: string; text: string; advice: string };

it.skipIf(lacksSharedNode())("says of a data folder that is closed to it what to do", () => {
  const data = join(folder, "data");
  mkdirSync(data);
  if (isRoot) chownSync(data, 65534, 65534);
  chmodSync(data, 0);
  chmodSync(folder, 0o755);
  const env = { DATA_DIR: data, ...nobodyToAsk(folder) };
  const { stdout } = run(["doctor", "--json"], { cwd: folder, env, asPlainUser: true });
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  for (const subject of ["Disk", "Files", "Database"])
    expect(findings.find((one) => one.subject === subject)).toMatchObject({
      status: "broken",
      text: expect.stringContaining("is closed to user"),
      advice: expect.stringContaining("Run this as the user that runs Deed"),
    });
});
