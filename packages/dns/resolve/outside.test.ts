import { afterEach, expect, it } from "vitest";
import { silent } from "../testing/faults.ts";
import { HISTORY } from "../testing/observations.ts";
import { decide } from "../testing/verdicts.ts";
import { LABEL, netOf, TOKEN, World, type WorldSetup } from "../testing/world.ts";
import { sentencesFor } from "../words/diagnoses/diagnoses.ts";
import { createReader } from "./create-reader.ts";

const NET = netOf(4_300);
const HOUR = 3_600_000;
const question = { domain: "acme.test", label: LABEL, token: TOKEN };

const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

/** Inside, no server has the record; the resolver outside sees the zone from `setup`. */
async function views(setup: WorldSetup) {
  const inside = new World({ records: [], patience: 0.1 }, NET);
  const outside = new World(setup, netOf(4_301));
  for (const world of [inside, outside]) worlds.push(world) && (await world.open());
  const [resolver] = outside.settings.witnesses;
  const outsiders = resolver ? [{ ...resolver, name: "outside" }] : [];
  const reader = createReader({ ...inside.settings, outsiders });
  return async (hours: number, known?: string | null) => {
    const overHttps = { openedAt: Date.now() - hours * HOUR, held: [] };
    const asked = { ...question, overHttps, ...(known !== undefined && { outside: known }) };
    const seen = await reader.readChallenge(asked, new AbortController().signal);
    return { seen, asked: seen.exchanges.filter(({ server }) => server === "outside").length };
  };
}

it("C7.13: asks a resolver that is no witness after a day, until it lacks the record", async () => {
  const read = await views({});
  expect(await read(23)).toMatchObject({ asked: 0 });
  const { seen, asked } = await read(25);
  expect([seen.outside, asked]).toEqual(["outside", 1]);
  expect(await read(26, "outside")).toMatchObject({ seen: { outside: "outside" }, asked: 1 });
  expect(await read(26, null)).toMatchObject({ seen: { outside: null }, asked: 0 });
  const decision = decide(seen, HISTORY);
  if (decision.outcome !== "absent" || !decision.diagnosis) throw new Error("not absent");
  const { diagnosis } = decision;
  expect(diagnosis).toMatchObject({ code: "not_published", observed: { outside: "outside" } });
  const place = { ...question, zone: "acme.test", provider: "other" as const };
  expect(sentencesFor(diagnosis, place).cause).toContain("another view of the zone acme.test");
});

it("remembers a denial, and asks again where there was no answer", async () => {
  const lacking = await views({ records: [] });
  expect((await lacking(25)).seen.outside).toBeNull();
  expect((await lacking(26, "outside")).seen.outside).toBeNull();
  for (const world of worlds.splice(0)) world.close();
  const mute = await views({ witnesses: [{ behaviour: silent }, {}, {}] });
  expect(await mute(25)).not.toHaveProperty("seen.outside");
  expect((await mute(26, "outside")).seen.outside).toBe("outside");
});
