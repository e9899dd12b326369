import { setTimeout as sleep } from "node:timers/promises";
import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openClaim } from "../support/deed.ts";
import { countIn } from "../support/facts.ts";
import { expectWhole, lostIn, startWriting } from "../support/writing.ts";
import { Cluster } from "./cluster.ts";
import { startConsul } from "./consul.ts";
import { figure, sizeOf, spread } from "./figures.ts";
import type { Machine } from "./machine.ts";
import { anyOf, type Visitor, visit, writeThrough } from "./visitor.ts";

let consul: Awaited<ReturnType<typeof startConsul>>;
let cluster: Cluster;

beforeAll(async () => {
  consul = await startConsul(process.env.CLUSTER_CONSUL ?? "consul");
  cluster = await Cluster.create({
    lease: "consul",
    env: { LITEFS_CONSUL_URL: consul.url, LITEFS_CONSUL_KEY: "deed/primary" },
  });
  for (const machine of cluster.machines) machine.start(machine.address);
  await leader();
  await everybody();
});
afterAll(async () => {
  await cluster.stop();
  await consul.stop();
});

async function leader(not?: Machine): Promise<Machine> {
  for (let i = 0; i < 1_200; i++) {
    for (const machine of cluster.machines) {
      if (machine === not || !machine.isRunning) continue;
      const health = await machine.health();
      if (health?.role === "primary" && health.status === "ok") return machine;
    }
    await sleep(50);
  }
  throw new Error("no primary within a minute");
}

async function everybody(): Promise<void> {
  for (const machine of cluster.machines)
    await machine.until(({ role, status }) => status === "ok" && role !== "orphan", 60_000);
}

async function secondsUntilAWrite(visitor: Visitor, name: string): Promise<number> {
  const startedAt = Date.now();
  for (let i = 0; ; i++) {
    visitor.timeoutMs = 5_000;
    const domain = `${name}-${i}.example.com`;
    const reply = await visitor.post("/api/domains", { domain }).catch(() => null);
    if (reply?.status === 201) return (Date.now() - startedAt) / 1000;
    await sleep(50);
  }
}

it("finds a new primary by itself when the old one is killed, or stopped", async () => {
  const rounds = sizeOf("TAKEOVERS", 1);
  const seconds = { killed: [] as number[], stopped: [] as number[] };
  const losses: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const end of ["killed", "stopped"] as const) {
      const primary = await leader();
      const others = cluster.machines.filter((machine) => machine !== primary);
      const writing = await writeThrough(cluster, () => primary);
      await sleep(500 + Math.random() * 500);
      if (end === "killed") await primary.kill();
      else expect(await primary.stop()).toBe(0);
      await writing.stop();
      writing.client.next = anyOf(others);
      seconds[end].push(await secondsUntilAWrite(writing.client, `${end}${round}`));
      const next = await leader(primary);
      const lost = lostIn(next.database, writing.acknowledged).length;
      if (end === "killed") losses.push(lost);
      else expect(lost).toBe(0);
      expect(writing.refused.filter((status) => status !== 503)).toEqual([]);
      primary.start(primary.address);
      await everybody();
    }
  }
  figure("Consul: from kill -9 of the primary to the next write", spread(seconds.killed, "s"));
  figure("Consul: from SIGTERM of the primary to the next write", spread(seconds.stopped, "s"));
  figure("Consul: acknowledged writes lost by round, after kill -9", losses.join(" "));
});

it.each([
  ["without its lease", false, ["acme.com", "globex.com", "initech.com"]],
  ["beside its successor", true, ["hooli.com", "orchard.example", "lantern.example"]],
])("ends nothing twice where a frozen primary wakes %s", async (how, isReplaced, names) => {
  const seconds = sizeOf("FREEZE_SECONDS", 25);
  const old = await leader();
  const email = `${how.replaceAll(" ", "-")}@holder.example`;
  const visitor = await visit(cluster, email, () => old);
  const claims: { zone: string; name: string; token: string }[] = [];
  for (const zone of names) claims.push({ zone, ...(await openClaim(visitor, zone)) });
  // The first reads are due 30 s after the claims were opened, which is about when the old primary wakes.
  await sleep(Math.max(0, 31_000 - seconds * 1_000));
  for (const { zone, name, token } of claims) cluster.playground.addRecord(zone, txt(name, token));
  const direct = startWriting(visitor);
  const around = await writeThrough(cluster, anyOf(cluster.machines));
  await sleep(200);
  old.freeze();
  const frozenAt = Date.now();
  await sleep(seconds * 1_000);
  if (isReplaced) {
    // The others keep their connection to the frozen machine open; docs/cluster.md says to restart them.
    for (const machine of cluster.machines) {
      if (machine === old) continue;
      await machine.stop();
      machine.start(machine.address);
    }
    await leader(old);
  }
  const frozen = ((Date.now() - frozenAt) / 1_000).toFixed(0);
  old.thaw();
  const next = await leader(isReplaced ? old : undefined);
  await sleep(10_000);
  await everybody();
  const proved = () =>
    countIn(
      next.database,
      `select count(*) from claims where state = 'proved' and name in (${names.map((name) => `'${name}'`).join()})`,
    );
  for (let i = 0; i < 90 && proved() < 3; i++) await sleep(1_000);
  await Promise.all([direct.stop(), around.stop()]);

  const acknowledged = [...direct.acknowledged, ...around.acknowledged];
  await cluster.settle(next);
  for (const machine of cluster.machines) expectWhole(machine.database, acknowledged);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(proved()).toBe(3);
  const proofMails = cluster.outbox().filter((mail) => !mail.includes("/sign-in/confirm"));
  const perClaim = claims.map(
    ({ zone }) => proofMails.filter((mail) => mail.includes(zone)).length,
  );
  expect(Math.max(...perClaim)).toBeLessThanOrEqual(1);
  figure(
    `Consul: a frozen primary woke ${how}`,
    `${frozen} s, ${next === old ? "it" : "another"} leads, 3 claims proved once each, mails per claim ${perClaim.join(" ")}, 0 of ${acknowledged.length} acknowledged writes lost`,
  );
});
