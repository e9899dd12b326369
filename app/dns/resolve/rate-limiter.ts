import ipaddr from "ipaddr.js";

/** At most `count` packets in any period of `seconds`. */
export type PacketRate = { count: number; seconds: number };

/** Destinations kept by a cleanup, which runs at twice as many. */
const MANY = 5_000;
/** The fraction of a rate that may leave as a burst; the rest is spread evenly over the period. */
const BURST = 1 / 5;

type Flow = { gapMs: number; slackMs: number; until: Map<string, number> };

/**
 * Limits the packets of all reads to one destination: an IPv4 address or the /64 of an IPv6 address (generic cell rate
 * algorithm, ITU-T I.371). Excess packets are refused rather than queued, so that a destination over its rate does not
 * delay other reads.
 */
export class RateLimiter {
  private readonly flows: Flow[];

  /** `exempt`: addresses configured by the operator. `now`: monotonic milliseconds. */
  constructor(
    rates: readonly PacketRate[],
    private readonly exempt: ReadonlySet<string>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.flows = rates.map(({ count, seconds }) => {
      const burst = Math.ceil(count * BURST);
      const gapMs = (seconds * 1000) / Math.max(1, count - burst);
      return { gapMs, slackMs: gapMs * (burst - 1), until: new Map() };
    });
  }

  /** Counts one packet to the address; false, without counting it, if it may not leave. */
  take(address: string): boolean {
    if (this.exempt.has(address)) return true;
    const key = destination(address);
    const now = this.now();
    for (const flow of this.flows) if (owing(flow, key, now) - now > flow.slackMs) return false;
    for (const flow of this.flows) {
      flow.until.set(key, owing(flow, key, now) + flow.gapMs);
      if (flow.until.size > 2 * MANY) forget(flow.until, now);
    }
    return true;
  }

  /** Number of destinations tracked. */
  get size(): number {
    return Math.max(0, ...this.flows.map(({ until }) => until.size));
  }
}

/** The destination's theoretical arrival time, in milliseconds; `now` if it is in the past. */
function owing({ until }: Flow, key: string, now: number): number {
  return Math.max(until.get(key) ?? now, now);
}

/** Drops destinations at rest; if too many remain, drops the oldest ones, so that memory stays bounded. */
function forget(until: Map<string, number>, now: number): void {
  for (const [key, end] of until) if (end <= now) until.delete(key);
  for (const [oldest] of until) {
    if (until.size <= MANY) return;
    until.delete(oldest);
  }
}

function destination(address: string): string {
  if (!address.includes(":")) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
