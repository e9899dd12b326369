import type { Reader, ZoneReading } from "@deed/dns/resolve/reader.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { FairShare } from "#app/core/fair-share.ts";
import { unlessAborted } from "#app/core/time.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    zones: ZoneCache;
  }
}

/** Concurrent zone reads in this process, not counting reads of claims. */
export const MAX_ZONE_READS = 50;
const WAIT_MS = 5_000;
const MAX_CACHED = 1_000;
const MAX_AGE_MS = 3_600_000;

/** Made once, because errors are costly. */
const UNUSED_READ = new Error("the last caller has left");

type Shared = { reading: Promise<ZoneReading>; askers: number; stop: AbortController };

/** Single flight and an LRU cache for zone reads, kept for their TTL, at most an hour. */
export class ZoneCache {
  readonly #cache = new Map<string, { reading: ZoneReading; until: number }>();
  readonly #underWay = new Map<string, Shared>();
  /** One client may use a quarter of what is free. */
  readonly #places = new FairShare(MAX_ZONE_READS, 1 / 4);

  constructor(
    private readonly reader: Pick<Reader, "readZone">,
    private readonly clock: () => number,
  ) {}

  /**
   * Reads in a place of `client`, or joins a read that has one. Throws rate_limited if the client's own reads leave it no
   * place for five seconds, unresolvable if those of others do. Rejects when `signal` aborts.
   */
  async read(name: string, client: string, signal: AbortSignal) {
    signal.throwIfAborted();
    const known = this.#known(name, signal);
    if (known) return known;
    await this.#enter(client, signal);
    const knownByNow = this.#known(name, signal);
    if (knownByNow) this.#places.release(client);
    return knownByNow ?? this.#join(name, this.#start(name, client), signal);
  }

  #known(name: string, signal: AbortSignal) {
    const entry = this.#cache.get(name);
    this.#cache.delete(name);
    if (entry && entry.until > this.clock()) {
      this.#cache.set(name, entry);
      return { reading: entry.reading, cached: true };
    }
    const shared = this.#underWay.get(name);
    return shared ? this.#join(name, shared, signal) : null;
  }

  async #enter(client: string, signal: AbortSignal): Promise<void> {
    const entered = await this.#places.acquire(client, WAIT_MS, signal);
    if (entered && !signal.aborted) return;
    if (entered) this.#places.release(client);
    signal.throwIfAborted();
    throw this.#places.holds(client)
      ? new DeedError("rate_limited", { retryAfter: WAIT_MS / 1_000, budget: "zones" })
      : new DeedError("unresolvable");
  }

  #start(name: string, client: string): Shared {
    const stop = new AbortController();
    const reading = this.reader.readZone(name, stop.signal);
    const shared: Shared = { reading, askers: 0, stop };
    this.#underWay.set(name, shared);
    reading
      .then((read) => this.#keep(name, read))
      .catch(() => {})
      .finally(() => {
        this.#forget(name, shared);
        this.#places.release(client);
      });
    return shared;
  }

  #forget(name: string, shared: Shared): void {
    if (this.#underWay.get(name) === shared) this.#underWay.delete(name);
  }

  #keep(name: string, reading: ZoneReading): void {
    if (reading.type !== "read" || reading.ttl <= 0) return;
    const until = reading.at + Math.min(reading.ttl * 1_000, MAX_AGE_MS);
    this.#cache.set(name, { reading, until });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
  }

  async #join(name: string, shared: Shared, signal: AbortSignal) {
    shared.askers++;
    try {
      return { reading: await unlessAborted(shared.reading, signal), cached: false };
    } finally {
      if (--shared.askers === 0) {
        this.#forget(name, shared);
        shared.stop.abort(UNUSED_READ);
      }
    }
  }
}
