import { afterEach, describe, expect, it } from "vitest";
import { late, silent } from "../testing/faults.ts";
import type { LabBehaviour } from "../testing/lab-server.ts";
import { answering } from "../testing/rows.ts";
import { LABEL, netOf, TOKEN, World, type WorldSetup } from "../testing/world.ts";
import { AddressFull } from "./reader.ts";

const PORT = 10_000 + (process.pid % 10_000);
const NET = netOf(4_000);
const question = { domain: "acme.test", label: LABEL, token: TOKEN };
const BOTH = ["ns1.acme.test", "ns2.acme.test"];
const never = new AbortController().signal;

let world: World | undefined;
async function open(setup: WorldSetup = {}): Promise<World> {
  world = new World(setup, NET, PORT);
  await world.open();
  return world;
}
afterEach(() => {
  world?.close();
  world = undefined;
});

// C8.1
describe("a challenge read", () => {
  it("of a zone with two nameservers takes at most 14 packets, all in the evidence", async () => {
    const { reader } = await open();
    const seen = await reader.readChallenge(question, never);
    const cut = { zone: "acme.test", parent: "test", nameservers: BOTH, ttl: 3600 };
    expect(seen.delegation).toEqual({ type: "delegated", ...cut });
    expect(seen.servers.map((server) => server.answer?.values)).toEqual([[TOKEN], [TOKEN]]);
    expect(seen.confirmation).toMatchObject({ confirmed: true });
    expect(seen.witnesses?.map((witness) => witness.answer?.values)).toEqual(
      Array(3).fill([TOKEN]),
    );
    expect(seen.packets).toBeLessThanOrEqual(14);
    expect(seen.exchanges).toHaveLength(seen.packets);
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
  });

  it("asks the witnesses for TXT and the zone's nameservers over one connection per process", async () => {
    const { reader } = await open({ secure: "https" });
    const reads = await Promise.all([1, 2, 3].map(() => reader.readChallenge(question, never)));
    for (const { witnesses, exchanges } of reads) {
      // Two of three agree, so the third is not asked for its list.
      expect(witnesses?.flatMap(({ nameservers }) => (nameservers ? [nameservers] : []))).toEqual(
        Array(2).fill(BOTH),
      );
      const asked = exchanges.filter(({ transport }) => transport === "https");
      const types = asked.map((one) => one.question.type).sort();
      expect(types.join()).toBe("NS,NS,TXT,TXT,TXT");
    }
    expect([20, 21, 22].map((host) => world?.openAt(host))).toEqual([1, 1, 1]);
  });

  it("asks each server from a separate port, different in every read", async () => {
    const ports = new Map<number, Set<number>>();
    const noting =
      (host: number): LabBehaviour =>
      (query, server) => {
        if (query.transport === "udp")
          ports.set(host, (ports.get(host) ?? new Set()).add(query.port));
        return [server.honest(query)];
      };
    const { reader } = await open({
      root: { behaviour: noting(1) },
      tld: { behaviour: noting(2) },
      servers: { 3: { behaviour: noting(3) }, 4: { behaviour: noting(4) } },
    });
    for (let count = 0; count < 5; count += 1) await reader.readChallenge(question, never);
    const sets = [1, 2, 3, 4].map((host) => [...(ports.get(host) ?? [])]);
    expect(sets.map((set) => set.length)).toEqual([5, 5, 5, 5]);
    expect(new Set(sets.flat()).size).toBe(20);
  });

  it("of a zone without the record takes at most 42 packets, spread over two nameservers, and 6 to resolvers", async () => {
    const other = await open({ records: [] });
    const seen = await other.reader.readChallenge(question, never);
    expect(seen.misplaced).toEqual([]);
    const toWitnesses = seen.exchanges.filter(({ server }) => server.startsWith("witness"));
    expect(toWitnesses).toHaveLength(6);
    expect(seen.packets).toBeLessThanOrEqual(42 + 6);
    for (const host of [3, 4]) expect(other.seenBy(host)).toBeLessThanOrEqual(22);
  });

  it("rejects, and sends nothing more, once its signal aborts", async () => {
    const other = await open({ root: { behaviour: late(300) } });
    const leaving = new AbortController();
    const reading = other.reader.readChallenge(question, leaving.signal);
    setTimeout(() => leaving.abort(new Error("left")), 50);
    await expect(reading).rejects.toThrow("left");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([1, 2, 3, 4].map((host) => other.seenBy(host))).toEqual([1, 0, 0, 0]);
  });

  it("does not start if its signal has aborted or the name is invalid", async () => {
    const { reader } = await open();
    await expect(reader.readChallenge(question, AbortSignal.abort())).rejects.toThrow();
    for (const domain of ["", ".", "a..test", "Acme.test", "a b.test", `${"a".repeat(250)}.test`]) {
      await expect(reader.readChallenge({ ...question, domain }, never)).rejects.toThrow(
        RangeError,
      );
    }
    expect(world?.seenBy(1)).toBe(0);
  });
});

it("concurrent reads ask one address at most 10 questions at a time", async () => {
  let [waiting, most] = [0, 0];
  const behaviour: LabBehaviour = async (query, server) => {
    waiting += 1;
    most = Math.max(most, waiting);
    await new Promise((resolve) => setTimeout(resolve, 20));
    waiting -= 1;
    return [server.honest(query)];
  };
  const { reader } = await open({ root: { behaviour } });
  const reads = await Promise.all(
    Array.from({ length: 40 }, () => reader.readZone("acme.test", never)),
  );
  expect(reads.every((read) => read.type === "read")).toBe(true);
  expect(most).toBe(10);
});

it("an address that is asked more than it may be turns away reads that nobody waits for, and lets the others wait", async () => {
  const { reader } = await open();
  const ask = (isAwaited: boolean) =>
    reader.readChallenge({ ...question, isAwaited: () => isAwaited }, never);
  const all = await Promise.allSettled([
    ...Array.from({ length: 40 }, () => ask(false)),
    ...Array.from({ length: 5 }, () => ask(true)),
  ]);
  const away = all.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  const made = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(away.length).toBeGreaterThan(10);
  for (const error of away) expect(error).toBeInstanceOf(AddressFull);
  for (const { limit, confirmation } of made)
    expect([limit, confirmation]).toMatchObject([null, { confirmed: true }]);
  expect(all.slice(40).map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"));
  expect(reader.hasRoom(away[0].address)).toBe(true);
});

describe("a zone read", () => {
  it.each(["acme.test", "www.acme.test"])(
    "of %s returns its zone, nameservers and TTLs",
    async (name) => {
      const { reader } = await open();
      expect(await reader.readZone(name, never)).toEqual({
        type: "read",
        zone: "acme.test",
        nameservers: BOTH,
        ttl: 3600,
        negativeTtl: 300,
        signed: false,
        at: expect.any(Number),
      });
    },
  );

  it("finds no delegation below the registry", async () => {
    const { reader } = await open();
    for (const name of ["other.test", "a.b.other.test", "acme.nosuch"])
      expect(await reader.readZone(name, never)).toEqual({ type: "no_delegation" });
  });
});

describe("nameservers of earlier reads", () => {
  const former = Array.from({ length: 10 }, (_, index) => `old${index}.acme.test`);

  it("are asked, at most four, if no delegated server has the token", async () => {
    const { reader } = await open({ records: [] });
    const asked = { ...question, formerNameservers: () => ["ns1.acme.test", ...former] };
    const seen = await reader.readChallenge(asked, never);
    expect(seen.former.map(({ host, result }) => `${host} ${result}`)).toEqual(
      former.slice(0, 4).map((host) => `${host} no_address`),
    );
  });

  it("are not asked if a delegated server has it", async () => {
    const { reader } = await open();
    const formerNameservers = () => {
      throw new Error("asked for");
    };
    const seen = await reader.readChallenge({ ...question, formerNameservers }, never);
    expect(seen.former).toEqual([]);
  });
});

// Side by side, since each takes as long as the reader waits for silent servers.
describe.concurrent("a read of silent servers", () => {
  it.for<[net: number, what: string, setup: WorldSetup]>([
    [4_001, "the zone's", answering(silent)],
    [4_002, "the registry's", { tld: { behaviour: silent } }],
  ])("on network %i, %s, is unresolvable", async ([net, , setup], { expect }) => {
    const silentWorld = new World(setup, netOf(net), PORT);
    await silentWorld.open();
    const zone = await silentWorld.reader.readZone("acme.test", never);
    expect(zone).toEqual({ type: "unresolvable" });
    silentWorld.close();
  });
});
