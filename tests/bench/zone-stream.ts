import { startService } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { startFloor } from "./floors/server.ts";
import { COM_SERVER, NEGATIVE_TTL, startKnots, zoneName } from "./knots.ts";
import { ROUND_SECONDS, startLoad } from "./load.ts";
import { interleave, median } from "./rounds.ts";

/** Requested in turn: over three times the size of the service's cache, so none is still cached on the next pass. */
const NAMES = 4_000;
/** Error margin of a rate, in streams. */
const MARGIN = 200;
const FLOOR = "tests/bench/floors/zone-stream.mjs";
const OPEN_BUDGET = { RATE_LIMIT_ZONES: "100000000/1" };

/** The end of the first frame, and the second frame; both sides must send them like this. */
const EXPECTED = `"cached":false}\n\nevent: publishing\ndata: {"step":"publishing","publishingMinutes":null,"negativeCacheTtlSeconds":${NEGATIVE_TTL}}\n\n`;

export const zoneStream: Benchmark = {
  name: "zone-stream",
  number: 5,
  work: `GET /api/zones/<name> of ${NAMES.toLocaleString("en")} zones on knotd, none of them cached`,
  floor:
    "bare node:http and dns-packet: NS from the registry, SOA from the zone, the same two frames",
  needs: ["knotd"],
  async run({ rounds }) {
    const stops: (() => unknown)[] = [];
    try {
      const knots = await startKnots(NAMES);
      stops.unshift(knots.stop);
      const service = await startService({
        env: { ...knots.env, ...OPEN_BUDGET, LOG_LEVEL: "error" },
      });
      stops.unshift(() => service.stop());
      const env = { DNS_PORT: String(knots.port), REGISTRY: COM_SERVER };
      const floor = await startFloor([FLOOR], `/api/zones/${zoneName(0)}`, env);
      stops.unshift(floor.stop);
      const load = startLoad();
      stops.unshift(load.stop);

      const targets = Array.from({ length: NAMES }, (_, i) => ({
        path: `/api/zones/${zoneName(i)}`,
        expects: EXPECTED,
      }));
      const rate = (origin: string, first: number) =>
        load.rate({ origin, targets: [...targets.slice(first), ...targets.slice(0, first)] });
      // Each round starts where the last one ended; otherwise its first names would still be cached.
      let next = 0;
      const product = async () => {
        const streams = await rate(service.url, next);
        next = (next + Math.ceil(streams * ROUND_SECONDS) + MARGIN) % NAMES;
        return streams;
      };
      const kept = await interleave(rounds, {
        product,
        floor: () => rate(floor.url, 0),
      });
      return {
        rows: [
          {
            goal: { what: "zone streams a second", at: "least", value: 0.13, unit: "" },
            value: median(kept.product) / median(kept.floor),
            product: kept.product,
            floor: kept.floor,
            unit: "streams/s",
          },
        ],
        commands: [
          "RATE_LIMIT_ZONES=100000000/1 RATE_LIMIT_DNS_ADDRESS=100000000/1 DNS_ROOT_HINTS=<root> DNS_PORT=<port> DNS_ALLOW_ADDRESSES=127.0.0.0/8 npm start",
          `REGISTRY=${COM_SERVER} DNS_PORT=<port> PORT=<port> node ${FLOOR}`,
        ],
        rejected: kept.rejected,
      };
    } finally {
      for (const stop of stops) await stop();
    }
  },
};
