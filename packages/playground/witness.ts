import type { Answer } from "dns-packet";
import type { Query, Response } from "./message.ts";
import { canonical } from "./names.ts";
import type { Recursion, Resolution } from "./recursion.ts";
import { DnsServer } from "./server.ts";

/**
 * How a zone is signed. The playground's witnesses verify nothing; they trust this value. "bogus": formerly signed, with
 * a DS record left behind.
 */
export type Signing = "unsigned" | "signed" | "bogus";

type Entry = { resolution: Resolution; storedAt: number; expiresAt: number };

const MAX_CACHE_SECONDS = 86_400;
const MAX_ENTRIES = 10_000;
const BOGUS = { code: 9, text: "no key for the DS of the parent" };

const ttlOf = (record: Answer): number => ("ttl" in record ? (record.ttl ?? 0) : 0);

/** Seconds an answer may be cached: its shortest TTL, or min(SOA TTL, MINIMUM) if negative (RFC 2308 section 5). */
function cacheSeconds({ answers, soa }: Resolution): number {
  const ttls = answers.map(ttlOf);
  if (soa?.type === "SOA") ttls.push(Math.min(ttlOf(soa), soa.data.minimum ?? 0));
  return ttls.length === 0 ? 0 : Math.min(MAX_CACHE_SECONDS, ...ttls);
}

const withTtl = <A extends Answer>(record: A, ttl: number): A =>
  "ttl" in record ? { ...record, ttl } : record;

/**
 * The records of one cached answer with their TTLs reduced by its age. A negative answer's SOA has the remaining cache
 * time as its TTL.
 */
function agedRecords(entry: Entry, now: number): { answers: Answer[]; authorities: Answer[] } {
  const age = Math.floor((now - entry.storedAt) / 1000);
  const secondsLeft = Math.max(0, Math.ceil((entry.expiresAt - now) / 1000));
  const copy = (record: Answer): Answer =>
    record.type === "TXT" && Array.isArray(record.data)
      ? { ...record, data: [...record.data] }
      : record;
  return {
    answers: entry.resolution.answers.map((record) =>
      withTtl(copy(record), Math.max(0, ttlOf(record) - age)),
    ),
    authorities: entry.resolution.soa ? [withTtl(entry.resolution.soa, secondsLeft)] : [],
  };
}

/**
 * A recursive resolver with a positive and a negative cache. It simulates validation from the zones' declared signing.
 */
export class Witness extends DnsServer {
  readonly #recursion: Recursion;
  readonly #signing: (zone: string) => Signing;
  readonly #clock: () => number;
  readonly #cache = new Map<string, Entry>();

  constructor(recursion: Recursion, signing: (zone: string) => Signing, clock: () => number) {
    super();
    this.#recursion = recursion;
    this.#signing = signing;
    this.#clock = clock;
  }

  /** Clears cached names that end in `suffix`. */
  flush(suffix: string): void {
    for (const key of this.#cache.keys()) if (key.endsWith(suffix)) this.#cache.delete(key);
  }

  protected async answer(query: Query): Promise<Response> {
    if (!query.standard) return { rcode: "NOTIMP" };
    if (!query.recursionDesired) return { rcode: "REFUSED" };
    const entry = await this.#entry(canonical(query.name), query.type);
    const { rcode, zones } = entry.resolution;
    const signing = zones.map(this.#signing);
    if (signing.includes("bogus") && !query.checkingDisabled)
      return { rcode: "SERVFAIL", recursive: true, extendedError: BOGUS };
    return {
      rcode,
      recursive: true,
      authentic: query.wantsAuthentic && signing.every((word) => word === "signed"),
      ...agedRecords(entry, this.#clock()),
    };
  }

  #unexpired(key: string): Entry | undefined {
    const entry = this.#cache.get(key);
    return entry && entry.expiresAt > this.#clock() ? entry : undefined;
  }

  async #entry(name: string, type: string): Promise<Entry> {
    const key = `${type} ${name}`;
    const cached = this.#unexpired(key);
    if (cached) return cached;
    const resolution = await this.#recursion.resolve(name, type);
    // A client that asked again may have its answer already, and the zone may have changed since.
    const sooner = this.#unexpired(key);
    if (sooner) return sooner;
    const storedAt = this.#clock();
    const entry = { resolution, storedAt, expiresAt: storedAt + cacheSeconds(resolution) * 1000 };
    if (this.#cache.size >= MAX_ENTRIES) this.#cache.clear();
    if (resolution.rcode !== "SERVFAIL") this.#cache.set(key, entry);
    return entry;
  }
}
