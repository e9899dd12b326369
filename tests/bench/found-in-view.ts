import { setTimeout as sleep } from "node:timers/promises";
import { startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { siteRecords } from "@deed/playground/samples.ts";
import { openClaim, roomy, signIn } from "../support/deed.ts";
import { newFolder } from "../support/service.ts";
import { followEvents } from "../support/stream.ts";
import type { Benchmark } from "./benchmark.ts";
import { median, Rejected } from "./rounds.ts";
import { startAt, startDns, startLookups } from "./world.ts";

const CLAIMS = 30;
const NAMESERVERS = ["ns1.hosting.example", "ns2.hosting.example"];
/** Records are added at any moment of two intervals of reads, after the first read. */
const ADDED_MS = { from: 12_000, until: 42_000 };
const EVERY_MS = 15_000;
const GIVE_UP_MS = 60_000;
const FIGURE = "from served to told on the open page";

/**
 * Claims whose pages listen on the account's stream; each record is served at a random moment. The floor is one bare
 * lookup every 15 seconds.
 */
export const foundInView: Benchmark = {
  name: "found-in-view",
  figures: { [FIGURE]: { unit: "ms", goal: { most: 1.33 } } },
  async startProduct(command, stops) {
    const playground = await startPlayground();
    stops.add(playground.stop);
    const budgets = roomy("API", "DNS_ADDRESS");
    const service = await startAt(command, newFolder(), { ...playground.env, ...budgets });
    stops.add(() => service.stop());
    let rounds = 0;
    return async () => {
      rounds += 1;
      const client = await signIn(service, `round${rounds}@example.org`);
      const stream = await followEvents(service.url, client.identityFor("/api/events"));
      const prove = async (name: string) => {
        playground.addZone({ name, nameservers: NAMESERVERS, records: siteRecords(name) });
        const claim = await openClaim(client, name);
        await sleep(ADDED_MS.from + Math.random() * (ADDED_MS.until - ADDED_MS.from));
        playground.addRecord(name, txt(claim.name, claim.token));
        const servedAt = performance.now();
        const isTold = (one: { type: string; domainId?: string }) =>
          one.type === "claim.ended" && one.domainId === claim.domainId;
        while (!stream.heard.some(isTold)) {
          if (performance.now() > servedAt + GIVE_UP_MS) throw new Rejected(`${name} was not told`);
          await sleep(20);
        }
        const { state } = await client.expect(200, "GET", `/api/claims/${claim.id}`);
        if (state !== "proved") throw new Rejected(`${name} is not proved`);
        return performance.now() - servedAt;
      };
      const names = Array.from({ length: CLAIMS }, (_, at) => `found${rounds}-${at}.example`);
      try {
        return { [FIGURE]: median(await Promise.all(names.map(prove))) };
      } finally {
        stream.leave();
      }
    };
  },
  async startFloor(stops) {
    const dns = await startDns(["n0.com"], 0, stops);
    dns.publish("n0.com");
    const { lookUp } = await startLookups(dns, stops);
    const found = async () => Math.random() * EVERY_MS + (await lookUp());
    return async () => ({
      [FIGURE]: median(await Promise.all(Array.from({ length: CLAIMS }, found))),
    });
  },
};
