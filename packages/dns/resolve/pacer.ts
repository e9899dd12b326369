import ipaddr from "ipaddr.js";

export type PacketRate = { count: number; seconds: number };

/** Destinations kept after a cleanup, which runs at twice as many. */
const KEPT_DESTINATIONS = 5_000;
/** The share of a rate that may leave in a burst; the rest is spread evenly over the period. */
const BURST = 1 / 5;

type Entry = "entered" | "full" | "aborted";

type Destination = {
  due: number[];
  inFlight: number;
  /** Questions that wait; urgent ones, of reads that somebody waits for, go first. */
  urgent: (() => void)[];
  others: (() => void)[];
  timer: NodeJS.Timeout | undefined;
};

/** Paces packets to an IPv4 address or IPv6 /64 (GCRA, ITU-T I.371), and limits its questions in flight. Times in ms. */
export class Pacer {
  private readonly rates: readonly { gapMs: number; slackMs: number }[];
  readonly destinations = new Map<string, Destination>();

  /** `exempt`: addresses that the operator configured, without a limit. */
  constructor(
    rates: readonly PacketRate[],
    private readonly exempt: ReadonlySet<string>,
    private readonly inFlight: number,
  ) {
    this.rates = rates.map(({ count, seconds }) => {
      const burst = Math.ceil(count * BURST);
      const gapMs = (seconds * 1000) / Math.max(1, count - burst);
      return { gapMs, slackMs: gapMs * (burst - 1) };
    });
  }

  /** Milliseconds that a question would wait behind earlier packets. */
  waitMs(address: string, isUrgent = false): number {
    const one = this.destinations.get(this.keyOf(address));
    if (!one) return 0;
    return this.delay(one, one.urgent.length + (isUrgent ? 0 : one.others.length));
  }

  /** Whether a packet of the lowest priority may leave: nothing waits, and it uses no burst. Never to an exempt address. */
  isFree(address: string): boolean {
    if (this.exempt.has(address)) return false;
    const one = this.destinations.get(this.keyOf(address));
    if (!one) return true;
    const isAtRest =
      one.urgent.length + one.others.length === 0 && one.inFlight < this.inFlight / 2;
    return isAtRest && one.due.every((at) => at <= performance.now());
  }

  /** Waits until a question may be sent; "full" if that takes longer than `mostMs`. Whoever enters must leave. */
  enter(address: string, isUrgent: boolean, mostMs: number, signal: AbortSignal): Promise<Entry> {
    if (signal.aborted) return Promise.resolve("aborted");
    if (this.waitMs(address, isUrgent) > mostMs) return Promise.resolve("full");
    const one = this.destinationOf(address);
    return new Promise((resolve) => {
      const line = isUrgent ? one.urgent : one.others;
      const admit = () => {
        signal.removeEventListener("abort", giveUp);
        resolve("entered");
      };
      const giveUp = () => {
        line.splice(line.indexOf(admit), 1);
        resolve("aborted");
      };
      line.push(admit);
      signal.addEventListener("abort", giveUp);
      this.admit(one);
    });
  }

  /** Books one more packet for a question that entered: how long it must wait, or null if longer than `mostMs`. */
  book(address: string, mostMs: number): number | null {
    const one = this.destinationOf(address);
    const ms = this.delay(one, 0);
    if (ms > mostMs) return null;
    this.count(one);
    return ms;
  }

  leave(address: string): void {
    const one = this.destinationOf(address);
    one.inFlight -= 1;
    this.admit(one);
    if (isIdle(one) && one.due.length === 0) this.destinations.delete(this.keyOf(address));
  }

  private keyOf(address: string): string {
    if (this.exempt.has(address) || !address.includes(":")) return address;
    return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
  }

  private destinationOf(address: string): Destination {
    const key = this.keyOf(address);
    const known = this.destinations.get(key);
    if (known) return known;
    const due = this.exempt.has(address) ? [] : this.rates.map(() => 0);
    const one = { due, inFlight: 0, urgent: [], others: [], timer: undefined };
    this.destinations.set(key, one);
    if (this.destinations.size > 2 * KEPT_DESTINATIONS) this.forget();
    return one;
  }

  private admit(one: Destination): void {
    clearTimeout(one.timer);
    while (one.inFlight < this.inFlight && one.urgent.length + one.others.length > 0) {
      const ms = this.delay(one, 0);
      if (ms > 0) {
        one.timer = setTimeout(() => this.admit(one), ms);
        return;
      }
      this.count(one);
      one.inFlight += 1;
      (one.urgent.shift() ?? one.others.shift())?.();
    }
  }

  private delay({ due }: Destination, before: number): number {
    const now = performance.now();
    const waits = this.rates.map(({ gapMs, slackMs }, rate) =>
      due[rate] === undefined ? 0 : Math.max(due[rate] - now, 0) + before * gapMs - slackMs,
    );
    return Math.max(0, ...waits);
  }

  private count(one: Destination): void {
    const now = performance.now();
    one.due = one.due.map((at, rate) => Math.max(at, now) + (this.rates[rate]?.gapMs ?? 0));
  }

  private forget(): void {
    const now = performance.now();
    const idle = [...this.destinations].filter(([, one]) => isIdle(one));
    const isAtRest = ({ due }: Destination) => due.every((at) => at <= now);
    for (const [key, one] of idle) if (isAtRest(one)) this.destinations.delete(key);
    for (const [oldest] of idle) {
      if (this.destinations.size <= KEPT_DESTINATIONS) return;
      this.destinations.delete(oldest);
    }
  }
}

const isIdle = ({ inFlight, urgent, others }: Destination): boolean =>
  inFlight + urgent.length + others.length === 0;

/** Runs each lookup of a read once and shares the result. A lookup may need another one, but never waits for itself. */
export class SingleFlight {
  private readonly results = new Map<string, Promise<string[]>>();
  private readonly waits = new Map<string, Set<string>>();
  /** Lookups that were not allowed to wait, and lookups that used one of those. Their empty results are not kept. */
  private readonly cut = new Set<string>();

  /** Empty if `asker`, the lookup that needs this one, would end up waiting for itself. */
  async get(key: string, asker: string | null, work: () => Promise<string[]>): Promise<string[]> {
    if (asker === null) return this.result(key, work);
    if (key === asker || this.leadsTo(key, asker)) {
      this.cut.add(asker);
      return [];
    }
    const waits = this.waits.get(asker) ?? new Set();
    this.waits.set(asker, waits.add(key));
    const found = await this.result(key, work);
    waits.delete(key);
    if (found.length === 0 && this.cut.has(key)) this.cut.add(asker);
    return found;
  }

  private result(key: string, work: () => Promise<string[]>): Promise<string[]> {
    const known = this.results.get(key);
    if (known) return known;
    const result = work().then((found) => {
      if (found.length === 0 && this.cut.has(key)) this.results.delete(key);
      return found;
    });
    this.results.set(key, result);
    return result;
  }

  private leadsTo(from: string, to: string, passed = new Set<string>()): boolean {
    if (passed.has(from)) return false;
    passed.add(from);
    const next = [...(this.waits.get(from) ?? [])];
    return next.some((one) => one === to || this.leadsTo(one, to, passed));
  }
}
