import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { newId } from "#app/core/ids.server.ts";
import { openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";

const FOLDER = ".cache/bench";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PER_ACCOUNT = 1_000;
/** Nothing is due until this long after seeding; from then on, one read per millisecond. */
const DUE_AFTER = 4 * DAY;
/** A seeded file may be reused until a day before its first read is due. */
const USABLE_FOR = DUE_AFTER - DAY;

export type Pending = { path: string; firstDueAt: number };

/** Identifies this seed script and the schema; a change of either needs a new file. */
function version(): string {
  const hash = createHash("sha1").update(readFileSync(import.meta.filename));
  for (const name of readdirSync("db/migrations")
    .filter((file) => file.endsWith(".sql"))
    .sort())
    hash.update(readFileSync(`db/migrations/${name}`));
  return hash.digest("hex").slice(0, 8);
}

function fill(path: string, count: number, now: number): void {
  const db = openDatabase(path);
  migrateDatabase(db);
  const sql = db.$client;
  sql.pragma("journal_mode = MEMORY");
  sql.pragma("synchronous = OFF");
  sql.pragma("cache_size = -500000");
  const insert = (table: string, columns: string) =>
    sql.prepare(`insert into ${table} (${columns}) values (${columns.split(",").map(() => "?")})`);
  const account = insert("accounts", "id,email,created_at");
  const domain = insert("domains", "id,account_id,name,unicode_name,status,claim_id,created_at");
  const claim = insert(
    "claims",
    "id,account_id,domain_id,name,token,challenge_label,created_at,expires_at,next_notice_at",
  );
  const verification = insert(
    "verifications",
    "id,claim_id,account_id,wait_reason,wait_until,next_run_at,deadline,created_at",
  );
  const open = (accountId: string, i: number) => {
    const name = `n${i}.com`;
    const createdAt = now - DAY + Math.floor((i * DAY) / count);
    const [domainId, claimId] = [newId("dom", createdAt), newId("clm", createdAt)];
    const [dueAt, deadline] = [now + DUE_AFTER + i, createdAt + 7 * DAY];
    const token = `service_v1_${i.toString(16).padStart(40, "0")}`;
    const label = "_service-challenge";
    domain.run(domainId, accountId, name, name, "pending", claimId, createdAt);
    claim.run(claimId, accountId, domainId, name, token, label, createdAt, deadline, dueAt);
    const id = newId("ver", createdAt);
    verification.run(id, claimId, accountId, "first_check", dueAt, dueAt, deadline, createdAt);
  };
  sql.transaction(() => {
    let accountId = "";
    for (let i = 0; i < count; i++) {
      if (i % PER_ACCOUNT === 0) {
        accountId = newId("acc", now);
        account.run(accountId, `holder${i}@seed.example`, now);
      }
      open(accountId, i);
    }
  })();
  sql.pragma("journal_mode = WAL");
  sql.close();
}

/** A reusable file of `count` claims, kept between runs. Made if there is none; deletes unusable ones. */
function seeded(count: number): Pending {
  mkdirSync(FOLDER, { recursive: true });
  const stem = `pending-${count}-`;
  const suffix = `-${version()}.db`;
  const now = Date.now();
  for (const name of readdirSync(FOLDER).filter((file) => file.startsWith(stem))) {
    const at = Number(name.slice(stem.length).split("-")[0]);
    if (name.endsWith(suffix) && now < at + USABLE_FOR)
      return { path: `${FOLDER}/${name}`, firstDueAt: at + DUE_AFTER };
    rmSync(`${FOLDER}/${name}`);
  }
  const folder = mkdtempSync(`${FOLDER}/seeding-`);
  const path = `${FOLDER}/${stem}${now}${suffix}`;
  try {
    fill(`${folder}/deed.db`, count, now);
    renameSync(`${folder}/deed.db`, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { path, firstDueAt: now + DUE_AFTER };
}

/** Copies a database of `count` pending verifications into `folder`. One is due each millisecond from `firstDueAt`. */
export function pendingIn(folder: string, count: number): Pending {
  const { path, firstDueAt } = seeded(count);
  mkdirSync(folder, { recursive: true });
  const copy = `${folder}/deed.db`;
  if (!existsSync(copy)) copyFileSync(path, copy);
  return { path: copy, firstDueAt };
}
