/**
 * Runs in a network namespace whose only way out is an interface that counts packets. Starts what tests start in every
 * way they do, and prints as one line of JSON how many packets left by each.
 */
import "../../support/run.ts";
import "../../support/fenced.ts";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { verify } from "@deed/dns";
import { deed } from "../../support/command.ts";
import { signIn } from "../../support/deed.ts";
import { deedCommand } from "../../support/product.ts";
import { freePort, launch, newFolder, startService } from "../../support/service.ts";

const SETUP = [
  "link set lo up",
  "link add out0 type veth peer name out1",
  "link set out0 addrgenmode none up",
  "link set out1 addrgenmode none up",
  "address add 198.51.100.2/24 dev out0",
  "neighbour add 198.51.100.1 lladdr 02:00:00:00:00:01 dev out0",
  "route add default via 198.51.100.1",
];
for (const line of SETUP) execFileSync("ip", line.split(" "));

/** The tenth number of the line is that of packets sent. */
const left = () =>
  Number(/out0:(?:\s+\d+){9}\s+(\d+)/.exec(readFileSync("/proc/net/dev", "utf8"))?.[1]);
const packets: Record<string, number> = {};
async function count(way: string, work: () => unknown): Promise<void> {
  const before = left();
  await work();
  packets[way] = left() - before;
}

await count("a packet of a program that is not Node's", () =>
  execFileSync("bash", ["-c", "echo > /dev/udp/192.0.2.1/53"]),
);

await count("a service, its reads, mails, webhooks and registries", async () => {
  const service = await startService({ env: { DNS_ALLOW_ADDRESSES: "0.0.0.0/0", RDAP: "on" } });
  const client = await signIn(service, "mara@holder.example");
  await client.get("/api/zones/acme.com");
  for (const url of ["https://hooks.example.org/", "https://192.0.2.9/"]) {
    const { id } = (await client.post("/api/webhooks", { url })).body as { id: string };
    await client.post(`/api/webhooks/${id}/test`);
  }
  await service.stop();
});
await count("commands with their settings", () => {
  for (const args of [["check", "acme.com"], ["doctor"], ["config"]]) deed(args);
});

/** As a test that forgets every setting. */
const bare = {
  NODE_ENV: "production" as const,
  PATH: process.env.PATH,
  DATA_DIR: newFolder(),
};
await count("a service with the Internet's root servers", async () => {
  const env = { ...bare, PORT: String(await freePort()) };
  const { child, printed, ended } = launch(deedCommand(), ["serve"], { env });
  while (!printed().includes("listening") && child.exitCode === null) await sleep(20);
  await fetch(`http://localhost:${env.PORT}/api/zones/acme.com`);
  child.kill("SIGTERM");
  await ended;
});
await count("commands with the Internet's root servers", () => {
  for (const args of [["check", "acme.com"], ["doctor"]])
    spawnSync(deedCommand(), args, { env: bare });
});
await count("the library with its own settings", () =>
  verify({ domain: "acme.com", token: "service_v1_0123456789abcdef" }),
);
await count("a program of Node that a program of a test starts", async () => {
  const say = `require("node:dgram").createSocket("udp4").send("x", 53, "192.0.2.1", () => process.exit())`;
  const again = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(say)}], { env: {} })`;
  await once(launch(process.execPath, ["-e", again], { env: bare }).child, "exit");
});
await count("a request to a name", () => fetch("https://example.org/").catch(() => {}));

console.log(JSON.stringify(packets));
