import { readdirSync } from "node:fs";
import { request } from "node:http";
import { dirname } from "node:path";
import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FORWARD_HEADER, MOST_HOPS, sign } from "#app/cluster/forward-header.server.ts";
import { keyOf, openClaim } from "../support/deed.ts";
import { countIn, namesIn } from "../support/facts.ts";
import { acknowledgedMore, expectWhole } from "../support/writing.ts";
import { Cluster } from "./cluster.ts";
import { figure, sizeOf } from "./figures.ts";
import type { Machine } from "./machine.ts";
import { anyOf, type Visitor, visit, writeThrough } from "./visitor.ts";

let cluster: Cluster;
let primary: Machine;
let replicas: Machine[];

beforeAll(async () => {
  cluster = await Cluster.create();
  await cluster.start();
  primary = cluster.machine(0);
  replicas = cluster.machines.slice(1);
});
afterAll(() => cluster.stop());

const holder = (name: string, next: () => Machine) =>
  visit(cluster, `${name}@holder.example`, next);

it("has one primary with a worker, and replicas without", async () => {
  expect(await primary.health()).toMatchObject({ role: "primary", worker: "running", lagMs: 0 });
  for (const replica of replicas)
    expect(await replica.health()).toMatchObject({ role: "replica", worker: "stopped" });
});

it("applies every write sent to a replica once", async () => {
  const startedAt = Date.now();
  const writing = await writeThrough(cluster, anyOf(replicas), 8);
  await acknowledgedMore(writing, sizeOf("WRITES", 300));
  await writing.stop();
  const seconds = (Date.now() - startedAt) / 1000;
  const count = writing.begun;
  expect(writing.acknowledged.size).toBe(count);
  for (const what of ["domains", "change_feed where type = 'domain.created'"])
    expect(countIn(primary.database, `select count(*) from ${what}`)).toBe(count);
  figure(
    "writes sent to replicas",
    `${count} of ${count} applied once, ${(count / seconds).toFixed(0)}/s`,
  );
});

it("holds the same database on every machine", async () => {
  await cluster.settle(primary);
  for (const machine of cluster.machines) {
    expectWhole(machine.database);
    expect(namesIn(machine.database)).toEqual(namesIn(primary.database));
  }
});

describe("answers as the primary does", () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await holder("asker", () => primary);
    await visitor.expect(201, "POST", "/api/domains", { domain: "same.example.com" });
  });

  it.each<[string, string, unknown]>([
    ["POST", "/api/domains", { domain: "same.example.com" }],
    ["POST", "/api/domains", { domain: "not a name" }],
    ["POST", "/api/domains", { domain: "x".repeat(20_000) }],
    ["POST", "/api/claims", { domainId: "dom_nobodys" }],
    ["POST", "/api/nothing-here", {}],
    ["DELETE", "/api/domains", undefined],
    ["POST", "/api/auth/magic-link/verify", { token: "wrong" }],
    ["POST", "/sign-in", undefined],
    ["GET", "/api/domains", undefined],
    ["GET", "/domains", undefined],
    ["GET", "/sign-in/confirm?token=wrong", undefined],
    ["GET", "/api/auth/oidc", undefined],
  ])("%s %s", async (method, path, json) => {
    const ask = async (machine: Machine) => {
      visitor.next = () => machine;
      const options = json === undefined ? {} : { json };
      const { status, text, headers } = await visitor.request(method, path, options);
      const told = ["content-type", "location", "allow", "cache-control", "retry-after"];
      const body = text.replaceAll(/nonce="[^"]*"|"now":"[^"]*"/g, "");
      return { status, body, headers: told.map((name) => headers.get(name)) };
    };
    // Again if a second passed in between: a page says how long ago something was.
    const isAsPrimary = async (replica: Machine) =>
      expect(await ask(replica)).toEqual(await ask(primary));
    for (const replica of replicas) await vi.waitFor(() => isAsPrimary(replica), 5_000);
  });
});

it("shows a client its own writes on whichever machine it reads", async () => {
  const visitor = await holder("reader", anyOf(cluster.machines));
  const rounds = sizeOf("READS", 100);
  for (let i = 0; i < rounds; i++) {
    await visitor.expect(201, "POST", "/api/domains", { domain: `own${i}.example.org` });
    const { counts } = await visitor.expect(200, "GET", "/api/domains");
    expect(counts).toMatchObject({ unclaimed: i + 1 });
  }
  figure("reads that showed their own write, random machines", `${rounds} of ${rounds}`);
});

it("takes a claim from a sign-in to a proof, every request to a random machine", async () => {
  const visitor = await holder("prover", anyOf(cluster.machines));
  const claim = await openClaim(visitor, "acme.com");
  const { token } = claim;
  cluster.playground.addRecord("acme.com", txt(claim.name, token));
  const run = await visitor.expect(200, "POST", `/api/verifications/${claim.verificationId}/runs`);
  expect(run).toMatchObject({ status: "proved" });
  const link = await visitor.expect(201, "POST", `/api/claims/${claim.id}/proof_links`);
  for (const machine of cluster.machines) {
    visitor.next = () => machine;
    const proof = await visitor.expect(200, "GET", `/api/proofs/${link.slug}`);
    expect(proof).toMatchObject({ domain: "acme.com", token });
    await visitor.expect(200, "GET", `/p/${link.slug}`);
  }
  // C29.1, C29.10: switched on at a replica, read by the primary, shown by all
  visitor.next = anyOf(replicas);
  await visitor.expect(200, "PUT", `/api/claims/${claim.id}/watch`);
  for (const machine of cluster.machines) {
    visitor.next = () => machine;
    const isRead = async () =>
      expect(await visitor.expect(200, "GET", `/api/proofs/${link.slug}/watch`)).toMatchObject({
        state: "published",
        checkedAt: expect.any(String),
      });
    await vi.waitFor(isRead, { timeout: 30_000, interval: 500 });
  }
});

it("shows a revoked proof nowhere any more, however often a machine has shown it", async () => {
  const visitor = await holder("revoker", anyOf(cluster.machines));
  const claim = await openClaim(visitor, "acme.com");
  cluster.playground.addRecord("acme.com", txt(claim.name, claim.token));
  cluster.playground.flushWitnesses();
  await visitor.expect(200, "POST", `/api/verifications/${claim.verificationId}/runs`);
  const links = `/api/claims/${claim.id}/proof_links`;
  const { slug } = await visitor.expect(201, "POST", links);
  const statuses = async () => {
    await cluster.settle(primary);
    const seen: number[] = [];
    for (const machine of cluster.machines) {
      for (const path of [`/p/${slug}`, `/api/proofs/${slug}`])
        seen.push((await fetch(machine.url + path)).status);
    }
    return seen;
  };
  for (let i = 0; i < 3; i++) expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  await visitor.expect(200, "POST", `${links}/${slug}/revoke`);
  expect(await statuses()).toEqual([410, 410, 410, 410, 410, 410]);
});

// C25.8
it("takes an API key on every machine, for its own writes too, and refuses it once it is revoked", async () => {
  const visitor = await holder("programmer", () => primary);
  const scopes = ["domains:read", "domains:write"];
  const key = await keyOf(visitor, scopes);
  const headers = { authorization: `Bearer ${key.key}`, "content-type": "application/json" };
  const by = (machine: Machine, path: string, body?: string) =>
    fetch(machine.url + path, body === undefined ? { headers } : { method: "POST", headers, body });
  await vi.waitFor(async () => {
    for (const machine of cluster.machines)
      expect((await by(machine, "/api/domains")).status).toBe(200);
  }, 5_000);
  const rounds = 30;
  for (let i = 0; i < rounds; i++) {
    const machine = anyOf(cluster.machines)();
    const made = await by(machine, "/api/domains", JSON.stringify({ domain: `key${i}.example` }));
    const { id } = (await made.json()) as { id: string };
    expect([made.status, (await by(machine, `/api/domains/${id}`)).status]).toEqual([201, 200]);
  }
  const { keys } = await visitor.expect(200, "GET", "/api/keys");
  expect(keys).toMatchObject([{ lastUsedFrom: expect.stringMatching(/^(127\.|::1)/) }]);
  const streams = await Promise.all(cluster.machines.map((machine) => by(machine, "/api/events")));
  await visitor.expect(200, "DELETE", `/api/keys/${key.id}`);
  await cluster.settle(primary);
  for (const machine of cluster.machines) {
    expect((await by(machine, "/api/domains")).status).toBe(401);
    expect((await by(machine, "/api/domains", "{}")).status).toBe(401);
  }
  for (const stream of streams) await stream.text();
  figure("own writes read by key without cookies, any machine", `${rounds} of ${rounds}`);
});

// C32.1, C32.3
it("answers a test key on every machine from one world, which is beside the database", async () => {
  const visitor = await holder("tester", () => primary);
  const { key } = await keyOf(visitor, undefined, [], true);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const by = async (machine: Machine, method: string, path: string, json?: object) => {
    const body = json && JSON.stringify(json);
    const answer = await fetch(machine.url + path, { method, headers, ...(body && { body }) });
    return { status: answer.status, body: await answer.json() };
  };
  type ByName = { claim: { id: string }; handoff: { slug: string } };
  const at = "/api/domains/by-name/record-absent.test";
  const machines = [...replicas, primary];
  const [first, second] = replicas;
  if (!first || !second) throw new Error("there are two replicas");
  const made = await by(first, "PUT", at, { handoff: {} });
  expect(made.status).toBe(201);
  const { claim, handoff } = made.body as ByName;
  const shown = async (seen: object) => {
    for (const machine of machines)
      expect(await by(machine, "GET", at)).toMatchObject({ status: 200, body: seen });
  };
  await shown({ claim: { id: claim.id, state: "pending" } });
  for (const machine of machines) {
    const page = await fetch(`${machine.url}/h/${handoff.slug}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("TEST.")]);
  }
  expect((await by(second, "POST", "/api/test/clock", { seconds: 60 })).status).toBe(200);
  await shown({ diagnosis: { code: "record_absent" } });
  expect((await by(first, "POST", "/api/test/clock", { seconds: 7_200 })).status).toBe(200);
  await shown({ claim: { id: claim.id, state: "proved" } });
  for (const machine of machines) {
    visitor.next = () => machine;
    const { domains } = await visitor.expect(200, "GET", "/api/domains");
    expect(domains).toEqual([]);
  }
  // LiteFS brings it to every machine, so that a new primary has it.
  const worlds = ({ database }: Machine) =>
    readdirSync(dirname(database)).filter((file) => /^test-[0-9a-f]{24}\.db$/.test(file));
  expect(worlds(primary)).toHaveLength(1);
  for (const machine of replicas)
    await vi.waitFor(() => expect(worlds(machine)).toEqual(worlds(primary)), 5_000);
});

// C28.7
it("shares a hand-off through a replica, and leads back from every machine", async () => {
  const visitor = await holder("sharer", anyOf(replicas));
  const claim = await openClaim(visitor, "shared.example");
  const own = { title: "Connect your domain", returnUrl: "http://127.0.0.1:4000/done" };
  const { slug } = await visitor.expect(201, "POST", `/api/claims/${claim.id}/handoff`, own);
  for (const machine of cluster.machines) {
    visitor.next = () => machine;
    const shown = await visitor.expect(200, "GET", `/api/handoffs/${slug}`);
    expect(shown).toMatchObject({ domain: "shared.example", title: own.title });
    const { status, headers } = await visitor.get(`/h/${slug}/back`);
    expect([status, headers.get("location")]).toEqual([303, own.returnUrl]);
  }
});

it("streams a zone from every machine", async () => {
  for (const machine of cluster.machines) {
    const answer = await fetch(`${machine.url}/api/zones/globex.com`);
    const text = await answer.text();
    expect(text).toMatch(/^event: delegation\n[\s\S]*\n\nevent: publishing\n/);
  }
});

it("counts a write against the client's own address, whichever machine takes it", async () => {
  const send = (machine: Machine, from: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" };
      const options = { method: "POST", localAddress: from, headers };
      const asked = request(`${machine.url}/api/auth/magic-link`, options);
      asked.once("response", (answer) => resolve(answer.resume().statusCode ?? 0));
      asked.once("error", reject);
      asked.end(JSON.stringify({ email: `${from}@holder.example`, callbackPath: "/" }));
    });
  const lab = await Cluster.create({ machines: 2, env: { RATE_LIMIT_MAIL_IP: "2/3600" } });
  try {
    await lab.start();
    const [first, second] = [lab.machine(0), lab.machine(1)];
    const statuses = [];
    for (const machine of [second, first, second, first])
      statuses.push(await send(machine, "127.0.0.71"));
    expect(statuses).toEqual([202, 202, 429, 429]);
    expect(await send(second, "127.0.0.72")).toBe(202);
  } finally {
    await lab.stop();
  }
});

it("refuses a forwarded request without the secret", async () => {
  for (const machine of cluster.machines) {
    const answer = await fetch(`${machine.url}/api/domains`, {
      headers: { "x-deed-passage": `${Date.now()};1;203.0.113.9;${"0".repeat(64)}` },
    });
    expect(answer.status).toBe(400);
  }
});

it("passes a request on so often and no more", async () => {
  const [replica] = replicas;
  if (!replica) throw new Error("there is no replica");
  const line = { method: "POST", url: "/api/auth/sign-out" };
  const arriving = (hops: number) =>
    fetch(replica.url + line.url, {
      method: line.method,
      headers: {
        [FORWARD_HEADER]: sign(cluster.secret, line, { hops, address: "203.0.113.9" }, Date.now()),
      },
    });
  expect((await arriving(MOST_HOPS - 1)).status).toBe(204);
  expect((await arriving(MOST_HOPS)).status).toBe(503);
});
