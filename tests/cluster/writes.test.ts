import { readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { FORWARD_HEADER, MAX_HOPS, sign } from "#app/cluster/forward-header.server.ts";
import { Client, keyOf, openClaim } from "../support/deed.ts";
import { countIn, namesIn } from "../support/facts.ts";
import { followEvents } from "../support/stream.ts";
import { acknowledgedMore, expectWhole } from "../support/writing.ts";
import { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";
import { anyOf, type Visitor, visit, writeThrough } from "./visitor.ts";

let cluster: Cluster;
let primary: Machine;
let replicas: [Machine, Machine];
beforeAll(async () => {
  cluster = await Cluster.create();
  await cluster.start();
  primary = cluster.machine(0);
  replicas = [cluster.machine(1), cluster.machine(2)];
});
afterAll(() => cluster.stop());

const holder = (name: string, next: () => Machine) =>
  visit(cluster, `${name}@holder.example`, next);

/** Lets a visitor ask each machine in turn. */
async function onEach(visitor: Visitor, ask: (machine: Machine) => unknown): Promise<void> {
  for (const machine of cluster.machines) {
    visitor.next = () => machine;
    await ask(machine);
  }
}

it("has one primary with a worker, replicas without, and LiteFS's files closed to others", async () => {
  expect(await primary.health()).toMatchObject({ role: "primary", worker: "running", lagMs: 0 });
  for (const replica of replicas)
    expect(await replica.health()).toMatchObject({ role: "replica", worker: "stopped" });
  for (const { folder } of cluster.machines)
    expect(statSync(join(folder, "litefs")).mode & 0o777).toBe(0o700);
});

it("applies every write sent to a replica once, on every machine", async () => {
  const writing = await writeThrough(cluster, anyOf(replicas), 8);
  await acknowledgedMore(writing, 200);
  await writing.stop();
  expect(writing.acknowledged.size).toBe(writing.begun);
  for (const what of ["domains", "change_feed where type = 'domain.created'"])
    expect(countIn(primary.database, `select count(*) from ${what}`)).toBe(writing.begun);
  await cluster.settle(primary);
  for (const machine of cluster.machines) {
    expectWhole(machine.database);
    expect(namesIn(machine.database)).toEqual(namesIn(primary.database));
  }
});

it("answers as the primary does", async () => {
  const visitor = await holder("asker", () => primary);
  await visitor.expect(201, "POST", "/api/domains", { domain: "same.example.com" });
  const ask = async (machine: Machine, method: string, path: string, json?: unknown) => {
    visitor.next = () => machine;
    const { status, text, headers } = await visitor.request(method, path, { json });
    const told = ["content-type", "location", "allow", "cache-control", "retry-after"];
    const body = text.replaceAll(/nonce="[^"]*"|"now":"[^"]*"/g, "");
    return { path, status, body, headers: told.map((name) => headers.get(name)) };
  };
  // Repeats if a second passed in between, because pages say how long ago something was.
  for (const [method, path, json] of [
    ["POST", "/api/domains", { domain: "same.example.com" }],
    ["POST", "/api/domains", { domain: "not a name" }],
    ["POST", "/api/domains", { domain: "x".repeat(20_000) }],
    ["POST", "/api/claims", { domainId: "dom_nobodys" }],
    ["POST", "/api/nothing-here", {}],
    ["DELETE", "/api/domains"],
    ["POST", "/api/auth/magic-link/verify", { token: "wrong" }],
    ["POST", "/sign-in"],
    ["GET", "/api/domains"],
    ["GET", "/domains"],
    ["GET", "/sign-in/confirm?token=wrong"],
    ["GET", "/api/auth/oidc"],
  ] as const)
    for (const replica of replicas)
      await vi.waitFor(async () => {
        const [theirs, own] = [replica, primary].map((one) => ask(one, method, path, json));
        expect(await theirs).toEqual(await own);
      }, 5_000);
});

it("shows a client its own writes on whichever machine it reads", async () => {
  const visitor = await holder("reader", anyOf(cluster.machines));
  for (let i = 1; i <= 40; i++) {
    await visitor.expect(201, "POST", "/api/domains", { domain: `own${i}.example.org` });
    const { counts } = await visitor.expect(200, "GET", "/api/domains");
    expect(counts).toMatchObject({ unclaimed: i });
  }
});

it("takes a claim from a sign-in to a proof that is watched, and revoked on every machine", async () => {
  const visitor = await holder("prover", anyOf(cluster.machines));
  const claim = await openClaim(visitor, "acme.com");
  const { token } = claim;
  cluster.playground.addRecord("acme.com", txt(claim.name, token));
  const run = await visitor.expect(200, "POST", `/api/verifications/${claim.verificationId}/runs`);
  expect(run).toMatchObject({ status: "proved" });
  const links = `/api/claims/${claim.id}/proof_links`;
  const { slug } = await visitor.expect(201, "POST", links);
  await onEach(visitor, async () => {
    const proof = await visitor.expect(200, "GET", `/api/proofs/${slug}`);
    expect(proof).toMatchObject({ domain: "acme.com", token });
    await visitor.expect(200, "GET", `/p/${slug}`);
  });
  // C29.1, C29.10: switched on at a replica, read by the primary, shown by all
  visitor.next = anyOf(replicas);
  await visitor.expect(200, "PUT", `/api/claims/${claim.id}/watch`);
  await onEach(visitor, () =>
    vi.waitFor(
      async () =>
        expect(await visitor.expect(200, "GET", `/api/proofs/${slug}/watch`)).toMatchObject({
          state: "published",
          checkedAt: expect.any(String),
        }),
      { timeout: 30_000, interval: 500 },
    ),
  );
  visitor.next = anyOf(replicas);
  await visitor.expect(200, "POST", `${links}/${slug}/revoke`);
  await cluster.settle(primary);
  for (const { url } of cluster.machines)
    for (const path of [`/p/${slug}`, `/api/proofs/${slug}`])
      expect((await fetch(url + path)).status).toBe(410);
});

/** Calls a machine by key. */
const withKey =
  (key: string) =>
  ({ url }: Machine, method: string, path: string, json?: object) =>
    new Client(url, key).request(method, path, { json });

/** Sends like a program from its own address; resolves with the status. */
const sendFrom = (localAddress: string, url: string, headers: object, body: object) =>
  new Promise<number>((resolve, reject) => {
    const asked = request(url, { method: "POST", localAddress, headers: { ...headers } });
    asked.once("response", (answer) => resolve(answer.resume().statusCode ?? 0));
    asked.once("error", reject);
    asked.end(JSON.stringify(body));
  });

// C25.8
it("takes an API key on every machine, from the client's own address, and refuses it once it is revoked", async () => {
  const visitor = await holder("programmer", () => primary);
  const key = await keyOf(visitor, ["domains:read", "domains:write"]);
  const by = withKey(key.key);
  const type = { "content-type": "application/json" };
  const posing = { ...new Client("", key.key).identity, ...type, "x-forwarded-for": "203.0.113.9" };
  const first = { domain: "key.example" };
  expect(await sendFrom("127.0.0.71", `${replicas[0].url}/api/domains`, posing, first)).toBe(201);
  const { keys } = await visitor.expect(200, "GET", "/api/keys");
  expect(keys).toMatchObject([{ lastUsedFrom: "127.0.0.71" }]);
  await cluster.settle(primary);
  for (let i = 0; i < 12; i++) {
    const machine = anyOf(cluster.machines)();
    const made = await by(machine, "POST", "/api/domains", { domain: `key${i}.example` });
    const { id } = made.body as { id: string };
    const read = await by(machine, "GET", `/api/domains/${id}`);
    expect([made.status, read.status]).toEqual([201, 200]);
  }
  await visitor.expect(200, "DELETE", `/api/keys/${key.id}`);
  await cluster.settle(primary);
  for (const machine of cluster.machines)
    for (const method of ["GET", "POST"])
      expect((await by(machine, method, "/api/domains")).status).toBe(401);
});

// C32.1, C32.3
it("answers a test key on every machine from one world, which is beside the database", async () => {
  const visitor = await holder("tester", () => primary);
  const { key } = await keyOf(visitor, undefined, true);
  const by = withKey(key);
  type ByName = { claim: { id: string }; handoff: { slug: string } };
  const at = "/api/domains/by-name/record-absent.test";
  const made = await by(replicas[0], "PUT", at, { handoff: {} });
  expect(made.status).toBe(201);
  const { claim, handoff } = made.body as ByName;
  const shown = async (seen: object) => {
    for (const machine of cluster.machines)
      expect(await by(machine, "GET", at)).toMatchObject({ status: 200, body: seen });
  };
  await shown({ claim: { id: claim.id, state: "pending" } });
  for (const { url } of cluster.machines)
    expect(await (await fetch(`${url}/h/${handoff.slug}`)).text()).toContain("TEST.");
  await by(replicas[1], "POST", "/api/test/clock", { seconds: 60 });
  await shown({ diagnosis: { code: "record_absent" } });
  // A call ends after ten seconds, wherever the clock is by then.
  await vi.waitFor(async () => {
    await by(replicas[0], "POST", "/api/test/clock", { seconds: 7_200 });
    await shown({ claim: { id: claim.id, state: "proved" } });
  }, 120_000);
  await onEach(visitor, async () =>
    expect(await visitor.expect(200, "GET", "/api/domains")).toMatchObject({ domains: [] }),
  );
  // LiteFS copies it to every machine, so that a new primary has it.
  const worlds = ({ database }: Machine) =>
    readdirSync(dirname(database)).filter((file) => /^test-[0-9a-f]{24}\.db$/.test(file));
  expect(worlds(primary)).toHaveLength(1);
  for (const machine of replicas)
    await vi.waitFor(() => expect(worlds(machine)).toEqual(worlds(primary)), 30_000);
});

it("tells an account stream on any machine what moved, and resumes it on another", async () => {
  const writer = await holder("streams", () => primary);
  await cluster.settle(primary);
  const listen = (machine: Machine, last = "") =>
    followEvents(machine.url, { ...writer.identity, ...(last && { "last-event-id": last }) });
  const add = (domain: string) => writer.expect(201, "POST", "/api/domains", { domain });
  const streams = await Promise.all(cluster.machines.map((machine) => listen(machine)));
  const made: unknown[] = [];
  for (let i = 0; i < 20; i++) made.push((await add(`e${i}.example.com`)).id);
  for (const { heard, leave } of streams) {
    const domains = () => heard.map(({ domainId }) => domainId);
    await vi.waitFor(() => expect(domains()).toEqual(made), 30_000);
    leave();
  }
  const { id: later } = await add("later.example.com");
  const resumed = await listen(replicas[1], streams[1]?.heard.at(-1)?.id);
  await vi.waitFor(() => expect(resumed.heard).toHaveLength(1), 30_000);
  expect(resumed.heard[0]?.domainId).toBe(later);
  resumed.leave();
});

it("refuses a forwarded request without the secret, and passes one on so often and no more", async () => {
  const line = { method: "POST", url: "/api/auth/sign-out" };
  const address = "203.0.113.9";
  const arriving = async (hops: number, secret = cluster.secret, { url } = replicas[0]) => {
    const headers = { [FORWARD_HEADER]: sign(secret, line, { hops, address }, Date.now()) };
    return (await fetch(url + line.url, { method: line.method, headers })).status;
  };
  for (const machine of cluster.machines)
    expect(await arriving(1, "another secret", machine)).toBe(400);
  expect(await arriving(MAX_HOPS - 1)).toBe(204);
  expect(await arriving(MAX_HOPS)).toBe(503);
});
