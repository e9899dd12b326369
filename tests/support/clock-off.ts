import { join } from "node:path";

export const clockOff = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--require ${join(import.meta.dirname, "clock-off.cjs")}`,
  CLOCK_OFF_MS: String(ms),
});
