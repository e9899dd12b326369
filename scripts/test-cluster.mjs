// `npm run test:cluster`: three nodes under LiteFS on this machine. `-- --long` uses the sizes of a thorough run;
// `-- --kills=50` raises one of them (writes, reads, kills, promotions, takeovers, events, freeze-seconds). CLUSTER_CONSUL
// names a Consul binary; without it, the Consul lease is not tested. `-- --litestream` tests backups by Litestream
// instead, whose build takes minutes.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { run } from "./setup.mjs";

/** The exit code if this machine cannot run a cluster: nothing was tested. */
const NOT_HERE = 3;
const LONG = {
  writes: 1000,
  reads: 500,
  kills: 50,
  promotions: 30,
  takeovers: 10,
  events: 500,
};

const has = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
const lacking = [
  ["Go, to build LiteFS and Litestream", has("go", "version")],
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

const sizes = process.argv.includes("--long") ? { ...LONG } : {};
for (const argument of process.argv.slice(2)) {
  const match = /^--([a-z-]+)=(\d+)$/.exec(argument);
  if (match) sizes[match[1]] = match[2];
}
const env = Object.fromEntries(
  Object.entries(sizes).map(([name, size]) => [
    `CLUSTER_${name.toUpperCase().replaceAll("-", "_")}`,
    String(size),
  ]),
);

const consul = process.env.CLUSTER_CONSUL || (has("consul", "version") ? "consul" : null);
const LITESTREAM = "tests/cluster/litestream.test.ts";
const files = process.argv.includes("--litestream")
  ? [LITESTREAM]
  : ["--exclude", LITESTREAM, ...(consul ? [] : ["--exclude", "tests/cluster/takeover.test.ts"])];

rmSync(".cache/reports/cluster-figures.json", { force: true });
if (!consul)
  console.warn("\n!!! No Consul here: the Consul lease is not tested (CLUSTER_CONSUL).\n");
run(
  "npx",
  ["vitest", "run", "--project", "cluster", "--no-file-parallelism", ...files],
  consul ? { ...env, CLUSTER_CONSUL: consul } : env,
);
