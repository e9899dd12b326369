import { openAsBlob, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { namesIn } from "../support/facts.ts";
import { deedCommand } from "../support/product.ts";
import { acknowledgedMore, expectWhole, lostIn } from "../support/writing.ts";
import { buildLitefs } from "./build.ts";
import { Cluster } from "./cluster.ts";
import { anyOf, visit, writeThrough } from "./visitor.ts";

let cluster: Cluster;
const begin = async (machines: number) => {
  cluster = await Cluster.create({ machines });
  await cluster.start();
  return cluster.machine(0);
};
afterEach(() => cluster.stop());

it("backs up from any node while it is written to, and restores into the stopped cluster", async () => {
  const primary = await begin(3);
  const file = join(primary.folder, "backup.db");
  const writing = await writeThrough(cluster, anyOf(cluster.machines));
  await acknowledgedMore(writing, 20);
  const acknowledged = new Set(writing.acknowledged);
  const made = await cluster.machine(1).run(primary, deedCommand(), "backup", file);
  expect(made).toMatchObject({ status: 0 });
  const kept = namesIn(file);
  await acknowledgedMore(writing, 10);
  await writing.stop();
  expectWhole(file);
  // The replica that made the backup may only be a moment behind.
  expect(lostIn(file, acknowledged).length).toBeLessThan(10);

  const running = await primary.run(primary, deedCommand(), "restore", file);
  expect(running.status).toBe(1);
  expect(running.said).toContain("stop it on every machine first");
  expect(namesIn(primary.database).size).toBeGreaterThan(kept.size);

  for (const machine of cluster.machines) expect(await machine.stop()).toBe(0);
  const restore = ["mount", "-config", "litefs.yml", "--", deedCommand(), "restore", file];
  const restored = await primary.run(primary, buildLitefs(), ...restore);
  expect(restored.said).toContain("now holds");
  expect(restored.status).toBe(0);

  await cluster.start();
  for (const machine of cluster.machines) {
    await machine.until((health) => BigInt(`0x${health.position}`) > 0n);
    expect(namesIn(machine.database)).toEqual(kept);
    expectWhole(machine.database);
  }
  writing.client.next = () => cluster.machine(2);
  await writing.client.expect(201, "POST", "/api/domains", { domain: "restored.example.com" });
});

it("takes an imported snapshot for its own database, and a removed one for gone", async () => {
  const primary = await begin(2);
  const visitor = await visit(cluster, "gone@holder.example", () => primary);
  const file = join(primary.folder, "backup.db");
  await visitor.expect(201, "POST", "/api/domains", { domain: "kept.example.com" });
  expect((await primary.run(primary, deedCommand(), "backup", file)).status).toBe(0);
  await visitor.expect(201, "POST", "/api/domains", { domain: "later.example.com" });
  const imported = await fetch(`${primary.litefsUrl}/import?name=deed.db`, {
    method: "POST",
    body: await openAsBlob(file),
  });
  expect(imported.status).toBe(200);
  await visitor.expect(201, "POST", "/api/domains", { domain: "after.example.com" });
  const { position } = await primary.serving();
  await cluster.machine(1).reached(position);
  for (const machine of cluster.machines) {
    await machine.serving();
    expect(namesIn(machine.database)).toEqual(new Set(["kept.example.com", "after.example.com"]));
    expect(machine.log()).not.toContain("while it was open");
  }

  rmSync(primary.database);
  const refused = await visitor.post("/api/domains", { domain: "lost.example.com" });
  expect(refused.status).toBe(503);
  for (const machine of cluster.machines) {
    await machine.until(({ status, database }) => status === "failing" && database === "gone");
    // LiteFS passes its log on, so the answer may come first.
    await expect.poll(() => machine.log()).toContain("while it was open");
  }
  for (const machine of cluster.machines) await machine.stop();
  primary.start(primary.address);
  await expect.poll(() => primary.isRunning).toBe(false);
  expect(primary.log()).toContain("shows that there was a database");
});
