import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { SECRET } from "../../scripts/release/image.mjs";
import { Client } from "../support/deed.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { answering, type Program, run, runIn, startProgram, treeOn } from "./tree.ts";

const URL = "http://localhost:3000";
let tree: string;
let mail: MailServer;

/** Made by scripts/release/image.mjs. */
const IMAGE = resolve(".cache/image");
const said = readFileSync(join(IMAGE, "image.json"), "utf8");
const { config } = JSON.parse(said).OCIv1;
const image = {
  env: Object.fromEntries(config.Env.map((pair: string) => pair.split(/=(.*)/s).slice(0, 2))),
  user: config.User as string,
  workdir: config.WorkingDir as string,
  /** Folders that are writable although the root is not. */
  volumes: Object.keys(config.Volumes),
  healthcheck: JSON.parse(
    /^ +test: (.*)$/m.exec(readFileSync("compose.yaml", "utf8"))?.[1] ?? "",
  ).slice(1) as string[],
};

beforeAll(async () => {
  tree = treeOn([join(IMAGE, "root")]);
  const [uid = ""] = image.user.split(":");
  run("mount", ["--bind", tree, tree]);
  run("mount", ["-o", "remount,bind,ro", tree]);
  const own = ["-t", "tmpfs", "-o", `mode=0700,uid=${uid},gid=${uid}`, "tmpfs"];
  for (const volume of image.volumes) run("mount", [...own, join(tree, volume)]);
  run("mount", ["-t", "tmpfs", "tmpfs", join(tree, "tmp")]);
  mail = await startMailServer(2525);
});

const asUser = (command: readonly string[]) => {
  const [uid, gid] = image.user.split(":");
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  const none = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];
  return ["setpriv", ...ids, ...none, "env", "-C", image.workdir, ...command];
};

const environment = () => ({
  ...image.env,
  BASE_URL: URL,
  DNS_RESOLVERS: "",
  SMTP_URL: mail.url,
  MAIL_FROM: "deed@example.org",
});

function start(what = config.Cmd) {
  const mount = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
  const command = ["sh", "-c", mount, tree, ...asUser([...config.Entrypoint, ...what])];
  const namespaces = ["--pid", "--fork", "--kill-child", "--mount"];
  return startProgram("unshare", [...namespaces, ...command], environment());
}

const inTree = (args: string[]) => runIn(tree, asUser(args), environment());
const health = () => inTree(["deed", "health"]);
const nodeOf = (container: Program) =>
  Number(run("ps", ["-o", "pid=", "--ppid", String(container.child.pid)]));

/** Ends node, which survives a killed `unshare` since it changed its user. Resolves with the exit code. */
function stop(container: Program): Promise<number | null> {
  const ended = container.end("SIGCONT");
  process.kill(nodeOf(container), "SIGTERM");
  return ended;
}

const statusOf = (pid: number, field: string) =>
  new RegExp(`^${field}:\\s+(.*)$`, "m")
    .exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    ?.split(/\s+/);

it("has what this commit makes, and nothing that lay beside the clone", () => {
  const head = run("git", ["rev-parse", "HEAD"]).trim();
  expect(JSON.parse(inTree(["deed", "version", "--json"]).stdout).commit).toBe(head);
  const found = spawnSync("grep", ["-rlF", SECRET, join(IMAGE, "root")], { encoding: "utf8" });
  expect([found.status, found.stdout]).toEqual([1, ""]);
  expect(said).not.toContain(SECRET);
  expect(readdirSync(join(IMAGE, "root/opt"))).toEqual(["deed"]);
  expect(existsSync(join(IMAGE, "root/src"))).toBe(false);
});

it("runs node as PID 1 and as a user without privileges, on a read-only root", async () => {
  for (const email of ["first@holder.example", "second@holder.example"]) {
    const container = start();
    await answering(container, URL);
    const pid = nodeOf(container);
    expect(readlinkSync(`/proc/${pid}/exe`)).toMatch(/\/opt\/deed\/bin\/node$/);
    expect(statusOf(pid, "NSpid")?.at(-1)).toBe("1");
    expect(statusOf(pid, "Uid")).toEqual(["10001", "10001", "10001", "10001"]);
    expect(statusOf(pid, "CapBnd")).toEqual(["0000000000000000"]);
    expect(runIn(tree, asUser(["touch", "/opt/deed/x"])).stderr).toContain("Read-only file system");

    const healthy = runIn(tree, asUser(image.healthcheck), environment());
    expect([healthy.status, healthy.stderr]).toEqual([0, ""]);
    expect(health()).toMatchObject({ status: 0 });
    await new Client(URL).post("/api/auth/magic-link", { email, callbackPath: "/domains" });
    await expect.poll(() => mail.mails.some((text) => text.includes(email))).toBe(true);

    expect(await stop(container)).toBe(0);
    expect(runIn(tree, asUser(image.healthcheck), environment()).status).toBe(1);
  }
});

it("runs the demo for whom a port of this machine leads to it", async () => {
  const container = start(["demo"]);
  const other = "http://127.0.0.2";
  await answering(container, `${other}:3000`);
  const panel = await fetch(`${other}:3001/`, { redirect: "manual" });
  expect(panel.headers.get("location")).toBe("http://localhost:3001/");
  expect(await (await fetch("http://localhost:3001/")).text()).toContain("acme.com");
  expect(await stop(container)).toBe(0);
});
