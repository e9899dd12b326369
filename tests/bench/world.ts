import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { late, resolving } from "@deed/dns/testing/faults.ts";
import { type LabBehaviour, LabServer } from "@deed/dns/testing/lab-server.ts";
import { delegation, type LabZone, labZone } from "@deed/dns/testing/lab-zone.ts";
import { ZoneSigner } from "@deed/dns/testing/zone-signer.ts";
import { type Seeded, seed } from "../reliability/seed.ts";
import { freePort, launch, newFolder, startService } from "../support/service.ts";
import type { Stops } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";

const ROOT = "127.5.0.1";
const REGISTRY = "127.5.0.2";
export const NAMESERVERS = ["127.5.0.3", "127.5.0.4"];
export const WITNESSES = ["127.5.0.11", "127.5.0.12", "127.5.0.13"];

const ownServers = (zone: string) =>
  Object.fromEntries(NAMESERVERS.map((address, i) => [`ns${i + 1}.${zone}`, [address]]));

/** Starts a signed root and registry, two nameservers of unsigned zones, and three resolvers that answer after `answerMs`. */
export async function startDns(names: readonly string[], answerMs: number, stops: Stops) {
  const port = await freePort();
  const zones = new Map(names.map((name) => [name, labZone(name, ownServers(name))]));
  const com = { "ns.registry.com": [REGISTRY] };
  const signers = { root: new ZoneSigner("."), com: new ZoneSigner("com") };
  const root = labZone(".", { "a.root": [ROOT] }, [
    ...delegation("com", com),
    { name: "com", type: "DS", data: signers.com.ds },
  ]);
  const registry = labZone(
    "com",
    com,
    names.flatMap((name) => delegation(name, ownServers(name))),
  );
  const held: LabZone[] = [...zones.values()];
  const lateResolving: LabBehaviour = async (query, server) => {
    await sleep(answerMs);
    return resolving(query, server);
  };
  const honest = { behaviour: late(answerMs) };
  const servers = [
    new LabServer(ROOT, [{ ...root, signer: signers.root }], honest),
    new LabServer(REGISTRY, [{ ...registry, signer: signers.com }], honest),
    ...NAMESERVERS.map((address) => new LabServer(address, held, honest)),
    ...WITNESSES.map((address) => new LabServer(address, held, { behaviour: lateResolving })),
  ];
  await Promise.all(servers.map((server) => server.listen(port)));
  stops.add(() => {
    for (const server of servers) server.close();
  });
  const hints = join(newFolder(), "named.root");
  writeFileSync(hints, `. 3600000 NS a.root.\na.root. 3600000 A ${ROOT}\n`);
  return {
    port,
    env: {
      DNS_ROOT_HINTS: hints,
      DNS_TRUST_ANCHORS: `. IN DS ${signers.root.ds}`,
      DNS_PORT: String(port),
      DNS_ALLOW_ADDRESSES: "127.0.0.0/8",
      DNS_RESOLVERS: WITNESSES.map((address, i) => `w${i}=${address}:${port}`).join(","),
      RATE_LIMIT_DNS_ADDRESS: "100000000/1",
      LOG_LEVEL: "error",
    },
    publish: (name: string, token: string) => {
      const record = { name: `_service-challenge.${name}`, type: "TXT" as const, data: token };
      zones.get(name)?.records.push(record);
    },
  };
}

/** Starts a program that makes the bare lookups of a read, and returns how many milliseconds they took for a name. */
export async function startLookups(dns: { port: number }, stops: Stops, resolvers = "") {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { ROOT, DNS_PORT: String(dns.port), ...(resolvers && { RESOLVERS: resolvers }) };
  const { child, printed } = launch(
    process.execPath,
    [join(import.meta.dirname, "floors/lookup-chain.mjs")],
    { env: { NODE_ENV: "production", PATH: process.env.PATH, PORT: String(port), ...own } },
  );
  stops.add(() => child.kill("SIGKILL"));
  while ((await fetch(`${url}/n0.com`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`the floor did not start:\n${printed()}`);
    await sleep(50);
  }
  const lookUp = async (name = "n0.com", expected = 1): Promise<number> => {
    const answer = await fetch(`${url}/${name}`);
    const { took, records } = (await answer.json()) as { took: number; records: number };
    if (records !== expected)
      throw new Rejected(`the chain of ${name} ended at ${records} records`);
    return took;
  };
  return { pid: child.pid, lookUp };
}

/** A data folder with a database made by the product at `command`, with accounts and claims in it. */
export async function seededFolder(
  command: string,
  rows: Parameters<typeof seed>[1],
): Promise<Seeded & { dataDir: string; path: string }> {
  const dataDir = newFolder();
  const path = join(dataDir, "deed.db");
  await (await startService({ command, dataDir })).stop();
  return { dataDir, path, ...(await seed(path, rows)) };
}
