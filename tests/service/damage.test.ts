import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { says } from "../contract/sentences.ts";
import { gauge } from "../reliability/metrics.ts";
import { deed, nobodyToAsk } from "../support/command.ts";
import { signIn } from "../support/deed.ts";
import { freePort, newFolder, type Service, startService } from "../support/service.ts";
import { tearPages } from "../support/torn-pages.ts";

const TORN = 14;
const NAMES = 2_000;

const dataDir = newFolder();
const path = `${dataDir}/deed.db`;
const env = { METRICS: "on" };

const failing = (url: string) => gauge(url, "deed_database_failing");
const damagedAt = (url: string) => gauge(url, "deed_database_damaged");

const healthOf = async ({ url }: Service, which = "") => {
  const answer = await fetch(`${url}/api/health${which}`);
  return { code: answer.status, ...((await answer.json()) as object) };
};

/** Rows enough for many pages of the table, as the holder of the only account has them. */
function addDomains(): void {
  const db = new Database(path);
  const columns = db.pragma("table_info(domains)") as { name: string }[];
  const names = columns.map(({ name }) => name);
  const changed: Record<string, string> = {
    id: "id || '_' || n",
    name: "'n' || n || '.example'",
    unicode_name: "'n' || n || '.example'",
  };
  db.exec(`with recursive count (n) as (select 1 union all select n + 1 from count where n < ${NAMES})
    insert into domains (${names.join()})
    select ${names.map((name) => changed[name] ?? name).join()} from domains, count`);
  db.close();
}

it(`${says("C21.17")} / and \`deed doctor\`, \`deed health\` and the metrics tell`, async () => {
  const port = await freePort();
  const first = await startService({ dataDir, env, port });
  const client = await signIn(first, "torn@holder.example");
  await client.post("/api/domains", { domain: "acme.com" });
  expect(await damagedAt(first.url)).toBe(0);
  expect(await first.stop()).toBe(0);
  addDomains();
  expect(tearPages(path, "domains", TORN)).toBe(TORN);

  const second = await startService({ dataDir, env, port });
  expect((await client.get("/api/domains")).status).toBe(500);
  const damaged = { code: 200, status: "degraded", reason: "damaged" };
  await expect.poll(() => healthOf(second), { timeout: 60_000 }).toMatchObject(damaged);
  expect(await healthOf(second, "/ready")).toEqual(damaged);
  expect(await healthOf(second, "/live")).toEqual({ code: 200, status: "ok" });
  expect([await damagedAt(second.url), await failing(second.url)]).toEqual([1, 0]);
  expect(second.output()).toContain("the database is damaged: restore a backup");
  const settings = { DATA_DIR: dataDir, PORT: String(port), ...nobodyToAsk(newFolder()) };
  const health = deed(["health"], { env: settings });
  expect([health.status, health.stdout]).toEqual([0, expect.stringContaining("degraded: damaged")]);
  expect(await second.stop()).toBe(0);
  const doctor = deed(["doctor"], { env: settings });
  expect([doctor.status, doctor.stdout]).toEqual([
    1,
    expect.stringMatching(/deed\.db is damaged\n/),
  ]);
  const backup = deed(["backup"], { env: settings });
  expect([backup.status, backup.stderr]).toEqual([1, expect.stringContaining("damaged")]);
});
