import { describe, expect, it } from "vitest";
import { answerFrom, type LabRecord, labZone } from "../testing/lab-zone.ts";
import { asksSomebody, follow, PANELS, site, wrongRecord } from "../testing/robot.ts";
import { CHECK_ROWS, type CheckRow } from "../testing/rows-check.ts";
import { inWorld, type Net, netOf, type WorldSetup } from "../testing/world.ts";
import { recordWords } from "../words/diagnoses/record.ts";
import { panelHost } from "../words/providers.ts";
import { type Check, check } from "./index.ts";

let nets = 3_500;

const beside =
  ({ setup }: CheckRow) =>
  (net: Net): WorldSetup => {
    const { records = [], ...rest } = setup(net);
    return { ...rest, records: [...records, ...site("acme.test", records)] };
  };

async function checking(setup: (net: Net) => WorldSetup, question: CheckRow["question"]) {
  const net = netOf(nets++);
  const made = setup(net);
  const found = await inWorld(made, net, ({ settings }) => check(question, settings));
  return { made, found };
}

/** What everybody else gets from the zone: all but the record asked for, and names that nobody asks for. */
function answersOf(
  records: readonly LabRecord[],
  { name, type, value }: CheckRow["question"],
  isBroken: boolean,
) {
  const served = [labZone("acme.test", {}, [...records])];
  const names = new Set(records.map((one) => one.name));
  const textOf = (data: unknown) => [data].flat().join("");
  const isOwn = (text: string) =>
    text.replaceAll('"', "") === value.replace(/\.$/, "").toLowerCase() || text === value;
  return [...names].flatMap((at) =>
    ["A", "MX", "CNAME", "TXT"].flatMap((asked) =>
      (answerFrom(served, at, asked)?.answers ?? []).flatMap((one) => {
        const text = "data" in one ? textOf(one.data) : "";
        const isReplaced = at === name && (type === "CNAME" || isBroken);
        return isReplaced || isOwn(text) ? [] : `${asked} ${at} ${text}`;
      }),
    ),
  );
}

/** What others lose. Nobody needs the nearest value if it is the wanted one with a slip. */
function harmOf(
  row: CheckRow,
  found: Check,
  before: readonly LabRecord[],
  after: readonly LabRecord[],
) {
  const { nearest, cause } = found;
  // Nobody can use an alias to nowhere.
  const isBroken = /back to itself|which does not exist|is not the name of a host/.test(
    cause ?? "",
  );
  const left = new Set(answersOf(after, row.question, isBroken));
  const lost = answersOf(before, row.question, isBroken).filter((one) => !left.has(one));
  const isSlip = (one: string) =>
    (nearest?.how === "altered" || nearest?.how === "only_one") &&
    one.endsWith(` ${nearest.value}`) &&
    !/v=spf1/.test(nearest.value);
  // Only the value was taken out of this text; the rest stays.
  const isTaken = (one: string) =>
    [...left].some(
      (other) =>
        other.replace(/\s+/g, "") === one.replace(row.question.value, "").replace(/\s+/g, ""),
    );
  return lost.filter((one) => !isSlip(one) && !isTaken(one));
}

const tally = { followed: 0, asked: 0 };

describe("fixes of checks", { shuffle: false }, () => {
  it.concurrent.each(CHECK_ROWS.filter(({ expected }) => expected !== "found"))(
    "a robot that does what the fix says, letter by letter, harms nothing and mends it: $name",
    async (row) => {
      const { made, found } = await checking(beside(row), row.question);
      const { code, diagnosis, where, nearest, others, vendor, zone, type, value } = found;
      for (const [provider, grouped] of PANELS) {
        const { label, domain } = where;
        const place = {
          label,
          domain,
          zone: zone?.name ?? null,
          token: value,
          provider,
          type,
          isGeneric: true as const,
        };
        const facts = { code: code ?? "record_absent", diagnosis, seen: where, nearest, others };
        const own = recordWords({ ...facts, vendor: vendor?.name ?? null, aliasEnd: null }, place);
        const said =
          found.aliases.length > 0 || !own ? { fix: found.fix ?? "", pastes: found.pastes } : own;
        if (asksSomebody(said.fix)) {
          tally.asked += 1;
          continue;
        }
        const at = wrongRecord(diagnosis).at ?? found.name;
        const before = made.records ?? [];
        const task = {
          ...said,
          name: found.name,
          at,
          value: nearest?.value ?? null,
          token: value,
          type,
        };
        const { records } = follow({ zone: "acme.test", grouped, records: before }, task);
        tally.followed += 1;
        expect(harmOf(row, found, before, records), said.fix).toEqual([]);
        const edited = (net: Net) => ({ ...beside(row)(net), records });
        const next = (await checking(edited, row.question)).found;
        const mended = next.outcome === "found" || next.code === "negative_cache";
        expect(mended, `${said.fix}\n${next.cause}\n${panelHost(place)}`).toBe(true);
      }
    },
  );

  it("follows most fixes: few ask somebody", () => {
    expect(tally.followed).toBeGreaterThan(100);
    expect(tally.asked).toBeLessThanOrEqual(24);
  });
});
