import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { says } from "../contract/sentences.ts";
import { namesIn } from "../support/facts.ts";
import { Cluster } from "./cluster.ts";
import { figure } from "./figures.ts";
import type { Machine } from "./machine.ts";
import { type Visitor, visit } from "./visitor.ts";

let cluster: Cluster;
afterEach(() => cluster.stop());

async function begin() {
  cluster = await Cluster.create({ machines: 2 });
  await cluster.start();
  const [old, chosen] = [cluster.machine(0), cluster.machine(1)];
  return { old, chosen, visitor: await visit(cluster, "fork@holder.example", () => old) };
}

/** The first is lost and the second promoted, by docs/cluster.md, "Promote". */
async function promoted() {
  const { old, chosen, visitor } = await begin();
  await visitor.expect(201, "POST", "/api/domains", { domain: "before.example.com" });
  const { position } = await old.serving();
  await chosen.reached(position);
  await old.kill();
  await cluster.promote(chosen, [chosen]);
  return { old, chosen, visitor };
}

async function write(visitor: Visitor, machine: Machine, domain: string): Promise<number> {
  visitor.next = () => machine;
  return (await visitor.post("/api/domains", { domain })).status;
}

const isFormer = ({ reason }: { reason: string | null }) => reason === "superseded";

// An old primary that is started without its step (docs/cluster.md, "Promote").
it(says("C21.10", "C21.11"), async () => {
  const { old, chosen, visitor } = await promoted();
  expect(await write(visitor, chosen, "after.example.com")).toBe(201);
  const before = (await chosen.health())?.term ?? 0;

  // Its step would be LITEFS_PRIMARY=<chosen>.
  const startedAt = Date.now();
  old.start(old.address);
  const health = await old.until(isFormer);
  figure(
    "an old primary started without its step refuses writes after",
    `${Date.now() - startedAt} ms`,
  );
  expect(health).toMatchObject({ status: "failing", role: "orphan", worker: "stopped" });
  expect(health.term).toBeLessThan(before);
  for (const path of ["/api/health", "/api/health/ready"])
    expect((await fetch(old.url + path)).status).toBe(503);
  expect(await write(visitor, old, "forked.example.com")).toBe(503);
  expect(namesIn(old.database)).toEqual(new Set(["before.example.com"]));
  const alarm = old
    .log()
    .split("\n")
    .filter((line) => line.includes("set LITEFS_PRIMARY"));
  expect(alarm).toHaveLength(1);
  expect(alarm[0]).toContain(chosen.address);

  // It does not forget while the other is away.
  await chosen.stop();
  await old.stop();
  old.start(old.address);
  await old.until(isFormer);
  expect(await write(visitor, old, "forked.example.com")).toBe(503);

  // With its step it comes back as a replica, and can be promoted again.
  chosen.start(chosen.address);
  await chosen.serving();
  await old.stop();
  old.start(chosen.address);
  await old.until(({ role, term }) => role === "replica" && term === before);
  expect(namesIn(old.database)).toEqual(new Set(["before.example.com", "after.example.com"]));
  expect(await chosen.stop()).toBe(0);
  await old.stop();
  old.start(old.address);
  const again = await old.leads();
  expect(again.term).toBeGreaterThan(before);
});

it("tells a primary that still runs when another is promoted, and both when they meet", async () => {
  const { old, chosen, visitor } = await begin();
  await cluster.promote(chosen, [chosen]);
  await old.until(isFormer);
  expect(await write(visitor, old, "late.example.com")).toBe(503);
  expect((await chosen.serving()).role).toBe("primary");
  // Nothing else is told: the promoted one goes on.
  await sleep(6_000);
  expect((await chosen.serving()).role).toBe("primary");
});

it("believes nobody who answers at a dead node's address without the cluster's secret", async () => {
  const { old: primary, chosen: dead, visitor } = await begin();
  await dead.kill();
  const fake = createServer((_, response) => {
    response.end(JSON.stringify({ role: "primary", term: 8e15 }));
  });
  const { hostname, port } = new URL(dead.url);
  const listens = () =>
    new Promise<boolean>((resolve) => {
      fake.once("error", () => resolve(false));
      fake.listen(Number(port), hostname, () => resolve(true));
    });
  // A process that was killed may keep its port for a moment.
  await expect.poll(listens, { timeout: 10_000 }).toBe(true);
  try {
    await expect
      .poll(() => primary.log(), { timeout: 30_000 })
      .toMatch(/is not believed|was made the primary after/);
    expect(await write(visitor, primary, "still.example.com")).toBe(201);
    expect(await primary.health()).toMatchObject({ status: "ok", role: "primary" });
  } finally {
    fake.closeAllConnections();
    await new Promise((resolve) => fake.close(resolve));
  }
});

it("keeps LiteFS's files to their owner, on the primary, on a replica and after a restart", async () => {
  await begin();
  const folders = cluster.machines.map(({ folder }) => join(folder, "litefs"));
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const look = () => folders.map(modeOf);
  const inside = readdirSync(join(folders[1] ?? "", "dbs", "deed.db")).map((name) =>
    modeOf(join(folders[1] ?? "", "dbs", "deed.db", name)),
  );
  figure(
    "modes that LiteFS gives what is in its folder under umask 022",
    [...new Set(inside)].join(" "),
  );
  expect(look()).toEqual(["700", "700"]);
  const [first] = cluster.machines;
  await first?.stop();
  first?.start(first.address);
  await first?.serving();
  expect(look()).toEqual(["700", "700"]);
});
