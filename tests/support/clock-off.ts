import { join } from "node:path";

/** The environment of a service whose clock is off by that many milliseconds. */
export const clockOff = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--require ${join(import.meta.dirname, "clock-off.cjs")}`,
  CLOCK_OFF_MS: String(ms),
});
