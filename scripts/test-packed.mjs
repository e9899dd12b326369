// `npm run test:packed`: makes a release for this machine and tries it in a bare Debian without a network: install,
// demo, proof, the image of the Containerfile, and what the pages for operators have people type (tests/pages).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { buildImage } from "./release/image.mjs";
import { run } from "./setup.mjs";

/** The exit code if this machine cannot run the test: nothing was tested. */
const NOT_HERE = 3;
const BASE = ".cache/debian-systemd";
const SUITE = "bookworm";
/** What the pages call beside Deed, in a layer over the bare Debian. */
const PROGRAMS =
  "ca-certificates curl openssl nginx-light prometheus fail2ban python3-systemd fuse3 libnss-systemd iproute2 procps git";
const LAYER = ".cache/debian-programs";
const ADD_PROGRAMS = `
cd ${LAYER}
mount -t overlay overlay -o lowerdir=../debian-systemd,upperdir=files,workdir=work tree
cd tree
mount -t proc proc proc
cp /etc/resolv.conf etc/
printf '#!/bin/sh\\nexit 101\\n' >usr/sbin/policy-rc.d
chmod 755 usr/sbin/policy-rc.d
export DEBIAN_FRONTEND=noninteractive
chroot . apt-get update -qq
chroot . apt-get install -y -qq --no-install-recommends ${PROGRAMS}
chroot . apt-get clean
rm -r usr/sbin/policy-rc.d var/lib/apt/lists/*
# Each is started by its page, not by the boot.
chroot . systemctl disable nginx prometheus fail2ban`;
/** Outside the namespace: Go fetches their modules. */
const BUILD = `const build = await import("./tests/cluster/build.ts");
build.buildLitefs();
build.buildLitestream();`;
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

function addPrograms() {
  const made = `${LAYER}/made`;
  if (existsSync(made) && readFileSync(made, "utf8") === ADD_PROGRAMS) return;
  rmSync(LAYER, { recursive: true, force: true });
  for (const name of ["files", "work", "tree"]) mkdirSync(`${LAYER}/${name}`, { recursive: true });
  console.log("Fetching the programs that the pages call …");
  const { status } = spawnSync("unshare", ["--mount", "sh", "-ec", ADD_PROGRAMS], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) skip("a mirror of Debian that has the programs of the pages");
  writeFileSync(made, ADD_PROGRAMS);
}

const lacking = [
  [
    "root, or rights to make namespaces",
    process.getuid() === 0 && has("unshare", ...NAMESPACE, "true"),
  ],
  ["debootstrap (package debootstrap)", has("debootstrap", "--version")],
  ["ip (package iproute2)", has("ip", "-V")],
  ["buildah (package buildah)", has("buildah", "--version")],
  ["Go, to build LiteFS and Litestream", has("go", "version")],
  ["the FUSE device /dev/fuse", existsSync("/dev/fuse")],
].filter(([, there]) => !there);
if (lacking.length > 0) skip(lacking.map(([name]) => name).join("; "));
fetchDebian();
addPrograms();
run(process.execPath, ["--input-type=module", "-e", BUILD]);
run(process.execPath, ["scripts/release/release.mjs", process.arch]);
buildImage(BASE);
rmSync(".cache/packed", { recursive: true, force: true });
run("unshare", [
  ...NAMESPACE,
  ...["sh", "-c", 'ip link set lo up && exec "$@"', "sh"],
  ...["npx", "vitest", "run", "--project", "packed", "--no-file-parallelism"],
]);
for (const made of [".cache/packed", ".cache/image"])
  rmSync(made, { recursive: true, force: true });
