import { type Check, checkRecord } from "@deed/dns/library/check.ts";
import type { RecordQuery } from "@deed/dns/library/check-question.ts";
import { AddressFull, type ChallengeQuestion, type Reader } from "@deed/dns/resolve/reader.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { FairShare } from "#app/core/fair-share.ts";
import { MINUTE, SECOND } from "#app/core/time.ts";
import { SharedReads } from "#app/features/zones/shared-reads.ts";
import { Awaited, GLANCE_EVERY_MS, type GlanceTarget, glanceTarget } from "../claims/glances.ts";
import { follow } from "./follow.ts";

/** Each name is read at most once in this time, and everybody gets the same answer until then. */
export const PAUSE_MS = 10 * SECOND;
export const FOLLOW_FOR_MS = 10 * MINUTE;
/** Each followed record gets a glance every two seconds: 100 glances a second. */
export const MAX_FOLLOWED = 200;
const MAX_CACHED = 200;

/** `asked`: the last question, after all aliases or at a CNAME that fails; `known`: the servers that answered it. */
type Reading = { check: Check; asked: ChallengeQuestion | null; known: GlanceTarget | null };
type Listener = (check: Check) => void;
type FollowedRecord = { listeners: Map<Listener, () => void>; stop: AbortController };

type CheckOptions = {
  reader: Pick<Reader, "readChallenge" | "glance" | "mayGlance">;
  clock: () => number;
  random: () => number;
  places: FairShare;
  onFault: (error: unknown) => void;
};

const tooMany = (ms: number) =>
  new DeedError("rate_limited", { retryAfter: Math.ceil(ms / SECOND), budget: "zones" });

/** Never rejects: aborting ends the pause. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

/** Checks of any record for anyone. Only in memory: nothing is stored. */
export class Checks {
  readonly #reads: SharedReads<Reading>;
  /** When each name may be read again. */
  readonly #turns = new Map<string, number>();
  readonly #looks = new Map<string, FollowedRecord>();
  readonly #byClient = new Map<string, () => void>();

  constructor(private readonly parts: CheckOptions) {
    this.#reads = new SharedReads({
      read: (key, signal, before) => this.#read(JSON.parse(key), signal, before?.check),
      keepUntil: ({ check }) => check.where.at + PAUSE_MS,
      ...{ clock: parts.clock, places: parts.places, most: MAX_CACHED },
    });
  }

  /** A check at most ten seconds old. Throws rate_limited and unresolvable; rejects when `signal` aborts. */
  async read(asked: RecordQuery, client: string, signal: AbortSignal): Promise<Check> {
    const { reading } = await this.#reads.read(JSON.stringify(asked), client, signal);
    if (reading.check.outcome === "unresolvable") throw new DeedError("unresolvable");
    return reading.check;
  }

  /**
   * Keeps reading for ten minutes, until the record is found or the returned function is called, and passes each check
   * to `listener`. A client follows one record: another one ends it. Calls `onEnd` once. Throws rate_limited.
   */
  follow(asked: RecordQuery, client: string, listener: Listener, onEnd: () => void): () => void {
    const key = JSON.stringify(asked);
    this.#byClient.get(client)?.();
    const look = this.#looks.get(key) ?? this.#start(key, client);
    const end = () => {
      if (!look.listeners.delete(listener)) return;
      clearTimeout(timer);
      if (look.listeners.size === 0) {
        if (this.#looks.get(key) === look) this.#looks.delete(key);
        look.stop.abort();
      }
      if (this.#byClient.get(client) === end) this.#byClient.delete(client);
      onEnd();
    };
    const timer = setTimeout(end, FOLLOW_FOR_MS);
    look.listeners.set(listener, end);
    this.#byClient.set(client, end);
    return end;
  }

  async #read(asked: RecordQuery, signal: AbortSignal, before?: Check): Promise<Reading> {
    await this.#turn(asked.name, signal);
    let last: ChallengeQuestion | null = null;
    let known: GlanceTarget | null = null;
    const { reader } = this.parts;
    const readChallenge: Reader["readChallenge"] = async (question, signal) => {
      const seen = await reader.readChallenge(question, signal);
      [last, known] = [question, glanceTarget(seen)];
      return seen;
    };
    // Reads of claims go first.
    const isAwaited = () => false;
    const reading = { reader: { readChallenge }, signal, before, isAwaited };
    const check = await this.#onceRoom(() => checkRecord(asked, reading), signal);
    return { check, asked: last, known };
  }

  /** Reads again, up to four times a second apart, while packets of other reads fill a nameserver's address. */
  async #onceRoom(read: () => Promise<Check>, signal: AbortSignal, tries = 4): Promise<Check> {
    return read().catch(async (error: unknown) => {
      if (!(error instanceof AddressFull)) throw error;
      if (tries === 0) throw new DeedError("unresolvable");
      await pause(SECOND, signal);
      return this.#onceRoom(read, signal, tries - 1);
    });
  }

  /** Waits until the name may be read; only one caller waits, others are refused. */
  async #turn(name: string, signal: AbortSignal): Promise<void> {
    const now = this.parts.clock();
    for (const [past, at] of this.#turns) if (at <= now) this.#turns.delete(past);
    const at = Math.max(now, this.#turns.get(name) ?? 0);
    if (at - now > PAUSE_MS) throw tooMany(at - now);
    this.#turns.set(name, at + PAUSE_MS);
    await pause(at - now, signal);
    signal.throwIfAborted();
  }

  #start(key: string, client: string): FollowedRecord {
    if (this.#looks.size >= MAX_FOLLOWED) throw tooMany(MINUTE);
    const look: FollowedRecord = { listeners: new Map(), stop: new AbortController() };
    this.#looks.set(key, look);
    void this.#lookOn(key, client, look)
      .catch(this.parts.onFault)
      .finally(() => {
        for (const end of look.listeners.values()) end();
      });
    return look;
  }

  async #lookOn(key: string, client: string, { listeners, stop }: FollowedRecord): Promise<void> {
    const { clock, random } = this.parts;
    const watched = new Awaited(client);
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
    let last: Reading | null = null;
    await follow(
      {
        read: async (signal) => {
          last = await read(signal);
          watched.signAt = clock();
          watched.noteRead(last.known, clock());
          return last;
        },
        lastReadOf: ({ check: { outcome, wait, where, progress } }) => ({
          ...{ outcome, wait, at: where.at, secondReadAt: progress.secondReadAt },
        }),
        onRead: ({ check }) => {
          for (const listener of listeners.keys()) listener(check);
        },
        isLast: ({ check }) => check.outcome === "found",
        isGlanced: () => watched.isGlanced(clock()),
        waitUntil: async (at, signal) => {
          if (last) await this.#glanceUntil(at, last, watched, signal);
        },
        ...{ clock, random },
      },
      stop.signal,
    );
  }

  /** Glances until `at`, or until a nameserver's answer changes. */
  async #glanceUntil(at: number, { check, asked }: Reading, watched: Awaited, signal: AbortSignal) {
    const { clock, reader } = this.parts;
    while (!signal.aborted && clock() < at) {
      await pause(Math.min(GLANCE_EVERY_MS, at - clock()), signal);
      const server = asked && watched.isGlanced(clock()) && watched.take(reader.mayGlance);
      if (!server || signal.aborted) continue;
      const question = { ...asked, zone: watched.zone, server };
      const glance = await reader.glance(question, signal).catch(() => null);
      if (!glance || !watched.deservesRead(server, glance, clock())) continue;
      watched.countRead(glance.type === "answered" && glance.hasToken, clock());
      // Until then, everybody gets the last check.
      return pause(check.where.at + PAUSE_MS - clock(), signal);
    }
  }
}
