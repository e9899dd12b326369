// `npm run test:packed`: makes a release for this machine and tries it in a bare Debian without a network: install,
// demo, proof, backup, restore, upgrade, refused downgrade, the systemd units, and the Containerfile's steps.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { run } from "./setup.mjs";

/** The exit code if this machine cannot run the test: nothing was tested. */
const NOT_HERE = 3;
const BASE = ".cache/debian-systemd";
const SUITE = "bookworm";
const NAMESPACE = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];

const has = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

function skip(what) {
  console.error(
    `\n!!! THE PACKED TEST DID NOT RUN. This machine lacks: ${what}.\n!!! Nothing about an installation was tested.\n`,
  );
  process.exit(NOT_HERE);
}

/** Fetches a bare Debian once. */
function fetchDebian() {
  if (existsSync(BASE)) return;
  rmSync(`${BASE}.part`, { recursive: true, force: true });
  mkdirSync(".cache", { recursive: true });
  console.log("Fetching a bare Debian …");
  const which = ["--variant=minbase", "--include=dbus,systemd", SUITE];
  const { status } = spawnSync("debootstrap", [...which, `${BASE}.part`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) skip("a mirror of Debian that debootstrap can reach");
  renameSync(`${BASE}.part`, BASE);
}

const lacking = [
  [
    "root, or rights to make namespaces",
    process.getuid() === 0 && has("unshare", ...NAMESPACE, "true"),
  ],
  ["debootstrap (package debootstrap)", has("debootstrap", "--version")],
  ["ip (package iproute2)", has("ip", "-V")],
].filter(([, there]) => !there);
if (lacking.length > 0) skip(lacking.map(([name]) => name).join("; "));
fetchDebian();
run(process.execPath, ["scripts/release.mjs", process.arch]);
rmSync(".cache/packed", { recursive: true, force: true });
run("unshare", [
  ...NAMESPACE,
  ...["sh", "-c", 'ip link set lo up && exec "$@"', "sh"],
  ...["npx", "vitest", "run", "--project", "packed", "--no-file-parallelism"],
]);
rmSync(".cache/packed", { recursive: true, force: true });
