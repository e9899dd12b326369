import { DAY, SECOND } from "#app/services/time.ts";

const LONGEST_MS = DAY;

/** What `Retry-After` asks for, in milliseconds: seconds or a date (RFC 9110 section 10.2.3), a day at most. */
export function askedWait(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_MS);
}
