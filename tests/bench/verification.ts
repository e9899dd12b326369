import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { processorTimeOf } from "../reliability/metrics.ts";
import { newFolder, startService } from "../support/service.ts";
import type { Benchmark, Stops } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";
import { NAMESERVERS, seededFolder, startDns, startLookups } from "./world.ts";

const CLAIMS = 200;
const GIVE_UP_MS = 60_000;

const isPublished = (i: number) => i % 10 === 0;
const names = Array.from({ length: CLAIMS }, (_, i) => `n${i}.com`);

async function startWorld(stops: Stops, tokenOf: (i: number) => string | undefined) {
  const dns = await startDns(names, 0, stops);
  for (const [i, name] of names.entries()) if (isPublished(i)) dns.publish(name, tokenOf(i) ?? "");
  return dns;
}

const READ = `select count(distinct v.id) from verifications v join claims c on c.id = v.claim_id
  join attempts a on a.verification_id = v.id where c.name like 'n%'`;
const PROVED = "select name from claims where state = 'proved' and name like 'n%'";

/** Waits until every claim was read. Throws Rejected unless exactly the claims with their record are proved. */
async function allRead(db: Database.Database): Promise<void> {
  const read = db.prepare(READ).pluck();
  const giveUpAt = Date.now() + GIVE_UP_MS;
  while (Number(read.get()) < CLAIMS) {
    if (Date.now() > giveUpAt) throw new Rejected("not every claim was read in a minute");
    await sleep(20);
  }
  const proved = new Set(db.prepare(PROVED).pluck().all());
  if (names.some((name, i) => proved.has(name) !== isPublished(i)))
    throw new Rejected(`${proved.size} were proved`);
}

/** The floor is the bare lookups of those reads: dns-packet, without any checks. */
export const verification: Benchmark = {
  name: "verification",
  figures: {
    "reads of due claims": { unit: "a second", goal: { least: 0.2 } },
    "processor time of a read": { unit: "ms", goal: { most: 20 } },
  },
  async startProduct(command, stops) {
    const rows = { accounts: 10, claims: CLAIMS, due: true };
    const { path, claims } = await seededFolder(command, rows);
    const dns = await startWorld(stops, (i) => claims[i]?.token);
    const dataDir = newFolder();
    return async () => {
      const copy = join(dataDir, "deed.db");
      for (const end of ["", "-wal", "-shm"]) rmSync(copy + end, { force: true });
      copyFileSync(path, copy);
      const service = await startService({ command, dataDir, env: dns.env });
      const db = new Database(copy, { readonly: true });
      try {
        const { pid } = service.child;
        const [from, before] = [performance.now(), processorTimeOf(pid)];
        const left = CLAIMS - Number(db.prepare(READ).pluck().get());
        await allRead(db);
        return {
          "reads of due claims": (1_000 * left) / (performance.now() - from),
          "processor time of a read": (processorTimeOf(pid) - before) / left,
        };
      } finally {
        db.close();
        await service.stop();
      }
    };
  },
  async startFloor(stops) {
    const { pid, lookUp } = await startLookups(await startWorld(stops, () => "token"), stops);
    return async () => {
      const [from, before] = [performance.now(), processorTimeOf(pid)];
      let next = 0;
      const lane = async () => {
        for (let at = next++; at < CLAIMS; at = next++)
          await lookUp(names[at], Number(isPublished(at)));
      };
      await Promise.all(Array.from({ length: 2 * NAMESERVERS.length }, lane));
      return {
        "reads of due claims": (1_000 * CLAIMS) / (performance.now() - from),
        "processor time of a read": (processorTimeOf(pid) - before) / CLAIMS,
      };
    };
  },
};
