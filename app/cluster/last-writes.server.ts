import { type Asking, identityOf, isByKey } from "./identity.server.ts";
import { positionIn } from "./position-cookie.server.ts";

const MOST_KEYS = 10_000;

/**
 * Read-your-writes on one node for programs, which keep no cookies: the transaction of the last write that this node
 * passed on for an API key. A bounded number.
 */
export class LastWrites {
  readonly #positions = new Map<string, bigint>();

  /** Call with the Set-Cookie lines of the primary's answer to a write. */
  note(asking: Asking, cookies: readonly string[]): void {
    const key = isByKey(asking) ? identityOf(asking) : null;
    const position = positionIn(cookies.map((line) => line.split(";")[0]).join("; "));
    if (key === null || position === 0n) return;
    if (this.#positions.size >= MOST_KEYS) this.#positions.clear();
    this.#positions.set(key, position);
  }

  /** The transaction that the client must see: the last one it wrote, by its cookie or by its key. */
  wanted(asking: Asking): bigint {
    const carried = positionIn(asking.headers.cookie);
    const noted = isByKey(asking) ? (this.#positions.get(identityOf(asking) ?? "") ?? 0n) : 0n;
    return noted > carried ? noted : carried;
  }
}
