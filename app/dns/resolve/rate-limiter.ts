import ipaddr from "ipaddr.js";

/** At most `count` packets in any `seconds`. */
export type PacketRate = { count: number; seconds: number };

/** Destinations kept when those with nothing owing are forgotten, which happens at twice as many. */
const MANY = 5_000;
/** This part of a rate may leave at once; the rest is spread evenly over its time. */
const BURST = 1 / 5;

type Flow = { gapMs: number; slackMs: number; until: Map<string, number> };

/**
 * Packets to one destination, whoever caused them: an IPv4 address or the /64 of an IPv6 one
 * (generic cell rate algorithm, ITU-T I.371). What may not leave is refused, not queued, so that a
 * destination over its rate holds up nobody else's read.
 */
export class RateLimiter {
  private readonly flows: Flow[];

  /** `exempt`: addresses the operator named. `now`: milliseconds that never run backwards. */
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

  /** Counts one packet to the address; false, and nothing counted, where it may not leave. */
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

  /** Destinations remembered at the moment. */
  get size(): number {
    return Math.max(0, ...this.flows.map(({ until }) => until.size));
  }
}

/** When the destination owes nothing any more; `now` where it owes nothing. */
function owing({ until }: Flow, key: string, now: number): number {
  return Math.max(until.get(key) ?? now, now);
}

/** Those that owe nothing go; were too many busy, those longest known go, so that memory stays bounded. */
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
