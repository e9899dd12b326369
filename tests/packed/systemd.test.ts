import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { boot } from "./systemd.ts";
import { installed, stepsOf } from "./tree.ts";

const INSTALL = "docs/operate/install.md";
const BACKUP = "docs/operate/backup.md";

it.each(["tarball", "archive"] as const)(
  "runs the %s under systemd as the pages say: service, nightly backup, commands, restore",
  async (form) => {
    const tree = installed(form);
    const shell = await boot(tree);
    shell(stepsOf(INSTALL, ".env.example /etc/deed.env"));
    shell(stepsOf(INSTALL, "systemd/deed.service"));
    const healthy = () => shell("until deed health 2>&1; do sleep 0.2; done");
    healthy();

    const command = stepsOf(INSTALL, "systemd-run");
    shell(command.replace("users list", "users add kim@example.org"));

    shell(stepsOf(BACKUP, "deed-backup.timer"));
    const data = join(tree, "var/lib/private/deed");
    const copies = readdirSync(join(data, "backups"));
    expect(copies).toEqual([expect.stringMatching(/^deed-.*\.db$/)]);
    const owners = [".", "deed.db", "backups", `backups/${copies[0]}`];
    expect(new Set(owners.map((path) => statSync(join(data, path)).uid)).size).toBe(1);
    expect(statSync(data).uid).toBeGreaterThan(0);
    expect(shell("systemctl list-timers --no-legend")).toContain("deed-backup.timer");

    shell(command.replace("users list", "users add later@example.org"));
    const file = `/var/lib/deed/backups/${copies[0]}`;
    shell(stepsOf(BACKUP, "deed restore").replace("/mnt/backups/deed.db", file));
    healthy();
    const users = shell(command);
    expect(users).toContain("kim@example.org");
    expect(users).not.toContain("later@example.org");

    const exposure = () =>
      Number(/level for deed.service: ([\d.]+)/.exec(shell("systemd-analyze security deed"))?.[1]);
    expect(exposure()).toBeLessThanOrEqual(1.5);
    const units = "/etc/systemd/system/deed.service.d";
    shell(
      `install -Dt ${units} /opt/deed/docs/operate/systemd/litefs.conf; systemctl daemon-reload`,
    );
    expect(exposure()).toBeLessThanOrEqual(2.5);
  },
);
