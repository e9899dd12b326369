import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { describeLab } from "./lab.ts";
import { type Life, live } from "./rule/claim.ts";
import { CUT_ATTACKS, CUT_HONEST } from "./rule/cuts.ts";
import { FORGED_ATTACKS, UNDEFENDED } from "./rule/forgers.ts";
import { nameOf } from "./rule/hosts.ts";
import { LIST_ATTACKS, LIST_HONEST } from "./rule/lists.ts";
import { openPaths } from "./rule/resolvers.ts";
import type { Attack, Honest, Row } from "./rule/row.ts";
import { SIGNED_ATTACKS, SIGNED_HONEST } from "./rule/signed.ts";
import { SILENT_ATTACKS, SILENT_CONTROLS } from "./rule/silences.ts";
import { ODDITIES, SPLIT_ATTACKS, SPLIT_HONEST, TRANSPORT_ATTACKS } from "./rule/splits.ts";
import { nameOfRow, startTable } from "./rule/table.ts";

const ATTACKS: Attack[] = [
  ...SILENT_ATTACKS,
  ...SPLIT_ATTACKS,
  ...TRANSPORT_ATTACKS,
  ...CUT_ATTACKS,
  ...LIST_ATTACKS,
  ...SIGNED_ATTACKS,
  ...FORGED_ATTACKS,
];
const HONEST: Honest[] = [
  ...SILENT_CONTROLS,
  ...SPLIT_HONEST,
  ...CUT_HONEST,
  ...LIST_HONEST,
  ...SIGNED_HONEST,
  ...ODDITIES,
];
const ROWS: Row[] = [...ATTACKS, ...HONEST, ...UNDEFENDED];

/** Claims read at a time. They mostly wait for servers that do not answer. */
const LIVES_AT_ONCE = 64;
const MINUTES = 60_000;
/** The second read comes one to five minutes after the first. */
const SECOND_READ = [1 * MINUTES, 5 * MINUTES] as const;

const byTitle = <R extends Row>(rows: readonly R[]) => rows.map((row) => [row.title, row] as const);

// C8.1, C8.3, C8.4, C8.5, C8.6, C8.7, C8.10, C8.11
describeLab("the rule of proof, on knotd and unbound", () => {
  let table: Awaited<ReturnType<typeof startTable>>;
  let paths: Awaited<ReturnType<typeof openPaths>>;
  const lives = new Map<Row, Promise<Life>>();

  beforeAll(async () => {
    table = await startTable(ROWS);
    const forged = ROWS.flatMap((row, index) =>
      row.uplink === "forged" || row.resolvers === "impersonated"
        ? {
            name: nameOfRow(index, row),
            host: row.uplink === "forged" ? "has1" : "not1",
            tld: row.tld ?? "com",
          }
        : [],
    );
    paths = await openPaths(table.lab, forged);
    const settings = readerSettings(table.lab.env);
    const read = (row: Row) => {
      const name = nameOfRow(ROWS.indexOf(row), row);
      return live(row.claims ? `${row.claims}.${name}` : name, {
        ...settings,
        witnesses: paths.witnesses[row.resolvers ?? "unbound"],
        ...(row.uplink && { rootHints: paths.roots[row.uplink] }),
        authorities: [table.lab.authority.cert],
        allowAddresses: [...settings.allowAddresses, "fe80::/10"],
        // Minutes of reads come within seconds.
        packetsPerAddress: [{ count: 1e9, seconds: 1 }],
      });
    };
    const waiting = ROWS.map((row) => {
      let start = () => {};
      const begun = new Promise<void>((resolve) => {
        start = resolve;
      });
      const life = begun.then(() => read(row));
      lives.set(row, life);
      return () => {
        start();
        // Told by the row's own test.
        return life.catch(() => {});
      };
    });
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next();
    };
    for (let place = 0; place < LIVES_AT_ONCE; place += 1) void work();
  });
  afterAll(async () => {
    const ended = await Promise.all(
      ROWS.map((row) => Promise.resolve(lives.get(row)).catch(() => null)),
    );
    const proved = (rows: readonly Row[]) =>
      rows.filter((row) => ended[ROWS.indexOf(row)]?.state === "proved").length;
    console.log(
      `attack rows: ${ATTACKS.length}, false proofs: ${proved(ATTACKS)}; honest rows: ${HONEST.length}, proved: ${proved(HONEST)}`,
    );
    paths?.close();
    await table?.stop();
  });

  const lifeOf = async (row: Row): Promise<Life> => {
    const life = await lives.get(row);
    if (!life) throw new Error("was not read");
    return life;
  };

  describe("never proves, though a server denies", () => {
    it.for(byTitle(ATTACKS))("%s", { timeout: 240_000 }, async ([, row]) => {
      const life = await lifeOf(row);
      expect(life.state, life.words.join(", ")).toBe("pending");
      expect(life.words.length).toBeGreaterThan(2);
      for (const words of life.words) expect(words).toMatch(row.comesTo);
      if (!row.names) return;
      const { diagnosis = null, waitObserved = null } = life.verification ?? {};
      // Of a wait, those that answer without the record; not those that gave no answer.
      const told = waitObserved ? JSON.parse(waitObserved).nameservers : diagnosis;
      expect(told).toContain(nameOf(row.names, row.tld ?? "com").toLowerCase());
    });
  });

  it.for(byTitle(UNDEFENDED))("cannot tell %s", { timeout: 240_000 }, async ([, row]) => {
    expect((await lifeOf(row)).state).toBe("proved");
  });

  describe("proves", () => {
    it.for(byTitle(HONEST))("%s", { timeout: 240_000 }, async ([, row]) => {
      const { state, words, at, count } = await lifeOf(row);
      expect(state, words.join(", ")).toBe("proved");
      const all = row.servers.length;
      const [delegated, answered, holding] = row.count ?? [all, all, all];
      if (!row.claims) expect(count).toEqual({ delegated, answered, holding });
      const took = (at.at(-1) ?? 0) - (at[0] ?? 0);
      if (row.reads !== 2) return expect(words).toEqual(["found"]);
      const [soonest, latest] = SECOND_READ;
      expect(took).toBeGreaterThanOrEqual(soonest);
      expect(took).toBeLessThanOrEqual(latest);
    });
  });
});
