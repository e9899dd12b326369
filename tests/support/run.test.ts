import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const RUN = `
  await import("./tests/support/run.ts");
  const { spawn } = await import("node:child_process");
  const { mkdtempSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  mkdtempSync(tmpdir() + "/left-");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  child.once("spawn", () => console.log(child.pid));
`;

/** Where nobody waits for orphans, as in a container without init, an ended process stays as a zombie. */
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    const status = `/proc/${pid}/status`;
    return !existsSync(status) || !/^State:\tZ/m.test(readFileSync(status, "utf8"));
  } catch {
    return false;
  }
};

it.each(["SIGKILL", "SIGINT"] as const)(
  "a run that %s ends leaves no process and no folder",
  async (signal) => {
    const outer = mkdtempSync(join(tmpdir(), "deed-outer-"));
    const run = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", RUN], {
      env: { ...process.env, TMPDIR: outer },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = await once(run.stdout, "data");
    const pid = Number(String(printed));
    const folders = () => readdirSync(outer).filter((name) => name.startsWith("deed-run-"));
    expect([isRunning(pid), folders().length]).toEqual([true, 1]);
    run.kill(signal);
    await expect.poll(() => [isRunning(pid), folders()]).toEqual([false, []]);
  },
);
