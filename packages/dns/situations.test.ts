import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SITUATIONS } from "./testing/situations.ts";
import { decide, progressOf } from "./testing/verdicts.ts";
import { LABEL, netOf, TOKEN, World } from "./testing/world.ts";
import { explain } from "./words/diagnoses/diagnoses.ts";

const AT_A_TIME = 12;
/** After the networks of the fault matrix, which has the same port. */
const FIRST_NET = 1000;

/** Situations where Deed does not yet say what a friend would say. */
const OPEN = new Set("shortened old-token-appended small-letters-only asker-refused".split(" "));

type Told = { came: string; awaits: string | null; words: string };
const told: Told[] = [];
let worlds: World[] = [];

/** Reads a situation: the message at once, or `laterMinutes` later. */
async function tell(world: World, laterMinutes = 0): Promise<Told> {
  const { seen, decision: first, history } = await world.read();
  const { zone, provider, ...progress } = progressOf(seen, history);
  const later = { ...seen, at: seen.at + laterMinutes * 60_000 };
  const decision = laterMinutes ? decide(later, { ...history, ...progress }) : first;
  if (decision.outcome !== "absent") return { came: decision.outcome, awaits: null, words: "" };
  const { diagnosis, wait } = decision;
  if (!diagnosis) return { came: wait?.reason ?? "", awaits: null, words: "" };
  const place = { label: LABEL, domain: world.domain, zone, token: TOKEN };
  const { cause, fix } = explain(diagnosis, { ...place, provider: provider ?? "other" });
  return { came: diagnosis.code, awaits: diagnosis.awaits, words: `${cause}\n${fix}` };
}

beforeAll(async () => {
  const port = 20_000 + (process.pid % 10_000);
  worlds = SITUATIONS.map(({ setup }, index) => {
    const net = netOf(FIRST_NET + index);
    return new World(setup(net), net, port);
  });
  await Promise.all(worlds.map((world) => world.open()));
  const rows = SITUATIONS.entries();
  const readRows = async () => {
    for (const [index, { laterMinutes }] of rows) {
      const world = worlds[index];
      if (world) told[index] = await tell(world, laterMinutes);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, readRows));
});

afterAll(() => {
  for (const world of worlds) world.close();
});

describe("a friend and Deed agree on", () => {
  const rows = SITUATIONS.map((row, index) => ({ ...row, index }));
  it.each(rows.filter(({ id }) => !OPEN.has(id)))("$id: $wrong", (row) => {
    const { came, awaits, words } = told[row.index] ?? { came: "nothing", awaits: null, words: "" };
    expect(row.code.split(" "), words).toContain(came);
    if (row.awaits) expect(awaits, words).toBe(row.awaits);
    for (const phrase of row.says) expect(words).toMatch(phrase);
    for (const phrase of row.never ?? []) expect(words).not.toMatch(phrase);
  });
});
