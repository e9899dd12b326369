import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { Client } from "../support/deed.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { build, type Image } from "./containerfile.ts";
import { answering, newTree, type Program, run, runIn, startProgram } from "./tree.ts";

const URL = "http://localhost:3000";
let tree: string;
let image: Image;
let mail: MailServer;

beforeAll(async () => {
  tree = newTree();
  image = build("Containerfile", tree, { ARCH: process.arch });
  const [uid = ""] = image.user.split(":");
  run("mount", ["--bind", tree, tree]);
  run("mount", ["-o", "remount,bind,ro", tree]);
  for (const volume of image.volumes)
    run("mount", [
      "-t",
      "tmpfs",
      "-o",
      `mode=0700,uid=${uid},gid=${uid}`,
      "tmpfs",
      join(tree, volume),
    ]);
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

function start() {
  const mount = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
  const command = ["sh", "-c", mount, tree, ...asUser(image.command)];
  return startProgram(
    "unshare",
    ["--pid", "--fork", "--kill-child", "--mount", ...command],
    environment(),
  );
}

const inTree = (args: string[]) => runIn(tree, asUser(args), environment());
const health = () => inTree(["deed", "health"]);
const nodeOf = (container: Program) =>
  Number(run("ps", ["-o", "pid=", "--ppid", String(container.child.pid)]));

/** Ends node, which outlives a killed `unshare` since it changed its user. Resolves with the exit code. */
function stop(container: Program): Promise<number | null> {
  const ended = container.end("SIGCONT");
  process.kill(nodeOf(container), "SIGTERM");
  return ended;
}

const statusOf = (pid: number, field: string) =>
  new RegExp(`^${field}:\\s+(.*)$`, "m")
    .exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    ?.split(/\s+/);

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
    await expect
      .poll(() => mail.mails.some((text) => text.includes(email)), { timeout: 20_000 })
      .toBe(true);

    expect(await stop(container)).toBe(0);
    expect(runIn(tree, asUser(image.healthcheck), environment()).status).toBe(1);
  }
});
