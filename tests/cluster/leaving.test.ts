import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { txt } from "@deed/playground/records.ts";
import { afterEach, expect, it } from "vitest";
import { openClaim } from "../support/deed.ts";
import { namesIn } from "../support/facts.ts";
import { deedCommand } from "../support/product.ts";
import { startService } from "../support/service.ts";
import { expectWhole } from "../support/writing.ts";
import { buildLitefs } from "./build.ts";
import { Cluster } from "./cluster.ts";
import { on } from "./command.ts";
import { visit } from "./visitor.ts";

let cluster: Cluster;
afterEach(() => cluster.stop());

it("goes back to one machine by docs/operate/leaving-litefs.md, and loses nothing", async () => {
  cluster = await Cluster.create({ machines: 2 });
  await cluster.start();
  const stays = cluster.machine(0);
  const visitor = await visit(cluster, "leaving@holder.example", () => cluster.machine(1));
  const claim = await openClaim(visitor, "acme.com");
  cluster.playground.addRecord("acme.com", txt(claim.name, claim.token));
  await visitor.expect(200, "POST", `/api/verifications/${claim.verificationId}/runs`);
  const link = await visitor.expect(201, "POST", `/api/claims/${claim.id}/proof_links`);
  const proof = await visitor.expect(200, "GET", `/api/proofs/${link.slug}`);

  for (const machine of cluster.machines) expect(await machine.stop()).toBe(0);
  const file = `${stays.folder}/leaving.db`;
  const backup = ["mount", "-config", "litefs.yml", "--", deedCommand(), "backup", file];
  expect(await on(stays, stays, buildLitefs(), ...backup)).toMatchObject({ status: 0 });
  expectWhole(file);

  const dataDir = join(stays.folder, "alone");
  const env = {
    ...cluster.playground.env,
    BASE_URL: cluster.baseUrl,
    SESSION_SECRET: String(stays.env(stays.address).SESSION_SECRET),
    SIGNING_KEY: String(stays.env(stays.address).SIGNING_KEY),
  };
  const { status } = spawnSync(deedCommand(), ["restore", file], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
  });
  expect(status).toBe(0);
  const alone = await startService({ dataDir, env });
  const health = await (await fetch(`${alone.url}/api/health`)).json();
  expect(health).toMatchObject({ role: "single", database: "ok", worker: "running", term: null });
  visitor.next = () => alone;
  const { counts } = await visitor.expect(200, "GET", "/api/domains");
  expect(counts).toMatchObject({ proved: 1 });
  expect(await visitor.expect(200, "GET", `/api/proofs/${link.slug}`)).toEqual(proof);

  const again = await openClaim(visitor, "globex.com");
  cluster.playground.addRecord("globex.com", txt(again.name, again.token));
  const run = `/api/verifications/${again.verificationId}/runs`;
  expect(await visitor.expect(200, "POST", run)).toMatchObject({ status: "proved" });
  expect(namesIn(join(dataDir, "deed.db"))).toEqual(new Set(["acme.com", "globex.com"]));
  expect(await alone.stop()).toBe(0);
});
