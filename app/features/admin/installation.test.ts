import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { signedIn } from "#app/api/testing.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { DAY, MINUTE } from "#app/core/time.ts";
import { openClaim } from "#app/features/claims/claims.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { loader } from "#app/routes/admin._index.tsx";
import { testFolder } from "#db/testing.files.ts";
import { partsOfInstallation } from "./installation.server.ts";
import { summaryOf } from "./view/admin.tsx";

function installation() {
  const folder = testFolder();
  const app = testApp({ DATA_DIR: folder, DATABASE_PATH: join(folder, "deed.db") });
  const parts = async () => {
    const found = await partsOfInstallation(app);
    return Object.fromEntries(found.map(({ name, tone, text }) => [name, `${tone}: ${text}`]));
  };
  return { folder, app, parts };
}

it("names each part of the installation with what is known of it, and counts what is due in words", async () => {
  const { app, parts } = installation();
  app.mailHealth = () => "ok";
  app.isWorkerRunning = () => true;
  expect(summaryOf(await partsOfInstallation(app))).toBe(
    "Action needed: Email. Unknown: Last backup, DNS.",
  );
  const { Version, Disk, ...others } = await parts();
  expect(Version).toContain(app.settings.version);
  expect(Disk).toMatch(/^(proved|needs): \d+ [MG]B free$|^ended/);
  expect(others).toEqual({
    Database: "proved: accepts writes, takes 0 MB",
    "Last backup": "ended: none in Deed’s own folder, and it cannot see others",
    Email: "needs: emails go to the outbox, because SMTP_URL is not set",
    DNS: "ended: no check in the last 15 minutes",
    Clock: "proved: confirmed",
    "Signing key": `proved: ${app.signer.kid}`,
    Queue: "proved: nothing is due",
  });
  const { id } = await accountForEmail(app, "maria@example.org");
  const { domain } = await addDomain(app, id, "acme.com");
  await openClaim(app, id, domain.id);
  app.pass(MINUTE);
  expect((await parts()).Queue).toMatch(/^proved: due: 1 check, 0 emails, the oldest for /);
});

it("is read for the page that shows it, and for no other", async () => {
  const app = testApp({ ADMIN: "admin@example.org" });
  const cookie = await signedIn(app, "admin@example.org");
  const shown = async (path: string) => {
    const request = requestTo(app, path, { cookie });
    const { installation } = await loader({ request, params: {}, context: {} });
    return installation && Object.keys(installation);
  };
  expect(await shown("/admin")).toEqual(["parts", "failures"]);
  for (const path of ["/admin?q=x", "/admin?page=2"]) expect(await shown(path)).toBeNull();
});

it("says what needs the operator", async () => {
  const { folder, app, parts } = installation();
  mkdirSync(join(folder, "backups"));
  const backup = join(folder, "backups", "deed-20260101T000000Z.db");
  writeFileSync(backup, "");
  app.mailHealth = () => "failing";
  app.isWorkerRunning = () => false;
  app.database.damage = "row 3 missing from index";
  app.timekeeper.reasonToWait = () => "the clock went back by a day";
  const before = (await parts())["Last backup"];
  expect(before).toMatch(/^proved: \d+ seconds? old$/);
  const old = (Date.now() - 2.5 * DAY) / 1_000;
  utimesSync(backup, old, old);
  utimesSync(join(folder, "backups"), old, old);
  expect(await parts()).toMatchObject({
    "Last backup": "needs: 3 days old",
    Database: "needs: damaged: restore a backup (row 3 missing from index)",
    Email: "needs: the mail server did not accept the last email",
    Clock: "needs: the clock went back by a day",
    Queue: "needs: the worker has stopped; nothing is due",
  });
  const stuck = installation();
  stuck.app.db.$client.pragma("query_only = ON");
  expect((await stuck.parts()).Database).toBe("needs: accepts no writes");
});
