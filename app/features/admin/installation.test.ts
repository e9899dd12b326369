import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DAY } from "#app/core/time.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { testFolder } from "#db/testing.files.ts";
import { partsOfInstallation } from "./installation.server.ts";

function installation() {
  const folder = testFolder();
  const app = testApp({ DATA_DIR: folder, DATABASE_PATH: join(folder, "deed.db") });
  const parts = async () => {
    const found = await partsOfInstallation(app);
    return Object.fromEntries(found.map(({ name, tone, text }) => [name, `${tone}: ${text}`]));
  };
  return { folder, app, parts };
}

it("names each part of the installation with what is known of it", async () => {
  const { app, parts } = installation();
  app.mailHealth = () => "ok";
  app.workerRunning = () => true;
  const { Version, Disk, ...others } = await parts();
  expect(Version).toContain(app.settings.version);
  expect(Disk).toMatch(/^(proved|needs): \d+ [MG]B free$|^waiting/);
  expect(others).toEqual({
    Database: "proved: takes writes, has 0 MB",
    "Last backup": "waiting: none in the data folder",
    Email: "proved: the last email went to the outbox, because SMTP_URL is not set",
    DNS: "waiting: no check in the last 15 minutes",
    Clock: "proved: confirmed",
    "Signing key": `proved: ${app.signer.kid}`,
    Queue: "proved: 0 checks and 0 emails are due",
  });
});

it("says what needs the operator", async () => {
  const { folder, app, parts } = installation();
  mkdirSync(join(folder, "backups"));
  const backup = join(folder, "backups", "deed-20260101T000000Z.db");
  writeFileSync(backup, "");
  app.mailHealth = () => "failing";
  app.workerRunning = () => false;
  app.database.damage = "row 3 missing from index";
  app.timekeeper.waitsFor = () => "the clock went back by a day";
  const before = (await parts())["Last backup"];
  expect(before).toMatch(/^proved: \d+ seconds? old$/);
  const old = (Date.now() - 2.5 * DAY) / 1_000;
  utimesSync(backup, old, old);
  utimesSync(join(folder, "backups"), old, old);
  expect(await parts()).toMatchObject({
    "Last backup": "needs: 3 days old",
    Database: "needs: damaged: restore a backup (row 3 missing from index)",
    Email: "needs: the last email could not be handed over",
    Clock: "needs: the clock went back by a day",
    Queue: "needs: the worker stands still; 0 checks and 0 emails are due",
  });
  const stuck = installation();
  stuck.app.db.$client.pragma("query_only = ON");
  expect((await stuck.parts()).Database).toBe("needs: takes no writes");
});
