import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { figure, isFull } from "../reliability/figures.ts";
import { Client } from "../support/deed.ts";
import { deedCommand } from "../support/product.ts";
import { closed, freePort, launch, newFolder } from "../support/service.ts";

/** Written by version 0.2.0: tests/data/README.md. */
const WRITTEN = "tests/data/deed-0.2.0";
const COOKIE = "session=RfFNueoSX0ABHMvFXvibZphlfhquCYN6qZHjQe40bik";
/** A start waits ten seconds for them. */
const MANY = isFull ? 10_000 : 100;
const HOUR_MS = 3_600_000;

type Row = { id: string };

let dataDir: string;
/** Epoch milliseconds of the last change. */
let writtenAt: number;
/** The proved claims of the session's account. */
let proved: Row[];

/** Every column of a row of `table` but its id, which is the placeholder. */
function copier(db: Database.Database, table: string, key: string, ...changed: string[]) {
  const columns = db.prepare<[], { name: string }>(`pragma table_info(${table})`).all();
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => ([key, ...changed].includes(name) ? `@${name}` : name));
  return db.prepare(
    `insert into ${table} (${names}) select ${values} from ${table} where ${key} = @from`,
  );
}

beforeEach(() => {
  dataDir = join(newFolder(), "data");
  cpSync(WRITTEN, dataDir, { recursive: true });
  const file = join(dataDir, "deed.db");
  writeFileSync(file, gunzipSync(readFileSync(`${WRITTEN}/deed.db.gz`)));
  const db = new Database(file);
  proved = db
    .prepare<[], Row>(
      "select id from claims join receipts on claim_id = id where account_id = (select id from accounts where email = 'mara@holder.example')",
    )
    .all();
  writtenAt = Number(db.prepare("select max(at) from change_feed").pluck().get());
  db.close();
});

/** The service's clock begins so long after the last change. */
const clockAfter = (ms: number) => ({
  NODE_OPTIONS: `--require ${resolve("tests/support/clock-off.cjs")}`,
  CLOCK_OFF_MS: String(writtenAt + ms - Date.now()),
});

/** Adds so many receipts that are copies of one. */
function multiply(): void {
  const db = new Database(join(dataDir, "deed.db"));
  const from = proved[0]?.id;
  const claim = copier(db, "claims", "id", "token");
  const receipt = copier(db, "receipts", "claim_id");
  db.pragma("synchronous = OFF");
  db.transaction(() => {
    for (let n = 0; n < MANY; n++) {
      const id = `clm_copy${n}`;
      claim.run({ id, from, token: `service_v1_${String(n).padStart(40, "0")}` });
      receipt.run({ claim_id: id, from });
    }
  })();
  db.close();
}

/** Resolves with the client of the holder as soon as the service listens. */
async function listening(env: Record<string, string>) {
  const port = await freePort();
  const { child, printed } = launch(deedCommand(), ["serve"], {
    cwd: dataDir,
    env: {
      ...closed(),
      PORT: String(port),
      DATA_DIR: dataDir,
      ...env,
    },
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  if (!child.stdout) throw new Error("no output");
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('"listening"')) break;
  child.stdout.resume();
  const client = new Client(`http://localhost:${port}`);
  client.cookie = COOKIE;
  return { client, printed };
}

const PARTS = ["receipt", "opening", "evidence"];

describe("receipts of version 0.2.0", () => {
  it(`are signed again, ${MANY} of them, before the service listens`, async () => {
    multiply();
    const { client, printed } = await listening(clockAfter(HOUR_MS));
    for (const { id } of proved)
      for (const part of PARTS) await client.expect(200, "GET", `/api/claims/${id}/${part}`);
    const db = new Database(join(dataDir, "deed.db"), { readonly: true });
    const left = db
      .prepare("select count(*) from receipts join claims on id = claim_id where salt is null")
      .pluck();
    expect(left.get()).toBe(0);
    db.close();
    const at = (message: string) =>
      Number(new RegExp(`"time":(\\d+).*"msg":"${message}"`).exec(printed())?.[1]);
    const seconds = (at("listening") - at("database migrated")) / 1_000;
    figure(`${MANY} receipts signed again before the service listens, seconds`, seconds);
  });

  it("that are not signed again yet are unavailable, and no reader signs them", async () => {
    // Nothing is dated while the clock says less than the database.
    const { client } = await listening(clockAfter(-HOUR_MS));
    const db = new Database(join(dataDir, "deed.db"), { readonly: true });
    const salts = db.prepare("select salt from claims where salt is not null");
    for (const { id } of proved)
      for (const part of PARTS) {
        const answer = await client.get(`/api/claims/${id}/${part}`);
        expect([answer.status, answer.body]).toMatchObject([
          503,
          { error: { code: "unavailable", message: expect.stringContaining("signed again") } },
        ]);
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      }
    expect(salts.all()).toEqual([]);
    db.close();
  });
});
