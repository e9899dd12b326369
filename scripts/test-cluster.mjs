// `npm run test:cluster`: three nodes under LiteFS on this machine. CLUSTER_CONSUL names a Consul binary; without it, the
// Consul lease is not tested.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { run } from "./setup.mjs";

/** The exit code if this machine cannot run a cluster: nothing was tested. */
const NOT_HERE = 3;

const has = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
const lacking = [
  ["Go, to build LiteFS", has("go", "version")],
  ["fusermount3 (package fuse3)", has("fusermount3", "--version")],
  ["the FUSE device /dev/fuse", existsSync("/dev/fuse")],
].filter(([, there]) => !there);
if (lacking.length > 0) {
  const what = lacking.map(([name]) => name).join("; ");
  console.error(
    `\n!!! THE CLUSTER TEST DID NOT RUN. This machine lacks: ${what}.\n!!! Nothing about several machines was tested.\n`,
  );
  process.exit(NOT_HERE);
}

const consul = process.env.CLUSTER_CONSUL || (has("consul", "version") ? "consul" : null);
if (!consul)
  console.warn("\n!!! No Consul here: the Consul lease is not tested (CLUSTER_CONSUL).\n");
run(
  "npx",
  [
    ...["vitest", "run", "--project", "cluster", "--no-file-parallelism"],
    ...(consul ? [] : ["--exclude", "tests/cluster/takeover.test.ts"]),
  ],
  consul ? { CLUSTER_CONSUL: consul } : {},
);
