import { iso } from "#app/services/time.ts";
import type { FormProblem } from "./page-errors.server.ts";

/** When a check that a budget refused may be asked for again; null if something else refused it. `now`: epoch ms. */
export function tooSoonOf(
  { problem, headers }: { problem: FormProblem; headers: Headers },
  now: number,
): { retryAt: string } | null {
  if (problem.code !== "rate_limited") return null;
  return { retryAt: iso(now + Number(headers.get("Retry-After")) * 1000) };
}
