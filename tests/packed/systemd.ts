import { spawnSync } from "node:child_process";
import { PATH, run, startProgram, until } from "./tree.ts";

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

/**
 * Boots systemd in a tree, for the length of a test. Returns how to run a shell script beside it, as root and for a
 * minute at most; it throws if a command of the script fails.
 */
export async function boot(tree: string): Promise<(script: string) => string> {
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
