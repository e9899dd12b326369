import { decide, progressOf } from "@deed/dns/testing/verdicts.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { it } from "vitest";
import { both, LABEL, NO_HISTORY, record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";

/** Who holds "not found", under which negative TTL. West caps it to ten seconds, east answers from what has expired. */
const CASES = [
  { domain: "one.com", minimum: 300, holding: ["north"], told: 0 },
  { domain: "two.com", minimum: 20, holding: ["north", "east"], told: 17 },
  { domain: "all.com", minimum: 30, holding: ["north", "east", "west"], told: 27 },
  { domain: "capped.com", minimum: 300, holding: ["north", "west"], told: 7 },
];
const OWN_LINES = {
  east: ["serve-expired: yes", "serve-expired-client-timeout: 0", "ede-serve-expired: yes"],
  west: ["cache-max-negative-ttl: 10"],
};
/** Unlike what a new denial has, by more than two seconds. */
const AGE = 3;
const SECOND = 1_000;

const STALE = "stale.com";

describeLab("waits for unbound that holds an old answer", () => {
  const zones = [...CASES, { domain: STALE, minimum: 3 }].map(({ domain, minimum }) =>
    zone(domain, both(), { minimum }),
  );
  const at = useLab(zones, OWN_LINES);

  const ttls = async (domain: string, by: readonly string[]) => {
    const packets = await at.lab.prime(`${LABEL}.${domain}`, by);
    return packets.map((packet) => {
      const [soa] = packet?.authorities ?? [];
      return soa?.type === "SOA" ? (soa.ttl ?? null) : null;
    });
  };
  /** The reads of a claim, each with what the last one left. */
  const reading = (domain: string) => {
    let tried: Observation["tried"] = [];
    let history = NO_HISTORY;
    return async () => {
      const question = { domain, label: LABEL, token: TOKEN, tried };
      const seen = await at.reader.readChallenge(question, AbortSignal.timeout(30_000));
      const decision = decide(seen, history);
      tried = seen.tried;
      history = { ...history, ...progressOf(seen, history) };
      return { seen, decision };
    };
  };

  it.concurrent.for(CASES)("$domain: $holding", { timeout: 120_000 }, async (row, { expect }) => {
    const { domain, minimum, holding, told } = row;
    const first = await ttls(domain, holding);
    await at.lab.setZone(domain, [record(TOKEN)]);
    const isOld = async () => {
      const now = await ttls(domain, holding);
      return now.every((ttl, index) => ttl !== null && ttl + AGE <= (first[index] ?? 0));
    };
    await expect.poll(isOld, { timeout: minimum * SECOND, interval: 200 }).toBe(true);
    const read = reading(domain);
    const { seen, decision } = await read();
    if (told === 0) return expect(decision).toEqual({ outcome: "found" });
    const wait = decision.outcome === "absent" ? decision.wait : null;
    expect(wait).toEqual({ reason: "negative_cache", until: wait?.until });
    expect((wait?.until ?? 0) - seen.at).toBeLessThanOrEqual(told * SECOND + seen.durationMs);
    await expect
      .poll(async () => (await read()).decision, { timeout: 60_000, interval: 500 })
      .toEqual({ outcome: "found" });
    expect(Math.abs(Date.now() - (wait?.until ?? 0))).toBeLessThan(10 * SECOND);
  });

  it.concurrent("one that answers from what has expired is asked once more", async ({ expect }) => {
    await ttls(STALE, ["north", "east"]);
    await at.lab.setZone(STALE, [record(TOKEN)]);
    // North forgets at the same time.
    await expect
      .poll(() => ttls(STALE, ["north"]), { timeout: 30_000, interval: 250 })
      .toEqual([null]);
    const { seen, decision } = await reading(STALE)();
    expect(decision).toEqual({ outcome: "found" });
    const asked = seen.exchanges.filter(
      ({ server, question }) => server === "east" && question.name === `${LABEL}.${STALE}`,
    );
    expect(asked).toHaveLength(2);
  });
});
