import type { Reader, ZoneReading } from "#app/dns/reader.ts";

const MAX_CACHED = 1_000;
const MAX_AGE_MS = 3_600_000;

/** Made once: an error is costly to make, and most reads are over before their last asker leaves. */
const NOBODY_WAITS = new Error("nobody waits for this read any more");

type Shared = { reading: Promise<ZoneReading>; askers: number; stop: AbortController };

/** Zone reads shared among those who ask at once and kept, least recently used first out, as long as their TTL says. */
export class ZoneReads {
  readonly #reader: Pick<Reader, "readZone">;
  readonly #clock: () => number;
  readonly #cache = new Map<string, { reading: ZoneReading; until: number }>();
  readonly #underWay = new Map<string, Shared>();

  constructor(reader: Pick<Reader, "readZone">, clock: () => number) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** Rejects when `signal` aborts; the read itself stops once nobody waits for it any more. */
  async read(
    name: string,
    signal: AbortSignal,
  ): Promise<{ reading: ZoneReading; cached: boolean }> {
    signal.throwIfAborted();
    const cached = this.#cached(name);
    if (cached) return { reading: cached, cached: true };
    const shared = this.#underWay.get(name) ?? this.#start(name);
    return { reading: await this.#wait(name, shared, signal), cached: false };
  }

  #cached(name: string): ZoneReading | null {
    const entry = this.#cache.get(name);
    if (!entry) return null;
    this.#cache.delete(name);
    if (entry.until <= this.#clock()) return null;
    this.#cache.set(name, entry);
    return entry.reading;
  }

  #start(name: string): Shared {
    const stop = new AbortController();
    const reading = this.#reader.readZone(name, stop.signal);
    const shared: Shared = { reading, askers: 0, stop };
    this.#underWay.set(name, shared);
    reading
      .then((read) => this.#keep(name, read))
      .catch(() => {})
      .finally(() => this.#forget(name, shared));
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

  async #wait(name: string, shared: Shared, signal: AbortSignal): Promise<ZoneReading> {
    shared.askers++;
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
    });
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([shared.reading, left]);
    } finally {
      signal.removeEventListener("abort", leave);
      if (--shared.askers === 0) {
        this.#forget(name, shared);
        shared.stop.abort(NOBODY_WAITS);
      }
    }
  }
}
