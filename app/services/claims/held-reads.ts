import { FairShare } from "../fair-share.ts";

/** A read that a full address turned away. */
export type HeldRead = {
  /** Of the verification. */
  id: string;
  accountId: string;
  /** Which reads go first: those that somebody waits for, those likely to prove, the others. */
  rank: "awaited" | "likely" | "other";
  /** The addresses that must have room. */
  addresses: readonly string[];
};

/** Whether a read that begins now would find room at the address. */
type HasRoom = (address: string) => boolean;

const RANKS = ["awaited", "likely", "other"] as const;
/** Reads of the schedule held in this process; what is beyond stays due in the database. */
const MAX_HELD = 1_000;
/** How often a read may begin at one address: most send it four packets or fewer, of forty in a second. */
const EVERY_MS = 100;

/**
 * Reads that wait for room at a nameserver's address. Nothing of it is stored: each is still due in the database, so a
 * restart loses none.
 */
export class HeldReads {
  readonly #reads = new Map<string, HeldRead>();
  readonly #shares = new FairShare(MAX_HELD, 1);
  /** When a read last began at an address. */
  readonly #begun = new Map<string, number>();
  /** Accounts with more reads here, in the order of their last turns. */
  readonly #turns = new Set<string>();

  /** `now`: monotonic milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get size(): number {
    return this.#reads.size;
  }

  has(id: string): boolean {
    return this.#reads.has(id);
  }

  /** Accounts that have as many reads here as they may. */
  saturatedAccounts(): string[] {
    return this.#shares.saturatedKeys();
  }

  /** Holds a read; one of the schedule only within its account's share. */
  hold(read: HeldRead): void {
    this.drop(read.id);
    if (read.rank === "awaited" || this.#shares.tryAcquire(read.accountId))
      this.#reads.set(read.id, read);
  }

  drop(id: string): void {
    const read = this.#reads.get(id);
    if (!read) return;
    this.#reads.delete(id);
    if (read.rank !== "awaited") this.#shares.release(read.accountId);
  }

  /** Forgets all: the worker that held them stops. */
  clear(): void {
    for (const id of [...this.#reads.keys()]) this.drop(id);
  }

  /** Takes out the read of the schedule whose turn it is, if `mayBegin`; null while an awaited read goes first. */
  next(hasRoom: HasRoom, mayBegin: (read: HeldRead) => boolean): HeldRead | null {
    const [first, ...others] = this.#open(hasRoom);
    if (!first || first.rank === "awaited") return null;
    const read = [first, ...others].find(mayBegin);
    return read ? this.#begin(read) : null;
  }

  /** Takes out an awaited read if it is its turn. */
  take(id: string, hasRoom: HasRoom): boolean {
    const [first] = this.#open(hasRoom);
    return first?.id === id && this.#begin(first) !== null;
  }

  /** The reads whose addresses have room: by rank, then by turns of the accounts, then in the order they came. */
  #open(hasRoom: HasRoom): HeldRead[] {
    const rooms = new Map<string, boolean>();
    const isOpen = (address: string) => {
      const known = rooms.get(address) ?? (this.#isRested(address) && hasRoom(address));
      rooms.set(address, known);
      return known;
    };
    const turns = new Map([...this.#turns].map((accountId, at) => [accountId, at + 1]));
    const turnOf = ({ accountId }: HeldRead) => turns.get(accountId) ?? 0;
    return [...this.#reads.values()]
      .filter(({ addresses }) => addresses.every(isOpen))
      .sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) || turnOf(a) - turnOf(b));
  }

  #begin(read: HeldRead): HeldRead {
    const { id, accountId, addresses } = read;
    this.drop(id);
    this.#turns.delete(accountId);
    const isBack = [...this.#reads.values()].some((other) => other.accountId === accountId);
    if (isBack) this.#turns.add(accountId);
    for (const address of addresses) this.#begun.set(address, this.now());
    if (this.size === 0) this.#begun.clear();
    return read;
  }

  #isRested(address: string): boolean {
    return this.now() - (this.#begun.get(address) ?? Number.NEGATIVE_INFINITY) >= EVERY_MS;
  }
}
