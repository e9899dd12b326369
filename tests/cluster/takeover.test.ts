import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openClaim } from "../support/deed.ts";
import { countIn } from "../support/facts.ts";
import { acknowledgedMore, expectWhole, lostIn, startWriting } from "../support/writing.ts";
import { Cluster } from "./cluster.ts";
import { startConsul } from "./consul.ts";
import type { Machine } from "./machine.ts";
import { anyOf, visit, writeThrough } from "./visitor.ts";

let consul: Awaited<ReturnType<typeof startConsul>>;
let cluster: Cluster;

beforeAll(async () => {
  consul = await startConsul(process.env.CLUSTER_CONSUL ?? "consul");
  const env = { LITEFS_CONSUL_URL: consul.url, LITEFS_CONSUL_KEY: "deed/primary" };
  cluster = await Cluster.create({ env: { LITEFS_LEASE: "consul", ...env } });
  for (const machine of cluster.machines) machine.start(machine.address);
  await everybody();
});
afterAll(async () => {
  await cluster.stop();
  await consul.stop();
});

async function everybody(): Promise<void> {
  for (const machine of cluster.machines)
    await machine.until(({ role, status }) => status === "ok" && role !== "orphan");
}

const leaderOf = (machines: readonly Machine[]): Promise<Machine> =>
  vi.waitFor(
    async () => {
      for (const machine of machines)
        if ((await machine.health())?.role === "primary") return machine;
      throw new Error("there is no primary");
    },
    { timeout: 60_000, interval: 50 },
  );

const othersThan = (primary: Machine) => cluster.machines.filter((machine) => machine !== primary);

it.each(["kill", "stop"] as const)(
  "finds a new primary by itself after a %s of the old one",
  async (end) => {
    const primary = await leaderOf(cluster.machines);
    const others = othersThan(primary);
    const writing = await writeThrough(cluster, () => primary);
    await acknowledgedMore(writing, 30);
    await primary[end]();
    await writing.stop();
    const { client, acknowledged, refused } = writing;
    client.next = anyOf(others);
    client.timeoutMs = 5_000;
    const write = () => client.post("/api/domains", { domain: `${end}.example.com` });
    const isWritten = async () => (await write().catch(() => null))?.status;
    await expect.poll(isWritten, { timeout: 60_000, interval: 50 }).toBe(201);
    const next = await leaderOf(others);
    if (end === "stop") expect(lostIn(next.database, acknowledged)).toEqual([]);
    expect(refused.filter((status) => status !== 503)).toEqual([]);
    primary.start(primary.address);
    await everybody();
  },
);

it("ends nothing twice where a frozen primary wakes beside its successor", async () => {
  const old = await leaderOf(cluster.machines);
  const visitor = await visit(cluster, "frozen@holder.example", () => old);
  const zones = ["hooli.com", "orchard.example", "lantern.example"];
  for (const zone of zones) {
    const { name, token } = await openClaim(visitor, zone);
    cluster.playground.addRecord(zone, txt(name, token));
  }
  const direct = startWriting(visitor);
  const around = await writeThrough(cluster, anyOf(cluster.machines));
  await acknowledgedMore(direct, 1);
  old.freeze();
  // The others' connections to the frozen machine stay open; docs/cluster.md says to restart them.
  for (const machine of othersThan(old)) {
    await machine.stop();
    machine.start(machine.address);
  }
  const next = await leaderOf(othersThan(old));
  await acknowledgedMore(around, 1);
  old.thaw();
  await everybody();
  const among = zones.map((zone) => `'${zone}'`).join();
  const query = `select count(*) from claims where state = 'proved' and name in (${among})`;
  await expect.poll(() => countIn(next.database, query), { timeout: 90_000 }).toBe(3);
  await Promise.all([direct.stop(), around.stop()]);

  await cluster.settle(next);
  const acknowledged = [...direct.acknowledged, ...around.acknowledged];
  for (const machine of cluster.machines) expectWhole(machine.database, acknowledged);
  const proofMails = cluster.outbox().filter((mail) => !mail.includes("/sign-in/confirm"));
  for (const zone of zones)
    expect(proofMails.filter((mail) => mail.includes(zone)).length).toBeLessThanOrEqual(1);
});
