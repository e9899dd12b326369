import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { openDatabase } from "#db/client.ts";
import { eachFolder } from "#db/testing.files.ts";
import { copyMigrated } from "#db/testing.ts";
import { accountForEmail } from "../../core/testing/accounts.ts";
import { growth } from "./disk.ts";

const folder = eachFolder();
const grows = (free: number | null, more = {}) =>
  growth(parseEnvironment({ DATA_DIR: folder(), ...more }), free);

/** A database with so many domains added two days ago, and so many now. Returns its size. */
async function grown(before: number, now: number): Promise<number> {
  const path = folder("deed.db");
  copyMigrated(path);
  const db = openDatabase(path);
  const service = testService(db);
  service.now = Date.now() - 2 * DAY;
  const { id } = await accountForEmail(service.ctx, "mara@acme.com");
  for (let i = 0; i < before; i += 1) await addDomain(service.ctx, id, `old${i}.example`);
  service.now = Date.now();
  for (let i = 0; i < now; i += 1) await addDomain(service.ctx, id, `new${i}.example`);
  const size = db.$client.serialize().length;
  db.$client.close();
  return size;
}

test("the last day's part of the rows tells whether the disk is full within a week", async () => {
  const octets = await grown(30, 10);
  // A quarter of the rows: in a week, seven quarters of the file.
  expect(grows((octets * 8) / 4)).toMatchObject([
    { subject: "Disk", status: "ok", text: expect.stringMatching(/deed\.db grew by about 0 MB/) },
  ]);
  expect(grows((octets * 6) / 4)).toMatchObject([
    { status: "warning", text: expect.stringContaining("full within a week") },
  ]);
  expect(grows(null)).toMatchObject([{ status: "ok" }]);
  // Even if its settings cause warnings, such as that anybody may sign up.
  expect(grows(1, { BASE_URL: "https://deed.example.org" })).toMatchObject([{ status: "warning" }]);
});

test("a database that has not grown since yesterday fills no disk", async () => {
  await grown(3, 0);
  expect(grows(1)).toMatchObject([{ status: "ok" }]);
});

test("where there is none, or none that can be read, there is nothing to say", () => {
  expect(grows(1)).toEqual([]);
  writeFileSync(folder("deed.db"), "a shopping list, long enough");
  expect(grows(1)).toEqual([]);
});
