import { readdirSync, readFileSync } from "node:fs";

/** One gauge of `/metrics`; NaN if it is missing. */
export async function gauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** Resident memory of a process, in megabytes. */
export function memoryOf(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/** Number of file descriptors a process has open. */
export const descriptorsOf = (pid: number | undefined): number =>
  readdirSync(`/proc/${pid}/fd`).length;
