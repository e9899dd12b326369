import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SEAL_HEADER, sealQuestion } from "../../app/cluster/vantage-seal.server.ts";
import type { Evidence } from "../../app/dns/verdict/observation.ts";
import { type Playground, startPlayground } from "../../scripts/playground/playground.ts";
import { txt } from "../../scripts/playground/records.ts";
import { deedCommand } from "../support/product.ts";
import { Cluster } from "./cluster.ts";
import { on } from "./command.ts";
import { textIn } from "./database.ts";
import { figure, spread } from "./figures.ts";
import type { Machine } from "./machine.ts";
import { Visitor, visit } from "./visitor.ts";

/** Three nodes, each of which sees DNS from its own place. */
const REGIONS = ["fra", "ams", "sin"];
let cluster: Cluster;
let views: Playground[] = [];
let holder: Visitor;
let count = 0;

beforeAll(async () => {
  views = await Promise.all(REGIONS.map(() => startPlayground()));
  cluster = await Cluster.create({
    envOf: (n) => ({ REGION: REGIONS[n] ?? "", ...views[n]?.env }),
  });
  await cluster.start();
  // The primary learns of the others by its questions, which it asks every five seconds.
  await sleep(6_000);
  holder = await visit(cluster, "vantages@holder.example", () => cluster.machine(0));
});
afterAll(async () => {
  await cluster?.stop();
  await Promise.all(views.map((view) => view.stop()));
});

type Opened = { id: string; verificationId: string; name: string; token: string };

async function open(visitor = holder): Promise<Opened> {
  count += 1;
  const name = `n${count}.acme.com`;
  const { id: domainId } = await visitor.expect(201, "POST", "/api/domains", { domain: name });
  const claim = await visitor.expect(201, "POST", "/api/claims", { domainId });
  const { id, verificationId, token } = claim as Record<string, string>;
  return { id: String(id), verificationId: String(verificationId), name, token: String(token) };
}

/** Publishes the record where these regions see it. */
const publish = ({ name, token }: Opened, ...regions: string[]) => {
  for (const [n, view] of views.entries())
    if (regions.includes(REGIONS[n] ?? ""))
      view.addRecord("acme.com", txt(`_service-challenge.${name}`, token));
};

const run = ({ verificationId }: Opened, visitor = holder) =>
  visitor.expect(200, "POST", `/api/verifications/${verificationId}/runs`);

const lastEvidence = ({ verificationId }: Opened, of = cluster): Evidence =>
  JSON.parse(
    textIn(
      of.machine(0).database,
      `select evidence from attempt_evidence e join attempts a on a.id = e.attempt_id
       where a.verification_id = '${verificationId}' order by a.at desc, a.id desc limit 1`,
    ),
  );
const outcomes = (evidence: Evidence) =>
  evidence.vantages?.others.map(({ region, outcome }) => `${region} ${outcome}`);

it("proves only what another region sees too", async () => {
  const seconds: number[] = [];
  const asked = new Set<string>();
  for (let i = 0; i < 6; i++) {
    const claim = await open();
    publish(claim, ...REGIONS);
    const startedAt = Date.now();
    expect(await run(claim)).toMatchObject({ status: "proved", lastOutcome: "found" });
    seconds.push((Date.now() - startedAt) / 1_000);
    const { vantages } = lastEvidence(claim);
    expect(vantages).toMatchObject({ region: "fra", others: [{ outcome: "found" }] });
    expect(vantages?.others[0]?.evidence?.servers.length).toBeGreaterThan(0);
    asked.add(vantages?.others[0]?.region ?? "");
  }
  expect([...asked].every((region) => region === "ams" || region === "sin")).toBe(true);
  figure("vantages: a forced read that two places make, on loopback", spread(seconds, "s"));
});

it("names the regions on the page of a proof, in its JSON and in its receipt, on every node", async () => {
  const claim = await open();
  publish(claim, ...REGIONS);
  await run(claim);
  const other = lastEvidence(claim).vantages?.others[0]?.region;
  const link = await holder.expect(201, "POST", `/api/claims/${claim.id}/proof_links`);
  const vantages = ["fra", other].map((region) => ({ region, agreed: true }));
  const file = join(cluster.machine(0).dataDir, "receipt.json");
  const stranger = new Visitor(() => cluster.machine(1));
  await cluster.machine(1).reached((await cluster.machine(0).health())?.position ?? "0");
  expect(await stranger.expect(200, "GET", `/api/proofs/${link.slug}`)).toMatchObject({ vantages });
  const { body: page } = await stranger.get(`/p/${link.slug}`);
  expect(String(page).replace(/<[^>]+>/g, "")).toContain(`2 places: fra (primary), ${other}`);
  const receipt = await stranger.expect(200, "GET", `/api/proofs/${link.slug}/receipt`);
  writeFileSync(file, JSON.stringify(receipt));
  const [machine] = cluster.machines as [Machine];
  const verified = await on(machine, machine, deedCommand(), "verify", file);
  expect(verified.said).toMatch(new RegExp(`Read from\\s+2 places: fra, ${other}`));
});

it("proves nothing that it alone sees, and keeps both observations", async () => {
  const claim = await open();
  publish(claim, "fra");
  expect(await run(claim)).toMatchObject({ lastOutcome: "unresolvable", diagnosis: null });
  const evidence = lastEvidence(claim);
  const [other] = evidence.vantages?.others ?? [];
  expect(outcomes(evidence)).toHaveLength(1);
  expect(other?.outcome).toBe("absent");
  const seen = ({ servers }: Evidence) =>
    servers.map(({ answer }) => answer?.values.includes(claim.token) ?? false);
  expect(seen(evidence)).not.toContain(false);
  expect(other?.evidence && seen(other.evidence)).not.toContain(true);
  const { body: page } = await holder.get(`/claims/${claim.id}`);
  const text = String(page).replace(/<[^>]+>/g, "");
  expect(text).toContain(`fra saw the record, ${other?.region} did not`);
  publish(claim, "ams", "sin");
  expect(await run(claim)).toMatchObject({ status: "proved" });
});

it("reads for nobody who lacks the secret", async () => {
  const { url } = cluster.machine(1);
  const body = JSON.stringify({
    nonce: randomBytes(16).toString("base64url"),
    domain: "acme.com",
    label: "_service-challenge",
    token: "service_v1_a",
  });
  const put = (seal?: string) =>
    fetch(`${url}/api/cluster/read`, {
      method: "POST",
      body,
      headers: seal === undefined ? {} : { [SEAL_HEADER]: seal },
    });
  const before = views[1]?.received();
  expect((await put()).status).toBe(404);
  expect((await put(sealQuestion("x".repeat(32), body, Date.now()))).status).toBe(400);
  expect((await put(sealQuestion(cluster.secret, body, Date.now() - 301_000))).status).toBe(400);
  expect(views[1]?.received()).toBe(before);
  const answer = await put(sealQuestion(cluster.secret, body, Date.now()));
  expect([answer.status, JSON.parse((await answer.text()).split("\n")[1] ?? "").region]).toEqual([
    200,
    "ams",
  ]);
});

it("asks the next where one is killed, waits a minute where all are, and then stands alone", async () => {
  await cluster.machine(1).kill();
  const seen = new Set<string>();
  for (let i = 0; i < 12 && seen.size < 2; i++) {
    const claim = await open();
    publish(claim, ...REGIONS);
    expect(await run(claim)).toMatchObject({ status: "proved" });
    seen.add(outcomes(lastEvidence(claim))?.join(", ") ?? "");
  }
  expect([...seen].sort()).toEqual(["ams unreachable, sin found", "sin found"]);
  await cluster.machine(2).kill();
  const killedAt = Date.now();
  const claim = await open();
  publish(claim, ...REGIONS);
  expect(await run(claim)).toMatchObject({ lastOutcome: "unresolvable" });
  while ((await run(claim)).status !== "proved") await sleep(2_000);
  const waited = Math.round((Date.now() - killedAt) / 1_000);
  figure("vantages: from kill -9 of the last other node to a proof", `${waited} s`);
  expect(waited).toBeGreaterThan(50);
  expect(lastEvidence(claim).vantages).toEqual({ region: "fra", others: [] });
  const lines = cluster
    .machine(0)
    .log()
    .match(/no node of another region answers/g);
  expect(lines).toHaveLength(1);
});

it("reads once, as ever, where all nodes are of one region", async () => {
  const alike = await Cluster.create({
    machines: 2,
    envOf: (n) => ({ REGION: "fra", ...views[n]?.env }),
  });
  try {
    await alike.start();
    const visitor = await visit(alike, "alike@holder.example", () => alike.machine(0));
    const claim = await open(visitor);
    publish(claim, "fra");
    expect(await run(claim, visitor)).toMatchObject({ status: "proved" });
    expect(lastEvidence(claim, alike).vantages?.others).toEqual([]);
  } finally {
    await alike.stop();
  }
});
