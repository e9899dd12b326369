import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Chance } from "../fuzz/chance.ts";
import { readerSettings } from "../support/reader-settings.ts";
import { isFull } from "../support/size.ts";
import { describeLab } from "./lab.ts";
import { type Life, live, readOverHttps } from "./rule/claim.ts";
import { CUT_ATTACKS, CUT_HONEST } from "./rule/cuts.ts";
import { FORGED_ATTACKS, UNDEFENDED } from "./rule/forgers.ts";
import { nameOf } from "./rule/hosts.ts";
import { LIST_ATTACKS, LIST_HONEST } from "./rule/lists.ts";
import { PATIENCE } from "./rule/manners.ts";
import { openPaths } from "./rule/resolvers.ts";
import { NOW, type Resolvers, type Row } from "./rule/row.ts";
import { SIGNED_ATTACKS, SIGNED_HONEST } from "./rule/signed.ts";
import { SILENT_ATTACKS, SILENT_CONTROLS } from "./rule/silences.ts";
import { ODDITIES, SPLIT_ATTACKS, SPLIT_HONEST, TRANSPORT_ATTACKS } from "./rule/splits.ts";
import { nameOfRow, startTable } from "./rule/table.ts";

const ATTACKS = [
  ...SILENT_ATTACKS,
  ...SPLIT_ATTACKS,
  ...TRANSPORT_ATTACKS,
  ...CUT_ATTACKS,
  ...LIST_ATTACKS,
  ...SIGNED_ATTACKS,
  ...FORGED_ATTACKS,
];
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
const CHANCE = new Chance(SEED);
/** All rows in a full run, otherwise about half. */
const drawn = (rows: Row[]) => (isFull ? rows : CHANCE.some(rows));
const SIGNED = drawn(SIGNED_HONEST);
const CONTROLS = drawn(SILENT_CONTROLS);
const HONEST = [
  ...SIGNED,
  ...CONTROLS,
  ...drawn([...SPLIT_HONEST, ...CUT_HONEST, ...LIST_HONEST, ...ODDITIES]),
];
const ROWS = [...ATTACKS, ...HONEST, ...UNDEFENDED];

/** The zone's own signer has signed the record for the present: over HTTPS that is a proof, even if others are silent. */
const isSigned = ({ signed, ds }: Row) => signed?.has === NOW && !ds;
const SHUT = [...SILENT_ATTACKS, ...FORGED_ATTACKS, ...SIGNED_ATTACKS, ...SIGNED, ...CONTROLS];
/** Who passes on signatures in rows with plain-text resolvers: nobody asks those. */
const overHttps = (resolvers: Resolvers): Resolvers => {
  if (resolvers === "forged" || resolvers === "impersonated") return "impersonatedHttps";
  return /^(unbound|none|gullible)$/.test(resolvers) ? "https" : resolvers;
};

/** Claims to read at the same time. They mostly wait for silent servers. */
const AT_ONCE = 32;
const MINUTE = 60_000;
/** The second read comes one to five minutes after the first. */
const SECOND_READ = [1 * MINUTE, 5 * MINUTE] as const;

const byTitle = (rows: readonly Row[]) => rows.map((row) => [row.title, row] as const);

/** What is wrong with an attack's result; null if nothing is. */
function wrongWithAttack({ names, tld = "com", comesTo = /^$/ }: Row, life: Life): string | null {
  const { state, words, verification } = life;
  if (state !== "pending" || words.length < 3 || !words.every((one) => comesTo.test(one)))
    return `${state}: ${words.join(", ")}`;
  const { diagnosis = null, waitObserved = null } = verification ?? {};
  // For a wait: the servers that answer without the record, not the silent ones.
  const told = waitObserved ? JSON.parse(waitObserved).nameservers : diagnosis;
  return !names || told?.includes(nameOf(names, tld).toLowerCase()) ? null : `names ${told}`;
}

function wrongWithHonest({ servers, claims, reads, ...row }: Row, life: Life): string | null {
  const { state, words, at, count } = life;
  const all = servers.length;
  const [delegated, answered, holding] = row.count ?? [all, all, all];
  const took = (at.at(-1) ?? 0) - (at[0] ?? 0);
  const [soonest, latest] = SECOND_READ;
  const isInTime = reads === 2 ? soonest <= took && took <= latest : words.join() === "found";
  const counted = JSON.stringify(count);
  const isCounted = claims || counted === JSON.stringify({ delegated, answered, holding });
  const isRight = state === "proved" && isInTime && isCounted;
  return isRight ? null : `${state} in ${took} ms: ${words.join(", ")}; ${counted}`;
}

/** Whether a row without port 53 ends in a proof. */
const isShutProof = (row: Row) =>
  isSigned(row) && overHttps(row.resolvers ?? "unbound") === "https";
function shutWord(row: Row): RegExp {
  if (isShutProof(row)) return /^found$/;
  return isSigned(row) ? /^unresolvable$/ : /^(unresolvable|absent)/;
}

const isAttack = new Set(ATTACKS);
function isRight(row: Row, life: Life): boolean {
  if (UNDEFENDED.includes(row)) return life.state === "proved";
  return (isAttack.has(row) ? wrongWithAttack : wrongWithHonest)(row, life) === null;
}

// C8.1, C8.3, C8.4, C8.5, C8.6, C8.7, C8.10, C8.11, C8.12, C8.13
describeLab("the rule of proof, on knotd and unbound", () => {
  let table: Awaited<ReturnType<typeof startTable>>;
  let paths: Awaited<ReturnType<typeof openPaths>>;
  const lives = new Map<Row, Promise<Life>>();
  const shutReads = new Map<Row, Promise<string>>();
  const lifeOf = (row: Row) => lives.get(row) ?? Promise.reject(new Error("was not read"));

  const question = (row: Row, patience: number): [domain: string, settings: ReaderSettings] => {
    const name = nameOfRow(ROWS.indexOf(row), row);
    const settings = readerSettings(table.lab.env);
    const domain = row.claims ? `${row.claims}.${name}` : name;
    return [domain, { ...settings, authorities: [table.lab.authority.cert], patience }];
  };
  const read = (row: Row, patience = PATIENCE) => {
    const [domain, settings] = question(row, patience);
    return live(domain, {
      ...settings,
      witnesses: paths.witnesses[row.resolvers ?? "unbound"],
      ...(row.uplink && { rootHints: paths.roots[row.uplink] }),
      allowAddresses: [...settings.allowAddresses, "fe80::/10"],
      // Reads for several minutes come within seconds.
      packetsPerAddress: [{ count: 1e9, seconds: 1 }],
    });
  };
  const readShut = (row: Row, patience = PATIENCE) => {
    const [domain, settings] = question(row, patience);
    const { plain, tls } = table.lab.ports;
    // Nothing listens there.
    const port = plain + 1 === tls ? 1 : plain + 1;
    const witnesses = paths.witnesses[overHttps(row.resolvers ?? "unbound")];
    return readOverHttps(domain, { ...settings, port, witnesses });
  };

  beforeAll(async () => {
    table = await startTable(ROWS);
    const forged = ROWS.map((row, index) => ({
      name: nameOfRow(index, row),
      host: row.uplink === "diverted" ? "not1" : "has1",
      tld: row.tld ?? ("com" as const),
    }));
    paths = await openPaths(table.lab, forged);
    const waiting: (() => void)[] = [];
    const later = <T>(work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push(() => work().then(resolve, reject).finally(next));
      });
    const next = () => waiting.shift()?.();
    const begun: Promise<unknown>[] = [];
    let last: Promise<unknown> | undefined;
    /** On a busy machine answers may be late: then a separate read with the usual patience decides. */
    const settled = <T>(
      isRightOne: (one: T) => boolean,
      readOnce: (patience?: number) => Promise<T>,
    ) => {
      const first = later(async () => {
        const one = await readOnce();
        return isRightOne(one) ? one : readOnce(1);
      });
      begun.push(first);
      return first.then((one) => {
        if (isRightOne(one)) return one;
        const alone = (last ?? Promise.allSettled(begun)).then(() => readOnce(1));
        last = alone.catch(() => {});
        return alone;
      });
    };
    for (const row of ROWS)
      lives.set(
        row,
        settled(
          (life) => isRight(row, life),
          (patience) => read(row, patience),
        ),
      );
    for (const row of SHUT)
      shutReads.set(
        row,
        settled(
          (word) => shutWord(row).test(word),
          (patience) => readShut(row, patience),
        ),
      );
    // The row's own test reports it.
    for (const one of [...lives.values(), ...shutReads.values()]) one.catch(() => {});
    for (let place = 0; place < AT_ONCE; place += 1) next();
  });
  afterAll(async () => {
    console.log(`attack rows: ${ATTACKS.length}, honest rows: ${HONEST.length}, seed ${SEED}`);
    await Promise.allSettled([...lives.values(), ...shutReads.values()]);
    paths?.close();
    await table?.stop();
  });

  it.for(byTitle(ATTACKS))("never proves, though a server denies: %s", async ([, row]) => {
    expect(wrongWithAttack(row, await lifeOf(row))).toBeNull();
  });

  it.for(byTitle(UNDEFENDED))("cannot tell %s", async ([, row]) => {
    expect((await lifeOf(row)).state).toBe("proved");
  });

  it.for(byTitle(HONEST))("proves %s", async ([, row]) => {
    expect(wrongWithHonest(row, await lifeOf(row))).toBeNull();
  });

  describe("where port 53 is shut", () => {
    it.for(byTitle(SHUT.filter(isShutProof)))("proves %s", async ([, row]) => {
      expect(await shutReads.get(row)).toBe("found");
    });

    it.for(byTitle(SHUT.filter((row) => !isShutProof(row))))("refuses %s", async ([, row]) => {
      expect(await shutReads.get(row)).toMatch(shutWord(row));
    });
  });
});
