import type { StuckCopy } from "./diagnosis.ts";
import type { Observation, ServerReading } from "./observation.ts";

const HALF = 0x8000_0000;

/** Whether one serial is higher than another (RFC 1982 section 3.2). */
export const isHigherSerial = (one: number, other: number): boolean =>
  one !== other && (one - other) >>> 0 < HALF;

/**
 * Finds a nameserver without the record whose zone copy has a higher serial than the copy with it. A secondary
 * transfers only higher serials (RFC 1034 section 4.3.5), so it will never fetch the record. Null if there is none.
 */
export function stuckCopy(
  { holder, soa }: Observation,
  lacking: readonly ServerReading[],
): StuckCopy | null {
  if (!holder) return null;
  for (const { host, answer } of lacking) {
    const own = answer?.soa;
    if (own && own.zone === soa?.zone && isHigherSerial(own.serial, holder.serial))
      return {
        host,
        serial: own.serial,
        published: { host: holder.host, serial: holder.serial },
      };
  }
  return null;
}
