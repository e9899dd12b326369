import { type Asking, identityOf } from "./identity.server.ts";

const EVERY_MS = 3_600_000;
const MOST_IDENTITIES = 10_000;

/**
 * The primary records the use of a session once an hour, and of an API key once an hour and for each new address, so
 * the first read in an hour must go to the primary. Remembers hashes of cookies and keys, a bounded number.
 */
export class FirstReads {
  readonly #seen = new Map<string, number>();

  /** Whether the read carries a session or a key not yet read on the primary this hour. */
  isFirst(read: Asking): boolean {
    const key = identityOf(read);
    return key !== null && Date.now() - (this.#seen.get(key) ?? 0) >= EVERY_MS;
  }

  /** Call once the primary has answered the read. */
  mark(read: Asking): void {
    const key = identityOf(read);
    if (key === null) return;
    if (this.#seen.size >= MOST_IDENTITIES) this.#seen.clear();
    this.#seen.set(key, Date.now());
  }
}
