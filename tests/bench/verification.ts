import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { newFolder } from "../support/service.ts";
import { type Benchmark, Stops } from "./benchmark.ts";
import { startFloor } from "./floors/server.ts";
import { Rejected } from "./rounds.ts";
import { NAMESERVERS, ROOT, seededFolder, startAt, startDns } from "./world.ts";

const CLAIMS = 200;
const GIVE_UP_MS = 60_000;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

const isPublished = (i: number) => i % 10 === 0;
const names = Array.from({ length: CLAIMS }, (_, i) => `n${i}.com`);

async function startWorld(stops: Stops) {
  const dns = await startDns(names, 0, stops);
  for (const name of names.filter((_, i) => isPublished(i))) dns.publish(name);
  return dns;
}

function processorTime(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return TICK_MS * (Number(fields[11]) + Number(fields[12]));
}

const READ = `select count(distinct v.id) from verifications v join claims c on c.id = v.claim_id
  join attempts a on a.verification_id = v.id where c.name like 'n%'`;
const PROVED = "select name from claims where state = 'proved' and name like 'n%'";

/** Waits until every claim was read. Throws Rejected unless those with their record, and no others, are proved. */
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

export const verification: Benchmark = {
  name: "verification",
  floor: "the bare lookups of those reads: dns-packet, without any checks",
  figures: {
    "reads of due claims": { unit: "a second", goal: { least: 0.2 } },
    "processor time of a read": { unit: "ms", goal: { most: 20 } },
  },
  async startProduct(command) {
    const stops = new Stops();
    const dns = await startWorld(stops);
    const rows = { accounts: 10, claims: CLAIMS, due: true };
    const { path } = await seededFolder(command, rows);
    const dataDir = newFolder();
    return {
      async round() {
        const copy = join(dataDir, "deed.db");
        for (const end of ["", "-wal", "-shm"]) rmSync(copy + end, { force: true });
        copyFileSync(path, copy);
        const service = await startAt(command, dataDir, dns.env);
        const db = new Database(copy, { readonly: true });
        try {
          const { pid } = service.child;
          const [from, before] = [performance.now(), processorTime(pid)];
          const left = CLAIMS - Number(db.prepare(READ).pluck().get());
          await allRead(db);
          return {
            "reads of due claims": (1_000 * left) / (performance.now() - from),
            "processor time of a read": (processorTime(pid) - before) / left,
          };
        } finally {
          db.close();
          await service.stop();
        }
      },
      stop: stops.run,
    };
  },
  async startFloor() {
    const stops = new Stops();
    const dns = await startWorld(stops);
    const floor = await startFloor("lookup-chain.mjs", "/n0.com", {
      ROOT,
      DNS_PORT: String(dns.port),
    });
    stops.add(floor.stop);
    return {
      async round() {
        const [from, before] = [performance.now(), processorTime(floor.child.pid)];
        let next = 0;
        const lane = async () => {
          for (let name = names[next++]; name; name = names[next++]) {
            const answer = await fetch(`${floor.url}/${name}`);
            const { records } = (await answer.json()) as { records: number };
            if (records !== Number(isPublished(names.indexOf(name))))
              throw new Rejected(`the chain of ${name} ended at ${records} records`);
          }
        };
        await Promise.all(Array.from({ length: 2 * NAMESERVERS.length }, lane));
        return {
          "reads of due claims": (1_000 * CLAIMS) / (performance.now() - from),
          "processor time of a read": (processorTime(floor.child.pid) - before) / CLAIMS,
        };
      },
      stop: stops.run,
    };
  },
};
