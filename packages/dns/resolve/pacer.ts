import ipaddr from "ipaddr.js";

export type PacketRate = { count: number; seconds: number };

/** How many destinations a cleanup keeps. It runs at twice as many. */
const KEPT_DESTINATIONS = 5_000;
/** The share of a rate that may leave in a burst; the rest is spread evenly over the period. */
const BURST_SHARE = 1 / 5;

type Entry = "entered" | "full" | "aborted";

type Destination = {
  due: number[];
  inFlight: number;
  /** Questions that wait. Urgent ones, of reads that somebody waits for, go first. */
  urgent: (() => void)[];
  others: (() => void)[];
  timer: NodeJS.Timeout | undefined;
};

/** Paces packets to an IPv4 address or IPv6 /64 (GCRA, ITU-T I.371), and limits questions in flight. Times in ms. */
export class Pacer {
  private readonly rates: readonly { gapMs: number; slackMs: number }[];
  readonly destinations = new Map<string, Destination>();

  /** `exempt` are addresses that the operator configured. They have no limit. */
  constructor(
    rates: readonly PacketRate[],
    private readonly exempt: ReadonlySet<string>,
    private readonly inFlight: number,
  ) {
    this.rates = rates.map(({ count, seconds }) => {
      const burst = Math.ceil(count * BURST_SHARE);
      const gapMs = (seconds * 1000) / Math.max(1, count - burst);
      return { gapMs, slackMs: gapMs * (burst - 1) };
    });
  }

  /** Milliseconds that a question would wait behind earlier packets. */
  waitMs(address: string, isUrgent = false): number {
    const target = this.destinations.get(this.keyOf(address));
    if (!target) return 0;
    return this.delay(target, target.urgent.length + (isUrgent ? 0 : target.others.length));
  }

  /** Whether a packet of the lowest priority may leave: nothing waits, and no burst is used. False if exempt. */
  isFree(address: string): boolean {
    if (this.exempt.has(address)) return false;
    const target = this.destinations.get(this.keyOf(address));
    if (!target) return true;
    const isQuiet =
      target.urgent.length + target.others.length === 0 && target.inFlight < this.inFlight / 2;
    return isQuiet && target.due.every((at) => at <= performance.now());
  }

  /** Waits until a question may be sent. "full": that takes longer than `maxMs`. Whoever enters must leave. */
  enter(address: string, isUrgent: boolean, maxMs: number, signal: AbortSignal): Promise<Entry> {
    if (signal.aborted) return Promise.resolve("aborted");
    if (this.waitMs(address, isUrgent) > maxMs) return Promise.resolve("full");
    const target = this.destinationOf(address);
    return new Promise((resolve) => {
      const queue = isUrgent ? target.urgent : target.others;
      const admit = () => {
        signal.removeEventListener("abort", giveUp);
        resolve("entered");
      };
      const giveUp = () => {
        queue.splice(queue.indexOf(admit), 1);
        resolve("aborted");
      };
      queue.push(admit);
      signal.addEventListener("abort", giveUp);
      this.admit(target);
    });
  }

  /** Books one more packet for a question that entered. Returns how long it must wait; null if longer than `maxMs`. */
  book(address: string, maxMs: number): number | null {
    const target = this.destinationOf(address);
    const ms = this.delay(target, 0);
    if (ms > maxMs) return null;
    this.countPacket(target);
    return ms;
  }

  leave(address: string): void {
    const target = this.destinationOf(address);
    target.inFlight -= 1;
    this.admit(target);
    if (isIdle(target) && target.due.length === 0) this.destinations.delete(this.keyOf(address));
  }

  private keyOf(address: string): string {
    if (this.exempt.has(address) || !address.includes(":")) return address;
    return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
  }

  private destinationOf(address: string): Destination {
    const key = this.keyOf(address);
    const existing = this.destinations.get(key);
    if (existing) return existing;
    const due = this.exempt.has(address) ? [] : this.rates.map(() => 0);
    const target = { due, inFlight: 0, urgent: [], others: [], timer: undefined };
    this.destinations.set(key, target);
    if (this.destinations.size > 2 * KEPT_DESTINATIONS) this.forget();
    return target;
  }

  private admit(target: Destination): void {
    clearTimeout(target.timer);
    while (target.inFlight < this.inFlight && target.urgent.length + target.others.length > 0) {
      const ms = this.delay(target, 0);
      if (ms > 0) {
        target.timer = setTimeout(() => this.admit(target), ms);
        return;
      }
      this.countPacket(target);
      target.inFlight += 1;
      (target.urgent.shift() ?? target.others.shift())?.();
    }
  }

  private delay({ due }: Destination, packetsBefore: number): number {
    const now = performance.now();
    const waits = this.rates.map(({ gapMs, slackMs }, rate) =>
      due[rate] === undefined ? 0 : Math.max(due[rate] - now, 0) + packetsBefore * gapMs - slackMs,
    );
    return Math.max(0, ...waits);
  }

  private countPacket(target: Destination): void {
    const now = performance.now();
    target.due = target.due.map((at, rate) => Math.max(at, now) + (this.rates[rate]?.gapMs ?? 0));
  }

  private forget(): void {
    const now = performance.now();
    const idleTargets = [...this.destinations].filter(([, target]) => isIdle(target));
    const isAtRest = ({ due }: Destination) => due.every((at) => at <= now);
    for (const [key, target] of idleTargets) if (isAtRest(target)) this.destinations.delete(key);
    for (const [oldest] of idleTargets) {
      if (this.destinations.size <= KEPT_DESTINATIONS) return;
      this.destinations.delete(oldest);
    }
  }
}

const isIdle = ({ inFlight, urgent, others }: Destination): boolean =>
  inFlight + urgent.length + others.length === 0;

/** Runs each lookup of a read once and shares the result. A lookup may need another, but never waits for itself. */
export class SingleFlight {
  private readonly results = new Map<string, Promise<string[]>>();
  private readonly waits = new Map<string, Set<string>>();
  /** Lookups that were not allowed to wait, and lookups that used one of those. Their empty results are not kept. */
  private readonly cutShort = new Set<string>();

  /** Returns nothing if `asker`, the lookup that needs this one, would wait for itself. */
  async get(key: string, asker: string | null, work: () => Promise<string[]>): Promise<string[]> {
    if (asker === null) return this.result(key, work);
    if (key === asker || this.leadsTo(key, asker)) {
      this.cutShort.add(asker);
      return [];
    }
    const waits = this.waits.get(asker) ?? new Set();
    this.waits.set(asker, waits.add(key));
    const addresses = await this.result(key, work);
    waits.delete(key);
    if (addresses.length === 0 && this.cutShort.has(key)) this.cutShort.add(asker);
    return addresses;
  }

  private result(key: string, work: () => Promise<string[]>): Promise<string[]> {
    const existing = this.results.get(key);
    if (existing) return existing;
    const result = work().then((addresses) => {
      if (addresses.length === 0 && this.cutShort.has(key)) this.results.delete(key);
      return addresses;
    });
    this.results.set(key, result);
    return result;
  }

  private leadsTo(from: string, to: string, passed = new Set<string>()): boolean {
    if (passed.has(from)) return false;
    passed.add(from);
    const next = [...(this.waits.get(from) ?? [])];
    return next.some((target) => target === to || this.leadsTo(target, to, passed));
  }
}
