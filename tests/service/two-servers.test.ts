import { readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { isRoot, deed as run } from "../support/command.ts";
import { lacks, passOver } from "../support/lacks.ts";
import { deedCommand } from "../support/product.ts";
import { closed, freePort, launch, newFolder, startService } from "../support/service.ts";

type Serving = { dataDir: string; in?: readonly string[] };

/** Runs `deed serve`, with the words of `in` in front. */
async function serve(
  { onTestFinished, expect }: TestContext,
  { dataDir, in: inside = [] }: Serving,
) {
  const [command = "", ...args] = [...inside, deedCommand(), "serve"];
  const served = launch(command, args, {
    cwd: newFolder(),
    env: {
      ...closed(),
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      CLOCK_TRUSTED: "on",
    },
  });
  onTestFinished(async () => {
    served.child.kill("SIGKILL");
    await served.ended;
  });
  const listens = () => expect.poll(served.printed, { timeout: 60_000 }).toContain('"listening"');
  return { ...served, listens };
}

/** Runs the following words with their own process ids, host name and mounts. */
const container = (name: string, ...mounts: string[]) => [
  ...["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts", "--mount"],
  ...["sh", "-c", [`hostname ${name}`, ...mounts, 'exec "$0" "$@"'].join(" && ")],
];

const openIn = (pid = 0): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((number) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${number}`)];
    } catch {
      return [];
    }
  });

const LINE =
  /^DATABASE_PATH must be a database that this version can use: (\S+) is in use by process (\d+) on (\S+) since (\S+): stop it first\n$/;

// At the same time, since each waits for seconds.
describe.concurrent("a second deed serve on one database", () => {
  it("waits for the first, then ends with one line that names it", async (test) => {
    const dataDir = newFolder();
    const first = await serve(test, { dataDir });
    await first.listens();
    const before = readdirSync(dataDir).sort();
    const second = await serve(test, { dataDir });
    expect(await second.ended).toBe(1);
    const [, path, pid, host, since = ""] = LINE.exec(second.printed()) ?? [second.printed()];
    expect([path, Number(pid), host]).toEqual([
      join(dataDir, "deed.db"),
      first.child.pid,
      hostname(),
    ]);
    expect(Math.abs(Date.now() - Date.parse(since))).toBeLessThan(600_000);
    expect(readdirSync(dataDir).sort()).toEqual(before);
    expect(first.child.exitCode).toBeNull();
  });

  it.skipIf(process.platform !== "linux" && passOver("Linux, which shows open files"))(
    "takes over once the first has stopped, or was killed",
    async (test) => {
      const dataDir = newFolder();
      let serving = await serve(test, { dataDir });
      await serving.listens();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        let next = await serve(test, { dataDir });
        const isWaiting = () => openIn(next.child.pid).includes(join(dataDir, "deed.db-in-use"));
        await test.expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
        expect(next.printed()).not.toContain('"listening"');
        serving.child.kill(signal);
        expect(await serving.ended).toBe(signal === "SIGTERM" ? 0 : null);
        // On a busy machine the first may stop after the next has given up; a supervisor would start that again.
        if ((await Promise.race([next.ended, next.listens().catch(() => null)])) === 1)
          next = await serve(test, { dataDir });
        await next.listens();
        serving = next;
      }
    },
  );

  it.skipIf(!isRoot ? passOver("root, who makes namespaces") : lacks("unshare"))(
    "is seen from another container with the same volume",
    async (test) => {
      const dataDir = newFolder();
      const volume = newFolder();
      const mount = `mount --bind ${dataDir} ${volume}`;
      const first = await serve(test, { dataDir: volume, in: container("first", mount) });
      await first.listens();
      const second = await serve(test, { dataDir: volume, in: container("second", mount) });
      expect(await second.ended).toBe(1);
      expect(LINE.exec(second.printed())?.slice(1, 4)).toEqual([
        join(volume, "deed.db"),
        "1",
        "first",
      ]);
      // A container that is replaced, as by `docker compose up`, starts while the old one ends.
      const again = await serve(test, { dataDir: volume, in: container("again", mount) });
      first.child.kill("SIGKILL");
      await again.listens();
    },
  );
});

it("beside a running service every command works but restore, which names it, even where the database was removed", async () => {
  const service = await startService();
  const env = { DATA_DIR: service.dataDir, PORT: new URL(service.url).port, DNS_RESOLVERS: "" };
  const deed = (...args: string[]) => run(args, { cwd: newFolder(), env });
  expect(deed("keys", "list")).toMatchObject({ status: 0, stderr: "" });
  const { status, stdout: copy } = deed("backup");
  expect(status).toBe(0);
  const doctor = deed("doctor", "--json");
  const { broken, findings } = JSON.parse(doctor.stdout);
  expect(doctor.status).toBe(broken > 0 ? 1 : 0);
  expect(findings).toContainEqual(expect.objectContaining({ subject: "Database", status: "ok" }));
  const refused = {
    status: 1,
    stderr: expect.stringMatching(
      new RegExp(`^Nothing was restored: .* is in use by process ${service.child.pid} on `),
    ),
  };
  expect(deed("restore", copy.trim())).toMatchObject(refused);
  rmSync(join(service.dataDir, "deed.db"));
  expect(deed("restore", copy.trim())).toMatchObject(refused);
  await service.stop();
  expect(deed("restore", copy.trim())).toMatchObject({ status: 0, stderr: "" });
});

it("starts with a warning where no lock can be had, as on a file system without them", async (test) => {
  const dataDir = newFolder();
  writeFileSync(join(dataDir, "deed.db-in-use"), "no database\n".repeat(100));
  const serving = await serve(test, { dataDir });
  await serving.listens();
  expect(serving.printed()).toContain('"warning":"no_locks"');
});
