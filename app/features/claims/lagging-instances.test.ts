import { altered, rcode, resolving } from "@deed/dns/testing/faults.ts";
import type { LabBehaviour, LabOptions } from "@deed/dns/testing/lab-server.ts";
import { netOf, World, type WorldSetup } from "@deed/dns/testing/world.ts";
import { afterEach, describe, expect, test } from "vitest";
import { claimed, liveUntil } from "#app/core/testing/service.ts";
import { DAY, MINUTE, SECOND } from "#app/core/time.ts";
import { FIRST_READ_AFTER_MS } from "./transition.ts";

const LAG_MS = 60 * SECOND;
/** How long a resolver keeps a denial. */
const KEPT_MS = 20 * MINUTE;
const RESOLVERS = 3;

let world: World | null = null;
afterEach(() => world?.close());

const denied = altered((answer, { type }) =>
  type === "TXT" ? { ...answer, aa: false, rcode: 3, answers: [] } : { ...answer, aa: false },
);

/**
 * A claim in virtual time, whose record the nameservers serve to us from `servedAfter` on. `othersAfter`: how much
 * later each resolver's instances of them do.
 */
async function provedAgainst(
  net: number,
  servedAfter: number,
  othersAfter: readonly number[],
  faults: Record<number, LabOptions> = {},
) {
  const { service, claim, shown, attempts } = await claimed();
  const servedAt = service.now + servedAfter;
  const [record] = claim.records;
  const name = record?.name ?? "";
  const planted = new Map<number, number>();
  const whenServed: LabBehaviour = (query, server) =>
    service.now < servedAt && query.name === name
      ? altered((answer) => ({ ...answer, rcode: 3, answers: [] }))(query, server)
      : [server.honest(query)];
  const resolver = (index: number): LabBehaviour => {
    const sees = servedAt + (othersAfter[index] ?? 0);
    return (query, server) => {
      const isKept = (planted.get(index) ?? 0) > service.now;
      if (query.type !== "TXT" || query.name !== name || (!isKept && service.now >= sees))
        return resolving(query, server);
      if (!isKept) planted.set(index, service.now + KEPT_MS);
      return denied(query, server);
    };
  };
  const setup: WorldSetup = {
    domain: "acme.com",
    registry: "com",
    records: [{ name, type: "TXT", data: claim.token }],
    servers: { 3: { behaviour: whenServed }, 4: { behaviour: whenServed } },
    witnesses: Array.from({ length: RESOLVERS }, (_, at) => ({
      behaviour: resolver(at),
      ...faults[at],
    })),
    get now() {
      return service.now;
    },
  };
  world = new World(setup, netOf(net), 30_000 + (process.pid % 10_000));
  await world.open();
  const { reader } = world;
  service.see = (question, _, signal) => reader.readChallenge(question, signal);
  await liveUntil(service, service.now + 2 * KEPT_MS);
  const seconds = (service.now - servedAt) / SECOND;
  const { status } = await shown();
  return { status, seconds, planted: planted.size, reads: await attempts() };
}

// C8.6
describe("resolvers are asked one at a time", () => {
  const lagging = Array<number>(RESOLVERS).fill(LAG_MS);

  test.each([0, 4, 9, 14].map((after, at) => [after, at] as const))(
    "so that instances which lag 60 s plant a denial in one of them, %i s after a read",
    async (after, at) => {
      const servedAfter = FIRST_READ_AFTER_MS + (after + 15) * SECOND + 1;
      const { status, seconds, planted } = await provedAgainst(at, servedAfter, lagging);
      expect(status).toBe("proved");
      expect(planted).toBe(1);
      expect(seconds).toBeGreaterThanOrEqual(60);
      expect(seconds).toBeLessThanOrEqual(90);
    },
  );

  test("and where all agree, one read proves", async () => {
    const { status, seconds, planted } = await provedAgainst(4, 30 * SECOND, [0, 0, 0]);
    expect([status, planted]).toEqual(["proved", 0]);
    expect(seconds).toBeLessThanOrEqual(17);
  });

  test("one that never has it keeps the others from nothing", async () => {
    const { status, seconds } = await provedAgainst(5, 30 * SECOND, [2 * DAY, 0, 0]);
    expect(status).toBe("proved");
    expect(seconds).toBeLessThanOrEqual(90);
  });

  test("nor does one that refuses everybody", async () => {
    const refusing = { 0: { behaviour: rcode(5) } };
    const { status, reads } = await provedAgainst(6, 30 * SECOND, [0, 0, 0], refusing);
    expect(status).toBe("proved");
    expect(reads[0]).toMatchObject({ outcome: "found" });
    expect(reads[1]).toMatchObject({ outcome: "absent" });
  });

  test("but where most never have it, nothing is proved", async () => {
    const { status } = await provedAgainst(7, 30 * SECOND, [2 * DAY, 2 * DAY, 0]);
    expect(status).not.toBe("proved");
  });
});
