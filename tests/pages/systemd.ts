import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { onTestFinished } from "vitest";
import { type Form, installed, PATH, PROGRAMS, run, startProgram, until } from "../packed/tree.ts";
import { launch } from "../support/service.ts";
import { block } from "./blocks.ts";

/** What a container engine gives systemd: its own cgroups, devices, /run, and a /proc with its own process ids. */
const BOOT = `
mount --rbind "$0" "$0" && cd "$0"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs dev
for one in null zero full random urandom tty; do touch dev/$one; mount --bind /dev/$one dev/$one; done
# As udev makes it: for everyone.
mknod -m 666 dev/fuse c 10 229
mkdir dev/pts && mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
# No user namespace can be made in a chroot, and PrivateUsers= makes one.
pivot_root . mnt && umount -l mnt
exec /lib/systemd/systemd`;

/** Runs a script as root, in root's home, for at most a minute. Resolves with its output; rejects if it fails. */
export type Shell = (script: string) => Promise<string>;

/** Boots systemd in a tree, until the test ends. */
export async function boot(tree: string): Promise<Shell> {
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
  return async (script) => {
    const shell = ["timeout", "60", "sh", "-ec", `export HOME=/root; cd\n${script}`];
    const inNamespace = ["-i", `PATH=${PATH}`, "nsenter", ...inside];
    const { ended, printed } = launch("env", [...inNamespace, ...shell]);
    const status = await ended;
    if (status === 0) return printed();
    const log = run("nsenter", [...inside, "journalctl", "-qn", "30"]);
    throw new Error(`${status} from:\n${script}\n${printed()}\n${log}`);
  };
}

/** Settings that make Deed in a tree read a playground's DNS. */
export function dnsIn(tree: string, { env }: Playground): Record<string, string> {
  const here = (file: string) => {
    mkdirSync(join(tree, "srv/dns"), { recursive: true });
    copyFileSync(file, join(tree, "srv/dns", basename(file)));
    return `/srv/dns/${basename(file)}`;
  };
  const files = [env.DNS_ROOT_HINTS, env.RDAP_BOOTSTRAP].map(here);
  const [DNS_ROOT_HINTS = "", RDAP_BOOTSTRAP = ""] = files;
  return { ...env, DNS_ROOT_HINTS, RDAP_BOOTSTRAP };
}

export type Machine = {
  tree: string;
  playground: Playground;
  shell: Shell;
  set(settings: Record<string, string>): void;
};

export const HEALTHY = "until deed health 2>&1; do sleep 0.2; done";
const INSTALL = "docs/operate/install.md";

/** A Debian in which Deed runs under systemd, by the page's steps, with a playground's DNS. */
export async function machine(form: Form): Promise<Machine> {
  const tree = installed(form, PROGRAMS);
  const playground = await startPlayground();
  onTestFinished(() => playground.stop());
  const shell = await boot(tree);
  const set = (settings: Record<string, string>) =>
    appendFileSync(
      join(tree, "etc/deed.env"),
      Object.entries(settings)
        .map(([name, value]) => `${name}="${value}"\n`)
        .join(""),
    );
  await shell(block(INSTALL, "/opt/deed/.env.example /etc/deed.env"));
  set({ BASE_URL: "http://localhost:3000", HOST: "127.0.0.1", ...dnsIn(tree, playground) });
  await shell(block(INSTALL, "systemctl daemon-reload && systemctl enable --now deed"));
  await shell(HEALTHY);
  return { tree, playground, shell, set };
}
