import { setTimeout as sleep } from "node:timers/promises";
import { txt } from "@deed/playground/records.ts";
import { siteRecords } from "@deed/playground/samples.ts";
import { type Deed, openClaim, signIn, startDeed } from "../support/deed.ts";
import { followEvents } from "../support/stream.ts";
import { type Benchmark, type Side, Stops } from "./benchmark.ts";
import { startFloor } from "./floors/server.ts";
import { median, Rejected } from "./rounds.ts";
import { ROOT, startDns } from "./world.ts";

const CLAIMS = 30;
const NAMESERVERS = ["ns1.hosting.example", "ns2.hosting.example"];
/** Records are added at any moment of two intervals of reads, after the first read. */
const ADDED_MS = { from: 12_000, until: 42_000 };
const EVERY_MS = 15_000;
const GIVE_UP_MS = 60_000;
const FIGURE = "from served to told on the open page";

/** Starts the product at `command` on the playground. */
async function startProduct(command: string): Promise<Deed> {
  const own = process.env.DEED_COMMAND;
  process.env.DEED_COMMAND = command;
  try {
    return await startDeed({
      RATE_LIMIT_API: "100000/60",
      RATE_LIMIT_ADDITIONS: "100000/60",
      RATE_LIMIT_DNS_ADDRESS: "100000/1",
    });
  } finally {
    process.env.DEED_COMMAND = own;
  }
}

/** Claims whose pages listen on the account's stream; each record is served at a random moment. */
function sideOf({ playground, service, stop }: Deed): Side {
  let rounds = 0;
  return {
    async round() {
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
        const { body } = await client.get(`/api/claims/${claim.id}`);
        if ((body as { state: string }).state !== "proved")
          throw new Rejected(`${name} is not proved`);
        return performance.now() - servedAt;
      };
      const names = Array.from({ length: CLAIMS }, (_, at) => `found${rounds}-${at}.example`);
      try {
        return { [FIGURE]: median(await Promise.all(names.map(prove))) };
      } finally {
        stream.leave();
      }
    },
    stop,
  };
}

export const foundInView: Benchmark = {
  name: "found-in-view",
  floor: "one bare lookup every 15 seconds, the record served at a random moment",
  figures: { [FIGURE]: { unit: "ms", goal: { most: 1.33 } } },
  startProduct: async (command) => sideOf(await startProduct(command)),
  async startFloor() {
    const stops = new Stops();
    const dns = await startDns(["n0.com"], 0, stops);
    dns.publish("n0.com");
    const floor = await startFloor("lookup-chain.mjs", "/n0.com", {
      ROOT,
      DNS_PORT: String(dns.port),
    });
    stops.add(floor.stop);
    return {
      async round() {
        const took = Array.from({ length: CLAIMS }, async () => {
          const answer = await fetch(`${floor.url}/n0.com`);
          const lookup = (await answer.json()) as { took: number };
          return Math.random() * EVERY_MS + lookup.took;
        });
        return { [FIGURE]: median(await Promise.all(took)) };
      },
      stop: stops.run,
    };
  },
};
