import { setTimeout as sleep } from "node:timers/promises";
import { txt } from "@deed/playground/records.ts";
import { afterEach, expect, it } from "vitest";
import { openClaim } from "../support/deed.ts";
import { columnIn, countIn, namesIn } from "../support/facts.ts";
import { acknowledgedMore, expectWhole, lostIn } from "../support/writing.ts";
import { Cluster } from "./cluster.ts";
import { figure, sizeOf, spread } from "./figures.ts";
import { anyOf, Visitor, visit, writeThrough } from "./visitor.ts";

let cluster: Cluster;
const begin = async () => {
  cluster = await Cluster.create();
  await cluster.start();
  return { primary: cluster.machine(0), replicas: cluster.machines.slice(1) };
};
afterEach(() => cluster.stop());

it("loses no acknowledged write when the primary is killed, and is whole afterwards", async () => {
  const { primary } = await begin();
  const rounds = sizeOf("KILLS", 5);
  const writing = await writeThrough(cluster, anyOf(cluster.machines), 4);
  const restarts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await sleep(400 + Math.random() * 800);
    await primary.kill();
    const startedAt = Date.now();
    primary.start(primary.address);
    await primary.leads();
    expectWhole(primary.database);
    await acknowledgedMore(writing, 1);
    restarts.push((Date.now() - startedAt) / 1000);
  }
  await writing.stop();
  await cluster.settle(primary);
  const { acknowledged, refused, begun } = writing;
  expect(refused.filter((status) => status !== 503)).toEqual([]);
  for (const machine of cluster.machines) expectWhole(machine.database, acknowledged);
  figure(
    "kill -9 of the primary",
    `${rounds} rounds, ${acknowledged.size} writes acknowledged, 0 lost, ${begun - acknowledged.size} refused or unknown, integrity ok in all`,
  );
  figure("from the restart of a killed primary to its next write", spread(restarts, "s"));
});

it("reads on and refuses writes without a primary, and writes again after a promotion", async () => {
  const { primary: first } = await begin();
  const rounds = sizeOf("PROMOTIONS", 2);
  const seconds: number[] = [];
  const losses: number[] = [];
  let primary = first;
  for (let round = 0; round < rounds; round++) {
    const survivors = cluster.machines.filter((machine) => machine !== primary);
    const writing = await writeThrough(cluster, () => primary);
    await sleep(800 + Math.random() * 400);
    await primary.kill();
    await writing.stop();
    const { client, acknowledged } = writing;

    for (const machine of survivors) {
      const health = await machine.until(({ role }) => role === "orphan");
      expect(health).toMatchObject({ status: "degraded", reason: "no_primary", worker: "stopped" });
      client.next = () => machine;
      for (const path of ["/api/domains", "/domains"])
        expect((await client.get(path)).status).toBe(200);
      const refused = await client.post("/api/domains", { domain: "late.example.com" });
      expect(refused.body).toMatchObject({ error: { code: "unavailable" } });
      const fields = { intent: "sure", domain: "late.example.com" };
      const form = await client.submit("/domains", fields, {});
      expect(form.headers.get("content-type")).toContain("text/html");
      for (const { status, headers } of [refused, form]) {
        expect(status).toBe(503);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
    }

    const startedAt = Date.now();
    const positions = await Promise.all(
      survivors.map(async (machine) => BigInt(`0x${(await machine.health())?.position}`)),
    );
    const chosen = survivors[positions.indexOf(positions.reduce((a, b) => (a > b ? a : b)))];
    if (!chosen) throw new Error("nobody survived");
    await cluster.promote(chosen, survivors);
    client.next = () => survivors.find((machine) => machine !== chosen) ?? chosen;
    const after = { domain: `after-${round}.example.com` };
    while (((await client.post("/api/domains", after).catch(() => null))?.status ?? 500) >= 300)
      await sleep(20);
    seconds.push((Date.now() - startedAt) / 1000);
    losses.push(lostIn(chosen.database, acknowledged).length);

    // The old primary returns as a replica; writes that only it had are discarded.
    const old = primary;
    primary = chosen;
    old.start(chosen.address);
    await old.until(({ role }) => role === "replica");
    await cluster.settle(chosen);
    expect(namesIn(old.database)).toEqual(namesIn(chosen.database));
    expectWhole(old.database);
  }
  figure("promotion by hand, seconds until writes work", spread(seconds, "s"));
  figure(
    "acknowledged writes lost with a primary that is gone for good",
    `${losses.filter((n) => n > 0).length} of ${rounds} rounds lost any; each round: ${losses.sort((a, b) => a - b).join(" ")}`,
  );
});

it("ends nothing twice when the primary is frozen and continued", async () => {
  const { primary, replicas } = await begin();
  const seconds = sizeOf("FREEZE_SECONDS", 25);
  const visitor = await visit(cluster, "frozen@holder.example", anyOf(replicas));
  const runs: string[] = [];
  for (const name of ["acme.com", "globex.com", "initech.com"]) {
    const claim = await openClaim(visitor, name);
    runs.push(`/api/verifications/${claim.verificationId}/runs`);
    cluster.playground.addRecord(name, txt(claim.name, claim.token));
  }
  const first = runs.map((run) => visitor.post(run).catch(() => null));
  await sleep(15);
  primary.freeze();
  const frozenAt = Date.now();
  for (const replica of replicas) await replica.until(({ role }) => role === "orphan");
  const noticed = (Date.now() - frozenAt) / 1000;
  const other = new Visitor(anyOf(replicas));
  expect((await other.post("/api/auth/sign-out")).status).toBe(503);
  expect((await other.get("/api/zones/acme.com")).status).toBe(200);
  await sleep(frozenAt + seconds * 1000 - Date.now());
  primary.thaw();
  await Promise.all(first);
  await primary.leads();

  for (const replica of replicas) await replica.until(({ role }) => role === "replica");
  // A read that was frozen part way may end without an answer: the account holder retries until there is one.
  for (const run of runs) {
    for (let i = 0; i < 60; i++) {
      const { status, body } = await visitor.post(run);
      expect([200, 409]).toContain(status);
      if (status === 409 || (body as { status: string }).status === "proved") break;
      await sleep(500);
    }
  }
  await cluster.settle(primary);
  expect(countIn(primary.database, "select count(*) from claims where state = 'proved'")).toBe(3);
  expectWhole(primary.database);
  const twice = "select claim_id from notices group by claim_id, kind having count(*) > 1";
  expect(columnIn(primary.database, twice)).toEqual([]);
  for (let i = 0; i < 100 && cluster.outbox().length < 4; i++) await sleep(100);
  const proofMails = cluster.outbox().filter((mail) => !mail.includes("/sign-in/confirm"));
  expect(proofMails.length).toBeLessThanOrEqual(3);
  figure(
    "primary frozen and continued",
    `${seconds} s, noticed after ${noticed.toFixed(1)} s, 3 claims proved once each, 0 double outcomes`,
  );
});
