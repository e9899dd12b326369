import { once } from "node:events";
import { type Check, checkRecord } from "@deed/dns/library/check.ts";
import type { RecordQuery } from "@deed/dns/library/check-question.ts";
import { AddressFull, type ChallengeQuestion, type Reader } from "@deed/dns/resolve/reader.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { FairShare } from "#app/core/fair-share.ts";
import { MINUTE, SECOND, withTimeLimit } from "#app/core/time.ts";
import { SharedReads, tooManyReads } from "#app/features/zones/shared-reads.ts";
import { Awaited, GLANCE_EVERY_MS, type GlanceTarget, glanceTarget } from "../claims/glances.ts";
import { follow } from "./follow.ts";

/** Each name is read at most once in this time, in which everybody gets the same answer. */
export const PAUSE_MS = 10 * SECOND;
export const FOLLOW_FOR_MS = 10 * MINUTE;
/** Each followed record gets a glance every two seconds: 100 glances a second. */
export const MAX_FOLLOWED = 200;
const MAX_CACHED = 200;

/** `last` is the last question, after all aliases or at a CNAME that fails; `target` are the servers that answered it. */
type Reading = { check: Check; last: ChallengeQuestion | null; target: GlanceTarget | null };
type Listener = (check: Check) => void;
type FollowedRecord = { listeners: Map<Listener, () => void>; stop: AbortController };

type CheckOptions = {
  reader: Pick<Reader, "readChallenge" | "glance" | "mayGlance">;
  clock: () => number;
  random: () => number;
  places: FairShare;
  onFault: (error: unknown) => void;
};

/** Waits until the time is over or `signal` aborts. Never rejects. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0 && !signal.aborted) await withTimeLimit(ms, signal, (limit) => once(limit, "abort"));
}

/** Checks any record for anyone, in memory: nothing is stored. */
export class Checks {
  readonly #reads: SharedReads<Reading>;
  readonly #nextReadAt = new Map<string, number>();
  readonly #followed = new Map<string, FollowedRecord>();
  readonly #endByClient = new Map<string, () => void>();

  constructor(private readonly options: CheckOptions) {
    this.#reads = new SharedReads({
      read: (key, signal, before) => this.#read(JSON.parse(key), signal, before?.check),
      keepUntil: ({ check }) => check.where.at + PAUSE_MS,
      ...{ clock: options.clock, places: options.places, maxCached: MAX_CACHED },
    });
  }

  /** Returns a check at most ten seconds old. Throws rate_limited and unresolvable; rejects when `signal` aborts. */
  async read(query: RecordQuery, client: string, signal: AbortSignal): Promise<Check> {
    const { reading } = await this.#reads.read(JSON.stringify(query), client, signal);
    if (reading.check.outcome === "unresolvable") throw new DeedError("unresolvable");
    return reading.check;
  }

  /**
   * Keeps reading for ten minutes, until the record is found or the returned function is called, and passes each check
   * to `listener`. A client can follow one record: following another ends it. Calls `onEnd` once. Throws rate_limited.
   */
  follow(query: RecordQuery, client: string, listener: Listener, onEnd: () => void): () => void {
    const key = JSON.stringify(query);
    this.#endByClient.get(client)?.();
    const followed = this.#followed.get(key) ?? this.#start(key, client);
    const end = () => {
      if (!followed.listeners.delete(listener)) return;
      clearTimeout(timer);
      if (followed.listeners.size === 0) {
        if (this.#followed.get(key) === followed) this.#followed.delete(key);
        followed.stop.abort();
      }
      if (this.#endByClient.get(client) === end) this.#endByClient.delete(client);
      onEnd();
    };
    const timer = setTimeout(end, FOLLOW_FOR_MS);
    followed.listeners.set(listener, end);
    this.#endByClient.set(client, end);
    return end;
  }

  async #read(query: RecordQuery, signal: AbortSignal, before?: Check): Promise<Reading> {
    await this.#waitForTurn(query.name, signal);
    let last: ChallengeQuestion | null = null;
    let target: GlanceTarget | null = null;
    const readChallenge: Reader["readChallenge"] = async (question, signal) => {
      const observation = await this.options.reader.readChallenge(question, signal);
      [last, target] = [question, glanceTarget(observation)];
      return observation;
    };
    // Reads of claims go first.
    const isAwaited = () => false;
    const reading = { reader: { readChallenge }, signal, before, isAwaited };
    const check = await this.#whenFree(() => checkRecord(query, reading), signal);
    return { check, last, target };
  }

  /** Tries a read again, up to four times, a second apart, while packets of other reads fill a nameserver's address. */
  async #whenFree(read: () => Promise<Check>, signal: AbortSignal, tries = 4): Promise<Check> {
    return read().catch(async (error: unknown) => {
      if (!(error instanceof AddressFull)) throw error;
      if (tries === 0) throw new DeedError("unresolvable");
      await pause(SECOND, signal);
      return this.#whenFree(read, signal, tries - 1);
    });
  }

  /** Waits until the name may be read; only one caller waits, others are refused. */
  async #waitForTurn(name: string, signal: AbortSignal): Promise<void> {
    const now = this.options.clock();
    for (const [other, at] of this.#nextReadAt) if (at <= now) this.#nextReadAt.delete(other);
    const readAt = Math.max(now, this.#nextReadAt.get(name) ?? 0);
    if (readAt - now > PAUSE_MS) throw tooManyReads(readAt - now);
    this.#nextReadAt.set(name, readAt + PAUSE_MS);
    await pause(readAt - now, signal);
    signal.throwIfAborted();
  }

  #start(key: string, client: string): FollowedRecord {
    if (this.#followed.size >= MAX_FOLLOWED) throw tooManyReads(MINUTE);
    const followed: FollowedRecord = { listeners: new Map(), stop: new AbortController() };
    this.#followed.set(key, followed);
    void this.#watch(key, client, followed)
      .catch(this.options.onFault)
      .finally(() => {
        for (const end of followed.listeners.values()) end();
      });
    return followed;
  }

  async #watch(key: string, client: string, { listeners, stop }: FollowedRecord): Promise<void> {
    const { clock, random } = this.options;
    const awaited = new Awaited(client);
    const read = async (signal: AbortSignal): Promise<Reading> => {
      for (;;) {
        try {
          return (await this.#reads.read(key, client, signal)).reading;
        } catch (error) {
          if (signal.aborted || !(error instanceof DeedError)) throw error;
          await pause(PAUSE_MS, signal);
        }
      }
    };
    let lastReading: Reading | null = null;
    await follow(
      {
        read: async (signal) => {
          lastReading = await read(signal);
          awaited.waitingNotedAt = clock();
          awaited.noteRead(lastReading.target, clock());
          return lastReading;
        },
        lastReadOf: ({ check: { outcome, wait, where, progress } }) => ({
          ...{ outcome, wait, at: where.at, secondReadAt: progress.secondReadAt },
        }),
        onRead: ({ check }) => {
          for (const listener of listeners.keys()) listener(check);
        },
        isLast: ({ check }) => check.outcome === "found",
        isGlanced: () => awaited.isGlanced(clock()),
        waitUntil: async (at, signal) => {
          if (lastReading) await this.#glanceUntil(at, lastReading, awaited, signal);
        },
        ...{ clock, random },
      },
      stop.signal,
    );
  }

  /** Glances until `at`, or until a nameserver's answer changes. */
  async #glanceUntil(at: number, { check, last }: Reading, awaited: Awaited, signal: AbortSignal) {
    const { clock, reader } = this.options;
    while (!signal.aborted && clock() < at) {
      await pause(Math.min(GLANCE_EVERY_MS, at - clock()), signal);
      const server = last && awaited.isGlanced(clock()) && awaited.nextServer(reader.mayGlance);
      if (!server || signal.aborted) continue;
      const question = { ...last, zone: awaited.zone, server };
      const glance = await reader.glance(question, signal).catch(() => null);
      if (!glance || !awaited.deservesRead(server, glance, clock())) continue;
      awaited.countRead(glance.type === "answered" && glance.hasToken, clock());
      // Before that time, everybody gets the last check.
      return pause(check.where.at + PAUSE_MS - clock(), signal);
    }
  }
}
