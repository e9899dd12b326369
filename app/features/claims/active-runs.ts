import { FairShare, RunningWork, type Work } from "#app/core/fair-share.ts";
import type { ClaimRows } from "./transition.ts";

/** A read that waits for room at a full address. */
export type QueuedRead = {
  id: string;
  accountId: string;
  /** The order of reads: first those that somebody waits for, then those likely to prove a claim. */
  rank: "awaited" | "likely" | "other";
  addresses: readonly string[];
};

type HasRoom = (address: string) => boolean;

const RANKS = ["awaited", "likely", "other"] as const;
/** Scheduled reads that wait in this process; further ones stay due in the database. */
const MAX_QUEUED = 1_000;
/** How often a read may begin at one address: most reads send it at most four packets, and forty a second are allowed. */
const BEGIN_EVERY_MS = 100;

/** Keeps waiting reads in the order of their turns, in memory: they stay due in the database, so a restart loses none. */
export class ReadQueue {
  readonly reads = new Map<string, QueuedRead>();
  readonly shares = new FairShare(MAX_QUEUED, 1);
  readonly #begunAt = new Map<string, number>();

  /** `now` returns monotonic milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Makes a read wait; a scheduled one only within its account's share. */
  enqueue(read: QueuedRead): void {
    this.drop(read.id);
    if (read.rank === "awaited" || this.shares.tryAcquire(read.accountId))
      this.reads.set(read.id, read);
  }

  drop(id: string): void {
    const read = this.reads.get(id);
    if (!read) return;
    this.reads.delete(id);
    if (read.rank !== "awaited") this.shares.release(read.accountId);
  }

  /** Whether a read waits at one of the addresses; another read must then wait for its turn. */
  hasReadAt(addresses: readonly string[]): boolean {
    return [...this.reads.values()].some((read) =>
      read.addresses.some((address) => addresses.includes(address)),
    );
  }

  /** Takes out the next scheduled read that `mayBegin`; null while an awaited read goes first. */
  takeNext(hasRoom: HasRoom, mayBegin: (read: QueuedRead) => boolean): QueuedRead | null {
    const openReads = this.#openReads(hasRoom);
    const read = openReads[0]?.rank === "awaited" ? undefined : openReads.find(mayBegin);
    if (read) this.#begin(read);
    return read ?? null;
  }

  take(id: string, hasRoom: HasRoom): boolean {
    const [first] = this.#openReads(hasRoom);
    if (first?.id !== id) return false;
    this.#begin(first);
    return true;
  }

  #openReads(hasRoom: HasRoom): QueuedRead[] {
    const restedSince = this.now() - BEGIN_EVERY_MS;
    // Each address is checked once, because hundreds of reads may wait for it.
    const roomByAddress = new Map<string, boolean>();
    const isOpen = (address: string) => {
      const isRested = (this.#begunAt.get(address) ?? restedSince) <= restedSince;
      const isAddressOpen = roomByAddress.get(address) ?? (isRested && hasRoom(address));
      roomByAddress.set(address, isAddressOpen);
      return isAddressOpen;
    };
    return [...this.reads.values()]
      .filter(({ addresses }) => addresses.every(isOpen))
      .sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank));
  }

  #begin({ id, accountId, addresses }: QueuedRead): void {
    this.drop(id);
    // Moves the account's other reads behind those of all other accounts.
    for (const read of [...this.reads.values()].filter((read) => read.accountId === accountId)) {
      this.reads.delete(read.id);
      this.reads.set(read.id, read);
    }
    for (const address of addresses) this.#begunAt.set(address, this.now());
    if (this.reads.size === 0) this.#begunAt.clear();
  }
}

/** Concurrent reads of claims in this process, scheduled and forced ones together. */
export const MAX_READS = 50;
/** The share of the free places that an account may use for its forced runs; half of it for its scheduled reads. */
const PART_OF_FREE = 1 / 2;
/** How long a forced run waits for a place, and for room at an address. */
export const MAX_WAIT_MS = 10_000;

export type ActiveRun = Work<ClaimRows | null> & {
  isRequested: boolean;
  isForced: boolean;
  /** The promise that forced runs share: their draw on the budget, then the read. Null if there are none. */
  joined: Promise<ClaimRows | null> | null;
};
type ReadForRun = (run: ActiveRun) => Promise<ClaimRows | null>;

export class ActiveRuns extends RunningWork<string, ActiveRun> {
  readonly places = new FairShare(MAX_READS, PART_OF_FREE);
  readonly queue = new ReadQueue();

  /**
   * Starts a read once `draw` resolves and a place is free. If a read is under way, joins it and shares its draw; a
   * scheduled read may have begun too early, so another read follows if the claim is still open. Null if no place came.
   */
  force(rows: ClaimRows, draw: () => Promise<void>, read: ReadForRun): Promise<ClaimRows | null> {
    const { accountId, id } = rows.verification;
    const active = this.byKey.get(id);
    if (active) {
      active.joined ??= draw().then(
        async () => {
          active.isForced = true;
          const after = await active.done;
          const isOver = active.isRequested || !after?.verification.nextRunAt;
          return isOver ? after : this.force(after, async () => {}, read);
        },
        (refusal) => {
          active.joined = null;
          throw refusal;
        },
      );
      return active.joined;
    }
    const run = this.start(id, true, async (run) => {
      await draw();
      this.queue.drop(id);
      if (!(await this.places.acquire(accountId, MAX_WAIT_MS, run.abort.signal))) return null;
      return read(run).finally(() => this.places.release(accountId));
    });
    run.joined = run.done;
    return run.done;
  }

  start(id: string, isRequested: boolean, read: ReadForRun): ActiveRun {
    const abort = new AbortController();
    const done = Promise.resolve(null);
    const run: ActiveRun = { isRequested, isForced: isRequested, abort, done, joined: null };
    run.done = read(run);
    this.add(id, run);
    return run;
  }

  override async drain(graceMs: number): Promise<void> {
    await super.drain(graceMs);
    for (const id of [...this.queue.reads.keys()]) this.queue.drop(id);
  }
}
