import { describe, expect, it } from "vitest";
import { oneWorld, PATIENT } from "../testing/one-world.ts";
import { LABEL, netOf, TOKEN } from "../testing/world.ts";
import { AddressFull } from "./reader.ts";

const NET = netOf(4_000);
const question = { domain: "acme.test", label: LABEL, token: TOKEN };
const BOTH = ["ns1.acme.test", "ns2.acme.test"];
const never = new AbortController().signal;

const open = oneWorld(NET, PATIENT);

describe("C8.1: a challenge read", () => {
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
    const world = await open({ secure: "https" });
    const { reader } = world;
    const reads = await Promise.all([1, 2, 3].map(() => reader.readChallenge(question, never)));
    for (const { witnesses, exchanges } of reads) {
      // Two of three agree, so the third is not asked for its NS list.
      expect(witnesses?.flatMap(({ nameservers }) => (nameservers ? [nameservers] : []))).toEqual(
        Array(2).fill(BOTH),
      );
      const asked = exchanges.filter(({ transport }) => transport === "https");
      const types = asked.map((one) => one.question.type).sort();
      expect(types.join()).toBe("NS,NS,TXT,TXT,TXT");
    }
    expect([20, 21, 22].map((host) => world.openAt(host))).toEqual([1, 1, 1]);
  });

  it("of a zone without the record takes at most 49 packets, spread over two nameservers, and 6 to resolvers", async () => {
    const other = await open({ records: [] });
    const seen = await other.reader.readChallenge(question, never);
    expect(seen.misplaced).toEqual([]);
    const toWitnesses = seen.exchanges.filter(({ server }) => server.startsWith("witness"));
    expect(toWitnesses).toHaveLength(6);
    expect(seen.packets).toBeLessThanOrEqual(49 + 6);
    for (const host of [3, 4]) expect(other.seenBy(host)).toBeLessThanOrEqual(26);
  });

  it("does not start if its signal has aborted or the name is invalid", async () => {
    const world = await open();
    const { reader } = world;
    await expect(reader.readChallenge(question, AbortSignal.abort())).rejects.toThrow();
    for (const domain of ["", ".", "a..test", "Acme.test", "a b.test", `${"a".repeat(250)}.test`]) {
      await expect(reader.readChallenge({ ...question, domain }, never)).rejects.toThrow(
        RangeError,
      );
    }
    expect(world.seenBy(1)).toBe(0);
  });
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
  expect(away.length).toBeGreaterThan(0);
  for (const error of away) expect(error).toBeInstanceOf(AddressFull);
  for (const { limit, confirmation } of made)
    expect([limit, confirmation]).toMatchObject([null, { confirmed: true }]);
  expect(all.slice(40).map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"));
  expect(reader.hasRoom(away[0].address)).toBe(true);
});

it("asks at most four nameservers of earlier reads", async () => {
  const { reader } = await open({ records: [] });
  const former = Array.from({ length: 10 }, (_, index) => `old${index}.acme.test`);
  const formerNameservers = () => ["ns1.acme.test", ...former];
  const seen = await reader.readChallenge({ ...question, formerNameservers }, never);
  expect(seen.former.map(({ host }) => host)).toEqual(former.slice(0, 4));
});
