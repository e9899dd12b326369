import type { Reader, ZoneReading } from "@deed/dns/resolve/reader.ts";
import { DeedError, ERRORS } from "#app/core/errors.server.ts";
import { FairShare } from "#app/core/fair-share.ts";
import { SECOND, unlessAborted } from "#app/core/time.ts";

/** The most concurrent reads that anyone may ask for; reads of claims do not count. */
export const MAX_PUBLIC_READS = 50;
const WAIT_MS = 5_000;
const MAX_CACHED = 1_000;
const MAX_AGE_MS = 3_600_000;

/** One client may use a quarter of the free places. */
export const publicPlaces = () => new FairShare(MAX_PUBLIC_READS, 1 / 4);

/** Refuses a public read, by a limit that is not the budget of zone reads. */
export function tooManyReads(waitMs: number): DeedError {
  const message = `${ERRORS.rate_limited[1]} Nobody can raise this limit.`;
  const retryAfter = Math.ceil(waitMs / SECOND);
  return new DeedError("rate_limited", { message, retryAfter, budget: "publicReads" });
}

/** This error is made once, because errors are costly. */
const UNUSED_READ = new Error("the last caller has left");

type SharedRead<R> = { reading: Promise<R>; askers: number; stop: AbortController };

/** `before` is the last reading, if still in the cache. A reading is cached until `keepUntil`, epoch milliseconds. */
type ReadOptions<R> = {
  read: (key: string, signal: AbortSignal, before: R | undefined) => Promise<R>;
  keepUntil: (reading: R) => number;
  clock: () => number;
  places: FairShare;
  maxCached?: number;
};

/** Shares reads that anyone may ask for, with an LRU cache; each uses a place of its client. */
export class SharedReads<R> {
  readonly #cache = new Map<string, { reading: R; until: number }>();
  readonly #runningReads = new Map<string, SharedRead<R>>();

  constructor(private readonly options: ReadOptions<R>) {}

  /**
   * Reads once `client` gets a place, or joins a read in progress. After five seconds without a place, throws
   * rate_limited if the client's own reads have its places, unresolvable if others' do. Rejects when `signal` aborts.
   */
  async read(key: string, client: string, signal: AbortSignal) {
    signal.throwIfAborted();
    const existing = this.#cachedOrRunning(key, signal);
    if (existing) return existing;
    await this.#takePlace(client, signal);
    const readMeanwhile = this.#cachedOrRunning(key, signal);
    if (readMeanwhile) this.options.places.release(client);
    return readMeanwhile ?? this.#join(key, this.#start(key, client), signal);
  }

  #cachedOrRunning(key: string, signal: AbortSignal) {
    const entry = this.#cache.get(key);
    if (entry && entry.until > this.options.clock()) {
      this.#cache.delete(key);
      this.#cache.set(key, entry);
      return { reading: entry.reading, cached: true };
    }
    const sharedRead = this.#runningReads.get(key);
    return sharedRead ? this.#join(key, sharedRead, signal) : null;
  }

  async #takePlace(client: string, signal: AbortSignal): Promise<void> {
    const hasPlace = await this.options.places.acquire(client, WAIT_MS, signal);
    if (hasPlace && !signal.aborted) return;
    if (hasPlace) this.options.places.release(client);
    signal.throwIfAborted();
    throw this.options.places.holds(client) ? tooManyReads(WAIT_MS) : new DeedError("unresolvable");
  }

  #start(key: string, client: string): SharedRead<R> {
    const stop = new AbortController();
    const reading = this.options.read(key, stop.signal, this.#cache.get(key)?.reading);
    const sharedRead: SharedRead<R> = { reading, askers: 0, stop };
    this.#runningReads.set(key, sharedRead);
    reading
      .then((read) => this.#keep(key, read))
      .catch(() => {})
      .finally(() => {
        this.#forget(key, sharedRead);
        this.options.places.release(client);
      });
    return sharedRead;
  }

  #forget(key: string, sharedRead: SharedRead<R>): void {
    if (this.#runningReads.get(key) === sharedRead) this.#runningReads.delete(key);
  }

  #keep(key: string, reading: R): void {
    const { keepUntil, clock, maxCached = MAX_CACHED } = this.options;
    const until = keepUntil(reading);
    this.#cache.delete(key);
    if (until <= clock()) return;
    this.#cache.set(key, { reading, until });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > maxCached && oldest !== undefined) this.#cache.delete(oldest);
  }

  async #join(key: string, sharedRead: SharedRead<R>, signal: AbortSignal) {
    sharedRead.askers++;
    try {
      return { reading: await unlessAborted(sharedRead.reading, signal), cached: false };
    } finally {
      if (--sharedRead.askers === 0) {
        this.#forget(key, sharedRead);
        sharedRead.stop.abort(UNUSED_READ);
      }
    }
  }
}

export type ZoneCache = SharedReads<ZoneReading>;

/** Shares reads of zones, which are kept for their TTL, at most an hour. */
export const zoneCache = (
  reader: Pick<Reader, "readZone">,
  clock: () => number,
  places: FairShare,
): ZoneCache =>
  new SharedReads({
    read: (name, signal) => reader.readZone(name, signal),
    keepUntil: (read) =>
      read.type === "read" ? read.at + Math.min(read.ttl * 1_000, MAX_AGE_MS) : 0,
    ...{ clock, places },
  });
