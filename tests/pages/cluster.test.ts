import { appendFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { startPlayground } from "@deed/playground/playground.ts";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { buildLitefs } from "../cluster/build.ts";
import { installed, PROGRAMS, run } from "../packed/tree.ts";
import { block, untyped } from "./blocks.ts";
import { boot, dnsIn } from "./systemd.ts";

/** docs/cluster.md with a single node under LiteFS, then docs/operate/leaving-litefs.md. */

const CLUSTER = "docs/cluster.md";
const LEAVING = "docs/operate/leaving-litefs.md";

afterAll(() => expect(untyped("tests/pages/cluster.test.ts")).toEqual([]));

it("runs a node, restores a backup into it, and leaves LiteFS", async () => {
  const tree = installed("archive", PROGRAMS);
  copyFileSync(buildLitefs(), join(tree, "usr/local/bin/litefs"));
  const playground = await startPlayground();
  onTestFinished(() => playground.stop());
  // This test has its own network.
  run("sh", ["-c", "for n in 1 2 3; do ip address replace 10.0.0.$n/32 dev lo; done"]);
  const shell = await boot(tree);

  // "`openssl rand -hex 32` generates a secret", and .env.example's "you need".
  const secret = async () => (await shell("openssl rand -hex 32")).trim();
  await shell("install -m 600 /dev/null /etc/deed.env");
  const settings = block(CLUSTER, "LITEFS_LEASE=");
  let filled = settings;
  for (const name of settings.match(/^\w+=$/gm) ?? [])
    filled = filled.replace(`\n${name}\n`, `\n${name}${await secret()}\n`);
  const dns = Object.entries(dnsIn(tree, playground)).map(
    ([name, value]) => `${name}="${value}"\n`,
  );
  appendFileSync(join(tree, "etc/deed.env"), filled + dns.join(""));
  const ready = "until curl -sf http://10.0.0.1:3000/api/health/ready; do sleep 0.2; done";
  const start = block(CLUSTER, "cp /opt/deed/litefs.yml");
  await shell(start.replace('# "role"', `${ready}\n# "role"`));
  const asked = start.slice(start.indexOf("(. /etc/deed.env"));
  await expect
    .poll(() => shell(asked))
    .toMatch(/"role":"primary".*"worker":"running"|"worker":"running".*"role":"primary"/);

  const inside = (command: string) => block(CLUSTER, "nsenter").replace("deed users list", command);
  await shell(inside("deed users add kim@example.org"));
  await shell(inside("deed backup"));
  await shell(inside("deed users add later@example.org"));
  const file = (await shell("ls /var/lib/deed/data/backups")).trim();
  await shell(
    `systemctl stop deed\n${block(CLUSTER, "-- deed restore").replace("FILE", file)}systemctl start deed; ${ready}`,
  );
  const users = await shell(inside("deed users list"));
  expect(users).toContain("kim@example.org");
  expect(users).not.toContain("later@example.org");

  // A client that an earlier version served.
  const client = "deed-client-0.1.0.tgz";
  await shell(`echo client >/var/lib/deed/data/clients/${client}`);
  // Steps 1 and 3 of leaving-litefs.md have no block.
  await shell(`systemctl disable --now deed\n${block(LEAVING, "-- deed backup")}`);
  await shell(
    "sed -i -E '/^(LITEFS_|CLUSTER_SECRET|CLUSTER_NODES|DATABASE_PATH|DATA_DIR)/d' /etc/deed.env",
  );
  const end = block(LEAVING, "mv /var/lib/private/deed");
  await shell(end.replace('# "role"', `${ready}\n# "role"`));
  const alone = await shell(end.slice(end.indexOf("(. /etc/deed.env")));
  for (const fact of ['"role":"single"', '"database":"ok"', '"worker":"running"'])
    expect(alone).toContain(fact);
  await shell("DATA_DIR=/var/lib/deed deed users list | grep kim");
  await shell(`curl -fsS http://10.0.0.1:3000/${client} | grep client`);
});
