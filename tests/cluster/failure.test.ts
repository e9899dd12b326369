import { txt } from "@deed/playground/records.ts";
import { hostsOf } from "@deed/playground/samples.ts";
import { afterEach, expect, it } from "vitest";
import { says } from "../contract/sentences.ts";
import { openClaim } from "../support/deed.ts";
import { columnIn, countIn, namesIn } from "../support/facts.ts";
import { acknowledgedMore, expectWhole, lostIn } from "../support/writing.ts";
import { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";
import { anyOf, Visitor, visit, writeThrough } from "./visitor.ts";

let cluster: Cluster;
const begin = async (machines = 3) => {
  cluster = await Cluster.create({ machines });
  await cluster.start();
  return { primary: cluster.machine(0), replicas: cluster.machines.slice(1) };
};
afterEach(() => cluster.stop());

it("loses no acknowledged write when the primary is killed, and is whole afterwards", async () => {
  const { primary } = await begin();
  const writing = await writeThrough(cluster, anyOf(cluster.machines), 4);
  for (let round = 0; round < 3; round++) {
    await acknowledgedMore(writing, 20);
    await primary.kill();
    primary.start(primary.address);
    await primary.leads();
    expectWhole(primary.database);
  }
  await acknowledgedMore(writing, 1);
  await writing.stop();
  await cluster.settle(primary);
  const { acknowledged, refused } = writing;
  expect(refused.filter((status) => status !== 503)).toEqual([]);
  for (const machine of cluster.machines) expectWhole(machine.database, acknowledged);
});

it("reads on and refuses writes without a primary, and writes again after a promotion", async () => {
  let { primary } = await begin();
  for (const end of ["stop", "kill"] as const) {
    const survivors = cluster.machines.filter((machine) => machine !== primary);
    const writing = await writeThrough(cluster, () => primary);
    await acknowledgedMore(writing, 30);
    await primary[end]();
    await writing.stop();
    const { client, acknowledged, refused } = writing;
    expect(refused.filter((status) => status !== 503)).toEqual([]);

    const positions: bigint[] = [];
    for (const machine of survivors) {
      const health = await machine.until(({ role }) => role === "orphan");
      expect(health).toMatchObject({ status: "degraded", reason: "no_primary", worker: "stopped" });
      positions.push(BigInt(`0x${health.position}`));
      client.next = () => machine;
      for (const path of ["/api/domains", "/domains"])
        expect((await client.get(path)).status).toBe(200);
      const fields = { intent: "sure", domain: "late.example.com" };
      const answer = await client.post("/api/domains", { domain: fields.domain });
      const form = await client.submit("/domains", fields, {});
      expect(answer.body).toMatchObject({ error: { code: "unavailable" } });
      expect(form.headers.get("content-type")).toContain("text/html");
      for (const { status, headers } of [answer, form]) {
        expect(status).toBe(503);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
    }

    const [one, other] = survivors as [Machine, Machine];
    const chosen = (positions[0] ?? 0n) >= (positions[1] ?? 0n) ? one : other;
    await cluster.promote(chosen, survivors);
    // A primary that is gone for good may take data with it that no replica had; a stopped primary loses nothing.
    if (end === "stop") expect(lostIn(chosen.database, acknowledged)).toEqual([]);
    client.next = () => (chosen === one ? other : one);
    const isWritten = async () =>
      (await client.post("/api/domains", { domain: `${end}.example` })).status;
    await expect.poll(isWritten, { timeout: 30_000, interval: 50 }).toBe(201);

    // The old primary returns as a replica, and its unshared writes are discarded.
    const old = primary;
    primary = chosen;
    old.start(chosen.address);
    await old.until(({ role }) => role === "replica");
    await cluster.settle(chosen);
    expect(namesIn(old.database)).toEqual(namesIn(chosen.database));
    expectWhole(old.database);
  }
});

it("ends nothing twice when the primary is frozen and continued", async () => {
  const { primary, replicas } = await begin();
  const { playground } = cluster;
  const visitor = await visit(cluster, "frozen@holder.example", anyOf(replicas));
  const runs: string[] = [];
  for (const name of ["one.acme.com", "two.acme.com", "three.acme.com"]) {
    const claim = await openClaim(visitor, name);
    runs.push(`/api/verifications/${claim.verificationId}/runs`);
    playground.addRecord("acme.com", txt(claim.name, claim.token));
  }
  for (const host of hostsOf("godaddy")) playground.setServerFault(host, { delayMs: 6_000 });
  const first = runs.map((run) => visitor.post(run).catch(() => null));
  const reading = "select count(*) from verifications where run_id is not null";
  await expect.poll(() => countIn(primary.database, reading)).toBe(3);
  primary.freeze();
  for (const replica of replicas) await replica.until(({ role }) => role === "orphan");
  const other = new Visitor(anyOf(replicas));
  expect((await other.post("/api/auth/sign-out")).status).toBe(503);
  expect((await other.get("/api/zones/globex.com")).status).toBe(200);
  for (const host of hostsOf("godaddy")) playground.setServerFault(host, null);
  primary.thaw();
  await Promise.all(first);
  await primary.leads();
  for (const replica of replicas) await replica.until(({ role }) => role === "replica");
  // A read frozen halfway may end without an answer: the account holder retries until one comes.
  const statusOf = async (run: string) => {
    const { status, body } = await visitor.post(run);
    return status === 409 ? "proved" : (body as { status?: string }).status;
  };
  for (const run of runs)
    await expect.poll(() => statusOf(run), { timeout: 30_000, interval: 500 }).toBe("proved");
  await cluster.settle(primary);
  expect(countIn(primary.database, "select count(*) from claims where state = 'proved'")).toBe(3);
  expectWhole(primary.database);
  const twice = "select claim_id from notices group by claim_id, kind having count(*) > 1";
  expect(columnIn(primary.database, twice)).toEqual([]);
});

const isFormer = ({ reason }: { reason: string | null }) => reason === "superseded";

// An old primary starts without the step in docs/cluster.md, "Promote".
it(says("C21.10", "C21.11"), async () => {
  const { primary: old, replicas } = await begin(2);
  const [chosen] = replicas as [Machine];
  const visitor = await visit(cluster, "fork@holder.example", () => old);
  const write = async (machine: Machine, domain: string) => {
    visitor.next = () => machine;
    return (await visitor.post("/api/domains", { domain })).status;
  };
  expect(await write(old, "before.example.com")).toBe(201);
  await cluster.settle(old);
  await old.kill();
  await cluster.promote(chosen, [chosen]);
  expect(await write(chosen, "after.example.com")).toBe(201);
  const before = (await chosen.health())?.term ?? 0;

  // The step would be LITEFS_PRIMARY=<chosen>.
  old.start(old.address);
  const health = await old.until(isFormer);
  expect(health).toMatchObject({ status: "failing", role: "orphan", worker: "stopped" });
  expect(health.term).toBeLessThan(before);
  for (const path of ["/api/health", "/api/health/ready"])
    expect((await fetch(old.url + path)).status).toBe(503);
  expect(await write(old, "forked.example.com")).toBe(503);
  expect(namesIn(old.database)).toEqual(new Set(["before.example.com"]));
  const alarms = old.log().match(/.*set LITEFS_PRIMARY.*/g) ?? [];
  expect(alarms).toEqual([expect.stringContaining(chosen.address)]);

  // It does not forget this while the other is away.
  await chosen.stop();
  await old.stop();
  old.start(old.address);
  await old.until(isFormer);
  expect(await write(old, "forked.example.com")).toBe(503);

  // With the step it comes back as a replica, and can be promoted again.
  chosen.start(chosen.address);
  await chosen.serving();
  await old.stop();
  old.start(chosen.address);
  await old.until(({ role, term }) => role === "replica" && term === before);
  expect(namesIn(old.database)).toEqual(new Set(["before.example.com", "after.example.com"]));
  expect(await chosen.stop()).toBe(0);
  await old.stop();
  old.start(old.address);
  expect((await old.leads()).term).toBeGreaterThan(before);
});
