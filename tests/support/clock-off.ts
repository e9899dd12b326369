import { join } from "node:path";

/** The environment of a service whose machine's clock is off by so many milliseconds. */
export const clockOff = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--require ${join(import.meta.dirname, "clock-off.cjs")}`,
  CLOCK_OFF_MS: String(ms),
});
