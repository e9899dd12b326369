import { setTimeout as sleep } from "node:timers/promises";
import { txt } from "@deed/playground/records.ts";
import { quantile } from "../reliability/figures.ts";
import { signIn } from "../support/deed.ts";
import { followEvents } from "../support/stream.ts";
import type { Benchmark } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";
import { NAMESERVERS, openPage, startWaited } from "./waiting.ts";
import { startDns, startLookups } from "./world.ts";

const CLAIMS = 300;
/** Records are added at any moment of the first ten minutes, after the first read. */
const ADDED_MS = { from: 12_000, until: 570_000 };
/** Half of the records reach the second nameserver this much later. */
const APART_MS = 5_000;
const EVERY_MS = 15_000;
const GIVE_UP_MS = 120_000;
const WAYS = ["at once", "5 s apart"] as const;
const mediansOf = (way: string) => `served ${way} to told, median`;
const lateOf = (way: string) => `served ${way} to told, 95 of 100`;
const figuresOf = (way: string, took: number[]) => [
  [mediansOf(way), quantile(took, 0.5)],
  [lateOf(way), quantile(took, 0.95)],
];
const PACKETS = "packets a minute of waiting to the nameservers";

/**
 * Claims with their pages in view, which follow the account's stream. The floor is one bare lookup every 15 seconds, and
 * the packets of four lookups.
 */
export const foundInView: Benchmark = {
  name: "found-in-view",
  isLong: true,
  figures: {
    ...Object.fromEntries(
      WAYS.flatMap((way) => [
        [mediansOf(way), { unit: "ms", goal: { product: 1_500 } }],
        [lateOf(way), { unit: "ms", goal: { product: 3_000 } }],
      ]),
    ),
    [PACKETS]: { unit: "", goal: { most: 4 } },
  },
  async startProduct(command, stops) {
    const waited = await startWaited(command, stops);
    const { playground, service } = waited;
    const packets = () => NAMESERVERS.reduce((sum, host) => sum + playground.received(host), 0);
    let rounds = 0;
    return async () => {
      rounds += 1;
      const client = await signIn(service, `round${rounds}@example.org`);
      const stream = await followEvents(service.url, client.identity);
      const before = packets();
      const prove = async (name: string, isApart: boolean) => {
        const openedAt = performance.now();
        const { claim, leave } = await openPage(waited, client, name);
        await sleep(ADDED_MS.from + Math.random() * (ADDED_MS.until - ADDED_MS.from));
        const record = txt(claim.name, claim.token);
        const [first, second] = isApart ? NAMESERVERS : [];
        playground.addRecord(name, record, first);
        if (isApart) await sleep(APART_MS);
        if (isApart) playground.addRecord(name, record, second);
        const servedAt = performance.now();
        const heard = () =>
          stream.heard.find((one) => one.type === "claim.ended" && one.domainId === claim.domainId);
        while (!heard()) {
          if (performance.now() > servedAt + GIVE_UP_MS) throw new Rejected(`${name} was not told`);
          await sleep(20);
        }
        const toldAt = performance.now();
        leave();
        const { state } = await client.expect(200, "GET", `/api/claims/${claim.id}`);
        if (state !== "proved") throw new Rejected(`${name} is not proved`);
        return { isApart, tookMs: toldAt - servedAt, waitedMs: toldAt - openedAt };
      };
      const names = Array.from({ length: CLAIMS }, (_, at) => `found${rounds}-${at}.example`);
      try {
        const all = await Promise.all(names.map((name, at) => prove(name, at % 2 === 1)));
        const waitedMs = all.reduce((sum, one) => sum + one.waitedMs, 0);
        const figures = WAYS.flatMap((way, at) => {
          const took = all.filter(({ isApart }) => isApart === (at === 1)).map((one) => one.tookMs);
          return figuresOf(way, took);
        });
        return {
          ...Object.fromEntries(figures),
          [PACKETS]: ((packets() - before) * 60_000) / waitedMs,
        };
      } finally {
        stream.leave();
      }
    };
  },
  async startFloor(stops) {
    const dns = await startDns(["n0.com"], 0, stops);
    dns.publish("n0.com", "token");
    const { lookUp } = await startLookups(dns, stops);
    return async () => {
      const found = async () => Math.random() * EVERY_MS + (await lookUp());
      const took = await Promise.all(Array.from({ length: CLAIMS / 10 }, found));
      const figures = WAYS.flatMap((way) => figuresOf(way, took));
      return { ...Object.fromEntries(figures), [PACKETS]: 60_000 / EVERY_MS };
    };
  },
};
