import { afterAll, beforeAll, expect, it } from "vitest";
import { record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";
import { type Front, openFront } from "./rule/front.ts";
import { MANNERS } from "./rule/manners.ts";
import { KNOTS, type LabZone } from "./zones.ts";

const DAY = 86_400;
const good = { from: -DAY, until: DAY };
type Fronted = { manner: keyof typeof MANNERS; address: string; zone: LabZone };

/** A zone on knotd that only one server leads to. */
function behind(
  manner: Fronted["manner"],
  address: string,
  name: string,
  records: string[],
  rest: Partial<LabZone> = {},
): Fronted {
  const host = `ns1.${name}`;
  const made = zone(name, { ns1: [`ns1 A ${address}`, ...records] }, rest);
  const glue = [`${host}. A ${address}`];
  return {
    manner,
    address,
    zone: { ...made, delegatedTo: [host], at: [address], fronted: true, glue },
  };
}
const held = [record(TOKEN)];
const DROPPED = behind("dropsCapitals", "127.0.43.1", "dropped.com", held);
const REFUSED = behind("refusesCapitals", "127.0.43.2", "refused.com", held);
const DROPPED_SIGNED = behind("dropsCapitals", "127.0.43.3", "dropped.example", held, {
  presigned: good,
});
const DROPPED_EMPTY = behind("dropsCapitals", "127.0.43.4", "dropped-empty.com", []);
const KEYLESS = behind("dropsKeys", "127.0.43.5", "keyless.example", held, { presigned: good });
const KEYLESS_EMPTY = behind("dropsKeys", "127.0.43.6", "keyless-empty.example", [], {
  presigned: good,
});
const LOWERED = behind("lowers", "127.0.43.7", "lowered.com", held);
const TCP_ALONE = behind("tcp", "127.0.43.8", "tcp-alone.com", []);
const ZONES = [
  ...[DROPPED, REFUSED, DROPPED_SIGNED, DROPPED_EMPTY, KEYLESS, KEYLESS_EMPTY, LOWERED],
  TCP_ALONE,
];

// C7.15, C8.3, C8.6
describeLab(
  "servers that capitals or questions for keys keep from answering, on knotd and unbound",
  () => {
    const at = useLab(ZONES.map(({ zone }) => zone));
    const fronts: Front[] = [];
    beforeAll(async () => {
      const own = KNOTS.ns1.address;
      for (const { address, manner } of ZONES)
        fronts.push(
          await openFront(address, at.lab.ports.plain, MANNERS[manner], {
            own,
            has: own,
            not: own,
          }),
        );
    });
    afterAll(() => {
      for (const front of fronts) front.close();
    });
    const told = (code: string, fault?: object) => ({
      outcome: "absent",
      diagnosis: { code, ...(fault && { observed: { fault } }) },
    });

    it.for(
      (
        [
          [DROPPED, { outcome: "found" }],
          [REFUSED, { outcome: "found" }],
          [DROPPED_SIGNED, { outcome: "found" }],
          [LOWERED, { outcome: "found" }],
          [DROPPED_EMPTY, told("record_absent")],
          [KEYLESS, told("servfail", { type: "keys_unanswered", zone: "keyless.example" })],
          [
            KEYLESS_EMPTY,
            told("servfail", { type: "keys_unanswered", zone: "keyless-empty.example" }),
          ],
          [TCP_ALONE, told("servfail", { type: "no_udp" })],
        ] satisfies [Fronted, object][]
      ).map(([one, expected]) => [one.zone.name, expected] as const),
    )("%s", async ([name, expected]) => {
      const { seen, decision } = await at.read(name);
      console.log(`${name}: ${seen.packets} packets, ${seen.durationMs} ms`);
      expect(decision).toMatchObject(expected);
      expect(seen.packets).toBeLessThanOrEqual(60);
    });
  },
);
