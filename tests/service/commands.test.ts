import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openOwnDatabase } from "../../db/open-own.ts";
import { deed as run } from "../support/command.ts";
import { Client } from "../support/deed.ts";
import { deedCommand, productFolder, productVersion } from "../support/product.ts";
import { closed, freePort, launch, newFolder } from "../support/service.ts";
import { smallDisk } from "../support/small-disk.ts";

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

function start(...program: Parameters<typeof launch>) {
  const started = launch(...program);
  service = started.child;
  return started;
}

async function untilHealthy(url: string): Promise<void> {
  const live = () => fetch(`${url}/api/health/live`).catch(() => null);
  await expect.poll(live, { timeout: 60_000 }).toMatchObject({ ok: true });
}

describe("usage", () => {
  it("is printed with examples and exit code 0 for --help", () => {
    const stdout = expect.stringContaining("deed backup --keep 7");
    expect(deed(["backup", "--help"])).toMatchObject({ status: 0, stdout });
  });

  it.each([
    [["bakup"], "Did you mean backup?"],
    [["backup", "--kep", "3"], "unknown option '--kep'"],
    [["backup", "--keep", "none"], "A whole number from 1"],
    [["restore"], "missing required argument 'file'"],
    [["users", "sign-out", "--all", "kim@example.org"], "name an address, or --all"],
    [["users", "sign-out", ""], '"" is not an email address'],
    [["users", "link", "", "--first"], '"" is not an email address'],
    [["keys", "revoke", "x", "--since", "2026-02-30T08:00:00Z"], "--since must be a time"],
    [["verify", "receipt.json", "--require", ""], "An option is empty"],
  ])("that is wrong (%j) ends with code 2, and writes nothing", (args, said) => {
    const { status, stdout, stderr } = deed(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it("prints versions, in no colour", () => {
  const { stdout, status } = deed(["version", "--json"], { FORCE_COLOR: "1", NO_COLOR: "1" });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    version: productVersion().version,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    node: process.versions.node,
    schema: expect.any(Number),
  });
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

  const serving = start(deedCommand(), ["serve"], { cwd: folder, env: bare });
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

  // app/features/sign-in has what links and disabled accounts do.
  expect(deed(["users", "disable", "ops@example.org"])).toMatchObject({ status: 0 });
  expect((await client.get("/api/auth/session")).body).toEqual({ session: null });
  expect(deed(["users", "link", "ops@example.org"])).toMatchObject({ status: 1 });
  expect(deed(["users", "enable", "ops@example.org"])).toMatchObject({ status: 0 });
  expect(deed(["users", "link", "ops@example.org"])).toMatchObject({ status: 0 });

  // db/backup.test.ts has what belongs to whom.
  deed(["backup"]);
  const made = deed(["backup", "--keep", "1"]).stdout.trim();
  expect(readdirSync(dirname(made))).toEqual([basename(made)]);
  serving.child.kill("SIGTERM");
  expect(await serving.ended).toBe(0);
  expect(deed(["restore", made])).toMatchObject({ status: 0 });
});

it("C12.20, C12.21: prints the command for the first account, whose link is dead once there is one", async () => {
  const port = await freePort();
  const at = { PORT: String(port), BASE_URL: "https://deed.example.org" };
  const { printed } = start(deedCommand(), ["serve"], { cwd: folder, env: { ...bare, ...at } });
  await untilHealthy(`http://localhost:${port}`);
  const offer = /For a link that opens the first, run: (.*)"}/;
  await expect.poll(printed).toMatch(offer);
  const [, command = ""] = offer.exec(printed()) ?? [];
  expect(command).toContain(`cd ${folder} && `);
  expect(printed()).toContain("closed to strangers");
  expect(printed()).not.toContain("token=");
  const page = await (await fetch(`http://localhost:${port}/sign-in`)).text();
  expect(page).toContain("This installation is closed");

  // Types the printed command, in another folder, without the service's environment.
  const type = (address = "ADDRESS") => {
    const typed = command.replace(/ADDRESS$/, address);
    return spawnSync("sh", ["-c", typed], { cwd: "/", env: bare, encoding: "utf8" });
  };
  expect(type()).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('"ADDRESS" is not an email address'),
  });
  expect(type("")).toMatchObject({ status: 2, stderr: expect.stringContaining("set ADMIN") });
  const tokens = [1, 2].map(() => {
    const { stdout, stderr } = type("Kim@Example.org");
    expect(stderr).toContain("kim@example.org. Nobody has confirmed this address");
    expect(stdout).toMatch(/^https:\/\/deed\.example\.org\/sign-in\/confirm\?token=[\w-]{43}\n$/);
    return new URL(stdout.trim()).searchParams.get("token");
  });
  const client = new Client(`http://localhost:${port}`);
  const verify = (token = tokens.pop()) => client.post("/api/auth/magic-link/verify", { token });
  expect((await verify()).body).toMatchObject({ account: { email: "kim@example.org" } });
  expect((await verify()).status).toBe(401);
  expect(type("eve@example.org")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("There is already an account"),
  });
  await client.post("/api/auth/magic-link", { email: "eve@example.org" });
  await expect.poll(printed).toContain('"reason":"sign_up"');
});

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

  it("says that the disk is full where it is, as a restore does", (test) => {
    const disk = smallDisk(test, 1);
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
  npm.child.kill("SIGTERM");
  expect(await npm.ended).toBe(0);
  await expect(fetch(`http://localhost:${port}/api/health/live`)).rejects.toThrow();
});
