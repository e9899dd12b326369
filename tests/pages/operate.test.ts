import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { txt } from "@deed/playground/records.ts";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { buildLitestream } from "../cluster/build.ts";
import { TARBALL, VERSION } from "../packed/tree.ts";
import { startMailServer } from "../support/mail-server.ts";
import { block, untyped } from "./blocks.ts";
import { HEALTHY, machine } from "./systemd.ts";

/** What the operators' pages have people type, each in its own Debian under systemd. */

const LOCAL = "http://127.0.0.1:3000";
const page = (name: string) => `docs/operate/${name}.md`;

afterAll(() => expect(untyped("tests/pages/operate.test.ts")).toEqual([]));

/** "Run other commands with the unit's user, settings and data." */
const asUnit = (command: string) =>
  block(page("install"), "systemd-run").trim().replace("deed users list", command);

const untilSaid = (command: string, text: string) =>
  `until ${command} | grep -F '${text}'; do sleep 0.2; done`;

it.each(["tarball", "archive"] as const)(
  "install.md and backup.md, from the %s: service, nightly backup, restore, a removed database",
  async (form) => {
    const { tree, shell } = await machine(form);
    const data = join(tree, "var/lib/private/deed");
    const [, first = ""] =
      /opens the first, run: (.*)"}/.exec(await shell("journalctl -u deed")) ?? [];
    const url = await shell(`${first.replace("ADDRESS", "root@example.org")} 2>/dev/null`);
    expect(url).toMatch(/^http:\/\/localhost:3000\/sign-in\/confirm\?token=[\w-]{43}\n$/);
    await shell(asUnit("deed users add kim@example.org"));
    expect(statSync(data).mode & 0o777).toBe(0o700);

    await shell(block(page("backup"), "deed-backup.timer"));
    const copies = readdirSync(join(data, "backups"));
    expect(copies).toEqual([expect.stringMatching(/^deed-.*\.db$/)]);
    const owners = [".", "deed.db", "backups", `backups/${copies[0]}`];
    expect(new Set(owners.map((path) => statSync(join(data, path)).uid)).size).toBe(1);
    expect(statSync(data).uid).toBeGreaterThan(0);
    expect(await shell("systemctl list-timers --no-legend")).toContain("deed-backup.timer");

    // Damage: one user too many. The copy belongs to root, and is elsewhere.
    await shell(asUnit("deed users add later@example.org"));
    await shell(`install -D -m 644 /var/lib/deed/backups/${copies[0]} /mnt/backups/deed.db`);
    await shell(block(page("backup"), "/mnt/backups/deed.db"));
    await shell(HEALTHY);
    for (const name of readdirSync(data).filter((one) => one.startsWith("deed.db")))
      expect([name, statSync(join(data, name)).uid]).toEqual([name, statSync(data).uid]);
    await shell(`systemctl restart deed; ${HEALTHY}`);
    expect((await shell("systemctl show -P NRestarts deed")).trim()).toBe("0");
    const restored = await shell(asUnit("deed users list"));
    expect(restored).toContain("kim@example.org");
    expect(restored).not.toContain("later@example.org");

    // Damage: after one more user, the database is removed while Deed has it open.
    await shell(asUnit("deed users add late@example.org"));
    await shell(`rm /var/lib/deed/deed.db*; ${untilSaid(`curl -s ${LOCAL}/api/health`, '"gone"')}`);
    const pid = (await shell("systemctl show -P MainPID deed")).trim();
    const open = await shell(`ls -l /proc/${pid}/fd`);
    const [, fd = ""] = / (\d+) -> \S+deed\.db \(deleted\)/.exec(open) ?? [];
    const rescue = block(page("backup"), "MainPID");
    await shell(rescue.replaceAll("/4242/fd", `/${pid}/fd`).replace("fd/21", `fd/${fd}`));
    await shell(HEALTHY);
    expect(await shell(asUnit("deed users list"))).toContain("late@example.org");

    await shell("systemd-analyze verify deed.service deed-backup.service deed-backup.timer");
    const exposure = async () => {
      const said = await shell("systemd-analyze security deed");
      return Number(/level for deed.service: ([\d.]+)/.exec(said)?.[1]);
    };
    expect(await exposure()).toBeLessThanOrEqual(1.5);
    const units = "/etc/systemd/system/deed.service.d";
    await shell(
      `install -Dt ${units} /opt/deed/docs/operate/systemd/litefs.conf; systemctl daemon-reload`,
    );
    expect(await exposure()).toBeLessThanOrEqual(2.5);
  },
);

it("install.md: the unit does not try a bad setting again, gives up on a crash loop, and tells of a failed backup", async () => {
  const { shell, set } = await machine("tarball");
  const stateOf = async (property: string) =>
    (await shell(`systemctl show -P ${property} deed`)).trim();
  const failed = "until [ $(systemctl show -P ActiveState deed) = failed ]; do sleep 0.2; done";
  const again = "systemctl reset-failed deed";

  set({ SIGN_UP: "*@example.org" });
  expect(await shell("systemctl restart deed 2>&1 || echo refused")).toContain("refused");
  expect(await shell("journalctl -u deed")).toContain("SIGN_UP must be open, closed, or addresses");
  await shell(failed);
  expect(Number(await stateOf("NRestarts"))).toBeLessThanOrEqual(5);

  set({ SIGN_UP: "open", HOST: "192.0.2.1" });
  await shell(`${again}; systemctl start deed; ${failed}`);
  expect([await stateOf("ExecMainStatus"), await stateOf("NRestarts")]).toEqual(["78", "0"]);
  set({ HOST: "" });

  const units = "/etc/systemd/system";
  const override = (unit: string, line: string) =>
    `mkdir -p ${units}/${unit}.d; printf '[Service]\\nExecStart=\\n${line}\\n' > ${units}/${unit}.d/test.conf; systemctl daemon-reload`;
  await shell(`${again}; ${override("deed.service", "ExecStart=false")}
    systemctl start deed; ${failed}`);
  expect([await stateOf("ExecMainStatus"), await stateOf("NRestarts")]).toEqual(["1", "5"]);
  expect(await stateOf("StartLimitIntervalUSec")).toBe("2min");

  await shell(`cp /opt/deed/docs/operate/systemd/deed-backup* ${units}/`);
  await shell(`${override("deed-backup.service", "ExecStart=false")}; systemctl start deed-backup || true
    until journalctl -t deed-backup | grep 'No backup of Deed was made'; do sleep 0.2; done`);
});

it("install.md, configuration.md, commands.md and doctor.md: behind nginx, and with a mail server", async () => {
  const { tree, playground, shell, set } = await machine("tarball");
  const mail = await startMailServer(2525);
  onTestFinished(() => mail.stop());

  // A certificate, and the page's settings for a proxy.
  set({ BASE_URL: "https://deed.example.org", TRUSTED_PROXIES: "127.0.0.1/32" });
  set({ ADMIN: "kim@example.org" });
  set({ CHALLENGE_LABEL: "_example-challenge", MAIL_FROM: "deed@example.org" });
  writeFileSync(join(tree, "etc/nginx/conf.d/deed.conf"), block(page("install"), "proxy_pass"));
  await shell(`install -d /etc/letsencrypt/live/deed.example.org && cd /etc/letsencrypt/live/*
    openssl req -x509 -newkey ed25519 -nodes -subj /CN=deed -keyout privkey.pem -out fullchain.pem
    nginx -t && systemctl restart nginx`);

  // In a container, the kernel may keep credentials from the unit's user: only the unit's file is checked.
  const drop = join(tree, "etc/systemd/system/deed.service.d");
  mkdirSync(drop);
  const lines = block(page("configuration"), "LoadCredential");
  writeFileSync(join(drop, "mail.conf"), `[Service]\n${lines}`);
  await shell(`systemd-analyze verify deed.service; rm -r /etc/systemd/system/deed.service.d`);
  set({ SMTP_URL: mail.url });
  await shell("systemctl daemon-reload; systemctl restart deed");
  await shell(HEALTHY);
  const proxied = "curl -ksS --resolve deed.example.org:443:127.0.0.1 https://deed.example.org";
  await shell(`${proxied}/api/auth/magic-link --json '{"email":"kim@example.org"}'`);
  await expect.poll(() => mail.mails.join()).toContain("To: kim@example.org");

  // "Run every command where the service runs, or give it the same DATA_DIR."
  const there = `set -a; . /etc/deed.env; DATA_DIR=/var/lib/deed; cd /; set +a`;
  const users = await shell(`${there}\n${block(page("commands"), "deed users add")}`);
  expect(users).toContain("https://deed.example.org/sign-in/confirm?token=");
  await shell(`${there}\n${block(page("doctor"), "deed doctor")}`);
  expect(mail.mails.join()).toContain("To: you@example.org");

  // "whether the record is there": a record, a next step, and Ctrl-C.
  const token = "service_v1_0123456789abcdef0123456789abcdef01234567";
  playground.addRecord("acme.com", txt("_example-challenge.acme.com", token));
  await shell("printf '#!/bin/sh\\necho next\\n' >next-step; chmod +x next-step");
  const checks = block(page("doctor"), "deed check acme.com").replaceAll("service_v1_…", token);
  const watch = "deed check acme.com --watch";
  const typed = checks.replace(watch, `timeout -s INT 2 ${watch} || [ $? = 124 ]`);
  expect(await shell(`set -a; . /etc/deed.env; set +a\n${typed}`)).toMatch(/Found: .*\nnext\n/s);
});

it("monitoring.md: Prometheus and fail2ban take what Deed prints", async () => {
  const { tree, shell } = await machine("tarball");
  const [own = "", on = "", token = ""] = block(page("monitoring"), "METRICS=")
    .trim()
    .split("\n")
    .map((line) => line.replace(/ +#.*/, ""));
  const setting = async (...lines: string[]) => {
    for (const line of lines) await shell(`echo '${line}' >>/etc/deed.env`);
    await shell(`systemctl restart deed; ${HEALTHY}`);
  };
  await setting(own);
  const metrics = "curl -fsS http://127.0.0.1:9464/metrics";
  expect(await shell(`${metrics} | promtool check metrics; ${metrics}`)).toContain(
    "deed_build_info",
  );
  const secret = "m".repeat(32);
  await setting(on, token.replace("…", secret));
  const scraped = await shell(`curl -fsS -H 'Authorization: Bearer ${secret}' ${LOCAL}/metrics`);
  expect(scraped).toContain("deed_build_info");

  const config = join(tree, "etc/prometheus/prometheus.yml");
  writeFileSync(config, block(page("monitoring"), "scrape_configs"));
  await shell(`cp /opt/deed/docs/operate/monitoring/rules.yml /etc/prometheus/deed-rules.yml
    promtool check config /etc/prometheus/prometheus.yml`);

  for (const path of ["filter.d/deed.conf", "jail.d/deed.conf"])
    writeFileSync(join(tree, "etc/fail2ban", path), block(page("monitoring"), path));
  const json = `--json '{"token":"${"x".repeat(43)}"}'`;
  await shell(`curl -s ${json} ${LOCAL}/api/auth/magic-link/verify
    ${untilSaid("journalctl -u deed", "unknown_link")}`);
  expect(await shell("touch /var/log/auth.log; fail2ban-client -t")).toContain("OK");
  const filter = "fail2ban-regex systemd-journal /etc/fail2ban/filter.d/deed.conf";
  expect(await shell(filter)).toMatch(/, 1 matched/);
});

it("signing-key.md and upgrade.md: a stolen key, a rotation, and a new version", async () => {
  const { tree, shell, set } = await machine("tarball");
  type Key = { kid: string; compromisedSince?: string };
  const keys = async (): Promise<Key[]> => {
    const [list = "[]"] = /^\[.*^\]/ms.exec(await shell(asUnit("deed keys list --json"))) ?? [];
    return JSON.parse(list);
  };
  await expect.poll(keys).toHaveLength(1);
  const [stolen] = await keys();
  // "Run the commands as Installing shows beside the unit."
  const beside = (script: string) =>
    script.replaceAll(/^deed keys .*?(?= {2,}#|$)/gm, (command) => asUnit(command));
  const values = block(page("signing-key"), "export STOLEN")
    .replace(/STOLEN=.*/, `STOLEN=${stolen?.kid}`)
    .replace(/SINCE=.*/, `SINCE=${new Date().toISOString()}`);
  await shell(`${values}${beside(block(page("signing-key"), "deed keys revoke"))}${HEALTHY}`);
  const ended = { kid: stolen?.kid, compromisedSince: expect.any(String) };
  await expect.poll(keys, { timeout: 60_000 }).toMatchObject([{}, ended]);
  const [before] = await keys();
  await shell(`${beside(block(page("signing-key"), "in signing-key"))}${HEALTHY}`);
  await expect.poll(async () => (await keys())[1]?.kid, { timeout: 60_000 }).toBe(before?.kid);

  await shell(block(page("backup"), "deed-backup.timer"));
  copyFileSync(TARBALL, join(tree, "root", basename(TARBALL)));
  // The root shell has none of the service's settings.
  set({ PORT: "3100" });
  const upgrade = block(page("upgrade"), "npm i -g").replace("<version>", VERSION);
  expect((await shell(upgrade)).replace("+", ".")).toContain(VERSION);
});

it("backup.md: Litestream copies each change, and brings a database back", async () => {
  const { tree, shell } = await machine("tarball");
  copyFileSync(buildLitestream(), join(tree, "usr/local/bin/litestream"));
  writeFileSync(join(tree, "etc/litestream.yml"), block(page("backup"), "replica:"));
  // It stays in the foreground, so it needs another terminal.
  const replicate = block(page("backup"), "litestream replicate").replace(
    "yml)",
    "yml) >log 2>&1 &",
  );
  await shell(`${replicate} echo $! >litestream.pid`);
  await shell(asUnit("deed users add kim@example.org"));
  const restore = block(page("backup"), "litestream restore");
  await shell(`until litestream restore -config /etc/litestream.yml -o trial.db /var/lib/deed/deed.db &&
      DATA_DIR=/root/trial deed restore trial.db && DATA_DIR=/root/trial deed users list | grep kim
    do rm -rf trial*; sleep 0.5; done`);

  // Damage: the database and its log are gone. "Stop Deed and Litestream, then".
  await shell("systemctl stop deed; kill $(cat litestream.pid); rm /var/lib/deed/deed.db*");
  await shell(`${restore}systemctl start deed; ${HEALTHY}`);
  expect(await shell(asUnit("deed users list"))).toContain("kim@example.org");
});
