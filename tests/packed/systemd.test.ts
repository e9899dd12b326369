import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installed, PATH, run, startProgram, stepsOf, until } from "./tree.ts";

const INSTALL = "docs/operate/install.md";
const BACKUP = "docs/operate/backup.md";

/** What a container engine gives systemd: its own cgroups, devices, /run, and a /proc of its own process ids. */
const BOOT = `
mount --bind "$0" "$0" && cd "$0"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs dev
for one in null zero full random urandom tty; do touch dev/$one; mount --bind /dev/$one dev/$one; done
mkdir dev/pts && mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
# No user namespace can be made in a chroot, and PrivateUsers= makes one.
pivot_root . mnt && umount -l mnt
exec /lib/systemd/systemd`;

/** Boots systemd in a tree, for a test. Returns how to run a shell script beside it, as root, a minute at most. */
async function boot(tree: string): Promise<(script: string) => string> {
  const namespaces = ["--pid", "--mount", "--cgroup", "--uts", "--ipc", "--fork", "--kill-child"];
  const shell = ["sh", "-ec", BOOT, tree];
  const system = startProgram("unshare", [...namespaces, ...shell], { container: "test" });
  const parent = String(system.child.pid);
  const pid = await until(system, () =>
    spawnSync("ps", ["-o", "pid=", "--ppid", parent], { encoding: "utf8" }).stdout.trim(),
  );
  const inside = ["--target", pid, "--mount", "--pid", "--cgroup", "--uts", "--ipc", "--root"];
  await until(system, () => {
    const command = [...inside, "systemctl", "is-system-running", "--wait"];
    const { stdout } = spawnSync("nsenter", command, { encoding: "utf8", timeout: 60_000 });
    return /running|degraded/.test(stdout);
  });
  return (script) =>
    run("env", ["-i", `PATH=${PATH}`, "nsenter", ...inside, "timeout", "60", "sh", "-ec", script]);
}

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
    // Root's, and open to others, as `cp` and `rsync` leave it.
    shell(`install -D -m 644 /var/lib/deed/backups/${copies[0]} /mnt/backups/deed.db`);
    shell(stepsOf(BACKUP, "deed restore"));
    healthy();
    for (const name of readdirSync(data).filter((one) => one.startsWith("deed.db")))
      expect([name, statSync(join(data, name)).uid]).toEqual([name, statSync(data).uid]);
    shell("systemctl restart deed");
    healthy();
    expect(shell("systemctl show -P NRestarts deed").trim()).toBe("0");
    const users = shell(command);
    expect(users).toContain("kim@example.org");
    expect(users).not.toContain("later@example.org");

    // `systemctl start` fails for a bad setting; what only the start itself can see is not tried again.
    const stateOf = (property: string) => shell(`systemctl show -P ${property} deed`).trim();
    const isFailed = () =>
      shell("until [ $(systemctl show -P ActiveState deed) = failed ]; do sleep 0.2; done");
    const withSetting = (line: string) => {
      shell(
        `systemctl stop deed; cp /etc/deed.env /root/deed.env; echo '${line}' >> /etc/deed.env`,
      );
      return () => shell("cp /root/deed.env /etc/deed.env; systemctl reset-failed deed");
    };
    const writeAgain = withSetting("SIGN_UP=*@example.org");
    expect(shell("systemctl start deed 2>&1 || echo refused")).toContain("refused");
    expect(shell("journalctl -u deed")).toContain("SIGN_UP must be open, closed, or addresses");
    isFailed();
    expect(Number(stateOf("NRestarts"))).toBeLessThanOrEqual(5);
    writeAgain();
    const listenAgain = withSetting("HOST=192.0.2.1");
    shell("systemctl start deed");
    isFailed();
    expect([stateOf("ExecMainStatus"), stateOf("NRestarts")]).toEqual(["78", "0"]);
    listenAgain();
    const units = "/etc/systemd/system";
    const override = (unit: string, line: string) =>
      shell(
        `mkdir -p ${units}/${unit}.d; printf '[Service]\\nExecStart=\\n${line}\\n' > ${units}/${unit}.d/test.conf; systemctl daemon-reload`,
      );
    const undo = (unit: string) =>
      shell(`rm ${units}/${unit}.d/test.conf; systemctl daemon-reload; systemctl reset-failed`);
    override("deed.service", 'ExecStart=sh -c "sleep 4; exit 1"');
    shell("systemctl start deed");
    isFailed();
    expect([stateOf("ExecMainStatus"), stateOf("NRestarts")]).toEqual(["1", "5"]);
    undo("deed.service");
    override("deed-backup.service", "ExecStart=false");
    shell("systemctl start deed-backup || true");
    shell(
      "until journalctl -t deed-backup | grep 'No backup of Deed was made'; do sleep 0.2; done",
    );
    undo("deed-backup.service");
    shell("systemctl start deed");
    healthy();

    const exposure = () =>
      Number(/level for deed.service: ([\d.]+)/.exec(shell("systemd-analyze security deed"))?.[1]);
    expect(exposure()).toBeLessThanOrEqual(1.5);
    shell(
      `install -Dt ${units}/deed.service.d /opt/deed/docs/operate/systemd/litefs.conf; systemctl daemon-reload`,
    );
    expect(exposure()).toBeLessThanOrEqual(2.5);
  },
);
