import { readdirSync, readFileSync } from "node:fs";

export async function gauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** Resident, in MB: now (VmRSS), or the most so far (VmHWM). */
export function memoryOf(pid: number | undefined, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

export const descriptorsOf = (pid: number | undefined): number =>
  readdirSync(`/proc/${pid}/fd`).length;

/** User and system time, in milliseconds; Linux counts hundredths of a second. */
export function processorTimeOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
