import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isRoot } from "./command.ts";
import { lacksSharedNode } from "./lacks.ts";
import { newFolder } from "./service.ts";

const NOBODY = 65534;

const RUN = `
  await import("./tests/support/run.ts");
  const { spawn } = await import("node:child_process");
  const { mkdtempSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  mkdtempSync(tmpdir() + "/left-");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  child.once("spawn", () => console.log(child.pid));
`;

/** Where nobody waits for orphans, as in a container without an init, one that has ended stays as a zombie. */
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    const status = `/proc/${pid}/status`;
    return !existsSync(status) || !/^State:\tZ/m.test(readFileSync(status, "utf8"));
  } catch {
    return false;
  }
};

it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
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
    await expect.poll(() => [isRunning(pid), folders()], { timeout: 30_000 }).toEqual([false, []]);
  },
);

it.skipIf(lacksSharedNode())(
  "a folder of the run that was closed to everybody goes too",
  async () => {
    const outer = newFolder();
    const folder = join(outer, "deed-run-closed");
    mkdirSync(join(folder, ".processes"), { recursive: true });
    mkdirSync(join(folder, "closed/inner"), { recursive: true });
    const script = join(outer, "end-run.mjs");
    copyFileSync("tests/support/end-run.mjs", script);
    chmodSync(outer, 0o777);
    if (isRoot)
      for (const name of ["", ".processes", "closed", "closed/inner"])
        chownSync(join(folder, name), NOBODY, NOBODY);
    chmodSync(join(folder, "closed"), 0);
    const { status, stderr } = spawnSync(process.execPath, [script, folder], {
      input: "",
      encoding: "utf8",
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    expect([status, stderr, readdirSync(outer)]).toEqual([0, "", ["end-run.mjs"]]);
  },
);
