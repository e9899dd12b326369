import { setTimeout as sleep } from "node:timers/promises";
import { txt } from "@deed/playground/records.ts";
import { afterEach, expect, it } from "vitest";
import { Cluster } from "./cluster.ts";
import { countIn, integrityOf, namesIn } from "./database.ts";
import { figure, sizeOf, spread } from "./figures.ts";
import type { Machine } from "./machine.ts";
import { anyOf, Visitor, visit } from "./visitor.ts";
import { lostIn, startWriting } from "./writer.ts";

let cluster: Cluster;
const begin = async () => {
  cluster = await Cluster.create();
  await cluster.start();
  return { primary: cluster.machine(0), replicas: cluster.machines.slice(1) };
};
afterEach(() => cluster.stop());

/** Waits until every running machine has reached the primary's position. */
async function settle(primary: Machine): Promise<void> {
  const { position } = await primary.serving();
  for (const machine of cluster.machines) {
    if (!machine.isRunning) continue;
    await machine.reached(position);
  }
}

it("loses no acknowledged write when the primary is killed, and is whole afterwards", async () => {
  const { primary } = await begin();
  const rounds = sizeOf("KILLS", 5);
  const writing = await startWriting(cluster, anyOf(cluster.machines), { width: 4 });
  const restarts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await sleep(400 + Math.random() * 800);
    await primary.kill();
    const startedAt = Date.now();
    primary.start(primary.address);
    await primary.until(({ role, status }) => role === "primary" && status === "ok");
    expect(integrityOf(primary.database)).toBe("ok");
    const before = writing.ledger.acknowledged.size;
    while (writing.ledger.acknowledged.size === before) await sleep(10);
    restarts.push((Date.now() - startedAt) / 1000);
  }
  const ledger = await writing.stop();
  await settle(primary);
  expect(ledger.wrong).toEqual([]);
  for (const machine of cluster.machines) {
    expect(lostIn(namesIn(machine.database), ledger)).toEqual([]);
    expect(integrityOf(machine.database)).toBe("ok");
  }
  figure(
    "kill -9 of the primary",
    `${rounds} rounds, ${ledger.acknowledged.size} writes acknowledged, 0 lost, ${ledger.open.size} refused or unknown, integrity ok in all`,
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
    const writing = await startWriting(cluster, () => primary);
    await sleep(800 + Math.random() * 400);
    await primary.kill();
    const ledger = await writing.stop();

    for (const machine of survivors) {
      const health = await machine.until(({ role }) => role === "orphan");
      expect(health).toMatchObject({ status: "degraded", reason: "no_primary", worker: "stopped" });
      writing.visitor.next = () => machine;
      expect((await writing.visitor.get("/api/domains")).status).toBe(200);
      expect((await writing.visitor.get("/domains")).status).toBe(200);
      const refused = await writing.visitor.post("/api/domains", { domain: "late.example.com" });
      expect(refused.status).toBe(503);
      expect(refused.body).toMatchObject({ error: { code: "unavailable" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      const form = await fetch(`${machine.url}/domains`, {
        method: "POST",
        body: new URLSearchParams({ intent: "add", domain: "late.example.com" }),
        headers: { cookie: `session=${writing.visitor.cookies.get("session")}` },
      });
      expect(form.status).toBe(503);
      expect(Number(form.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(form.headers.get("content-type")).toContain("text/html");
    }

    // docs/cluster.md, "Promote": the old primary is down; the machine with the highest position takes over; all
    // restart with it.
    const startedAt = Date.now();
    const positions = await Promise.all(
      survivors.map(async (machine) => BigInt(`0x${(await machine.health())?.position}`)),
    );
    const chosen = survivors[positions.indexOf(positions.reduce((a, b) => (a > b ? a : b)))];
    if (!chosen) throw new Error("nobody survived");
    for (const machine of survivors) {
      expect(await machine.stop()).toBe(0);
      machine.start(chosen.address);
    }
    await chosen.until(({ role, status }) => role === "primary" && status === "ok");
    writing.visitor.next = () => survivors.find((machine) => machine !== chosen) ?? chosen;
    for (;;) {
      const reply = await writing.visitor
        .post("/api/domains", { domain: `after-${round}.example.com` })
        .catch(() => null);
      if (reply && reply.status < 300) break;
      await sleep(20);
    }
    seconds.push((Date.now() - startedAt) / 1000);
    losses.push(lostIn(namesIn(chosen.database), ledger).length);

    // The old primary returns as a replica; writes that only it had are discarded.
    const old = primary;
    primary = chosen;
    old.start(chosen.address);
    await old.until(({ role }) => role === "replica");
    await settle(chosen);
    expect(namesIn(old.database)).toEqual(namesIn(chosen.database));
    expect(integrityOf(old.database)).toBe("ok");
  }
  const sorted = [...losses].sort((a, b) => a - b);
  figure("promotion by hand, seconds until writes work", spread(seconds, "s"));
  figure(
    "acknowledged writes lost with a primary that is gone for good",
    `${sorted.filter((n) => n > 0).length} of ${rounds} rounds lost any; each round: ${sorted.join(" ")}`,
  );
});

it("ends nothing twice when the primary is frozen and continued", async () => {
  const { primary, replicas } = await begin();
  const seconds = sizeOf("FREEZE_SECONDS", 25);
  const visitor = await visit(cluster, "frozen@holder.example", anyOf(replicas));
  const names = ["acme.com", "globex.com", "initech.com"];
  const claims: { id: string; verificationId: string }[] = [];
  for (const name of names) {
    const domain = await visitor.expect(201, "POST", "/api/domains", { domain: name });
    const claim = await visitor.expect(201, "POST", "/api/claims", { domainId: domain.id });
    claims.push({ id: String(claim.id), verificationId: String(claim.verificationId) });
    cluster.playground.addRecord(name, txt(`_service-challenge.${name}`, String(claim.token)));
  }
  const runs = claims.map(({ verificationId }) =>
    visitor.post(`/api/verifications/${verificationId}/runs`).catch(() => null),
  );
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
  await Promise.all(runs);
  await primary.until(({ role, status }) => role === "primary" && status === "ok");

  for (const replica of replicas) await replica.until(({ role }) => role === "replica");
  // A read that was frozen part way may end without an answer: the account holder retries until there is one.
  for (const { verificationId } of claims) {
    for (let i = 0; i < 60; i++) {
      const { status, body } = await visitor.post(`/api/verifications/${verificationId}/runs`);
      expect([200, 409]).toContain(status);
      if (status === 409 || (body as { status: string }).status === "proved") break;
      await sleep(500);
    }
  }
  await settle(primary);
  const twice = (sql: string) => countIn(primary.database, `select count(*) from (${sql})`);
  expect(countIn(primary.database, "select count(*) from claims where state = 'proved'")).toBe(3);
  expect(
    twice(
      "select 1 from attempts where outcome = 'found' group by verification_id having count(*) > 1",
    ),
  ).toBe(0);
  expect(
    twice("select 1 from change_feed where type = 'claim.ended' group by ids having count(*) > 1"),
  ).toBe(0);
  expect(twice("select 1 from notices group by claim_id, kind having count(*) > 1")).toBe(0);
  for (let i = 0; i < 100 && cluster.outbox().length < 4; i++) await sleep(100);
  const proofMails = cluster.outbox().filter((mail) => !mail.includes("/sign-in/confirm"));
  expect(proofMails.length).toBeLessThanOrEqual(3);
  figure(
    "primary frozen and continued",
    `${seconds} s, noticed after ${noticed.toFixed(1)} s, 3 claims proved once each, 0 double outcomes`,
  );
});
