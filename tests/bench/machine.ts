import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { median } from "./rounds.ts";

export type Machine = {
  cpu: string;
  cores: number;
  memoryGb: number;
  node: string;
  kernel: string;
  /** Median time to write and fsync 4 KiB, in milliseconds. */
  diskSyncMs: number;
  /** Load average of the last minute. */
  load: number;
};

const SYNCS = 50;

function diskSyncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), "deed-bench-"));
  const file = openSync(join(folder, "sync"), "w");
  const page = Buffer.alloc(4096, 1);
  const took = Array.from({ length: SYNCS }, () => {
    const from = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    return performance.now() - from;
  });
  closeSync(file);
  rmSync(folder, { recursive: true, force: true });
  return median(took);
}

/** Describes this machine and its current load. */
export function machine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? "unknown",
    cores: cores.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kernel: release(),
    diskSyncMs: diskSyncMs(),
    load: loadavg()[0] ?? 0,
  };
}

export const machineLine = (m: Machine): string =>
  `${m.cpu}, ${m.cores} cores, ${m.memoryGb} GB, Node ${m.node}, Linux ${m.kernel}, disk sync ${m.diskSyncMs.toFixed(2)} ms, load ${m.load.toFixed(2)} at the start`;
