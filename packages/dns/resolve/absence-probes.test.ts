import { describe, expect, it } from "vitest";
import { type LabRecord, labZone } from "../testing/lab-zone.ts";
import { HISTORY } from "../testing/observations.ts";
import { oneWorld, PATIENT } from "../testing/one-world.ts";
import { each, nameservers, txt } from "../testing/rows.ts";
import { decide } from "../testing/verdicts.ts";
import { LABEL, netOf, TOKEN, type WorldSetup } from "../testing/world.ts";
import { digestOf, evidenceOf } from "../verdict/evidence.ts";
import type { Observation } from "../verdict/observation.ts";
import type { EarlierRead } from "./reader.ts";

const NET = netOf(710);
const never = new AbortController().signal;

const open = oneWorld(NET, PATIENT);

async function read(setup: WorldSetup, before: Observation | null = null): Promise<Observation> {
  const world = await open(setup);
  const question = { domain: world.domain, label: LABEL, token: TOKEN };
  return world.reader.readChallenge({ ...question, before: () => earlier(before) }, never);
}

/** The parts of a read that are kept. */
function earlier(seen: Observation | null): EarlierRead | null {
  const findings = seen && evidenceOf(seen);
  const answers = findings && digestOf(decide(seen, HISTORY), findings).answers;
  return answers === null ? null : { answers, findings: JSON.parse(JSON.stringify(findings)) };
}

const zoneOf = (records: LabRecord[], serial = 7): WorldSetup => {
  const zones = [labZone("acme.test", nameservers(NET, 2), records, serial)];
  return { domain: "my.shop.acme.test", zone: "acme.test", servers: each({ zones }) };
};

describe("C9.9: an absent record", () => {
  it("costs 51 packets at first, and at most 12 while nothing changes", async () => {
    const first = await read(zoneOf([]));
    expect(first.packets).toBe(51);
    const again = await read(zoneOf([]), first);
    expect(again.packets).toBeLessThanOrEqual(12);
    expect(decide(again, HISTORY)).toEqual(decide(first, HISTORY));
    const third = await read(zoneOf([]), again);
    expect(third.packets).toBeLessThanOrEqual(12);
  });

  it("of the zone's own name costs 55", async () => {
    expect((await read({ ...zoneOf([]), domain: "acme.test" })).packets).toBe(55);
  });

  it("is searched for again if a serial has changed", async () => {
    const changed = await read(zoneOf([], 8), await read(zoneOf([])));
    expect(changed.packets).toBe(51);
  });

  it("at a wrong name is still diagnosed there, and the search made again once it is gone", async () => {
    const misplaced = zoneOf([txt("my.shop.acme.test")]);
    const first = await read(misplaced);
    const again = await read(misplaced, first);
    expect(again.packets).toBeLessThanOrEqual(12);
    expect(again.misplaced).toEqual(first.misplaced);
    expect(decide(again, HISTORY)).toEqual(decide(first, HISTORY));
    expect(decide(again, HISTORY)).toMatchObject({ diagnosis: { code: "record_at_apex" } });
    const moved = await read(zoneOf([]), again);
    expect(moved.packets).toBeGreaterThan(12);
    expect(moved.misplaced).toEqual([]);
  });

  it("at the target of an alias is still diagnosed there, until it is gone", async () => {
    const alias = { name: "my.shop.acme.test", type: "CNAME", data: "web.acme.test" } as const;
    const misplaced = zoneOf([alias, txt(`${LABEL}.web.acme.test`)]);
    const first = await read(misplaced);
    expect(first.misplaced).toMatchObject([{ kind: "alias_target" }]);
    const again = await read(misplaced, first);
    expect(again.packets).toBeLessThanOrEqual(12);
    expect(again.misplaced).toEqual(first.misplaced);
    expect((await read(zoneOf([alias]), again)).misplaced).toEqual([]);
  });

  it("put at a wrong name is found although no serial moves", async () => {
    let before = await read(zoneOf([]));
    const misplaced = zoneOf([txt("my.shop.acme.test")]);
    for (let reads = 0; reads < 60 && before.misplaced.length === 0; reads += 1)
      before = await read(misplaced, before);
    expect(before.misplaced).toMatchObject([{ kind: "apex", name: "my.shop.acme.test" }]);
    expect(before.packets).toBeGreaterThan(12);
  });
});
