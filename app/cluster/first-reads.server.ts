import { createHash } from "node:crypto";

const EVERY_MS = 3_600_000;
const MOST_SESSIONS = 10_000;

/**
 * The primary records the use of a session once an hour, so the first read of a session in an hour must go to the
 * primary. Remembers hashes of session cookies, a bounded number.
 */
export class FirstReads {
  readonly #seen = new Map<string, number>();

  isFirst(cookies: string | undefined): boolean {
    const session = /(?:^|;\s*)(?:__Host-)?session=([^;]+)/.exec(cookies ?? "")?.[1];
    if (!session) return false;
    const key = createHash("sha256").update(session).digest("base64");
    const now = Date.now();
    if (now - (this.#seen.get(key) ?? 0) < EVERY_MS) return false;
    if (this.#seen.size >= MOST_SESSIONS) this.#seen.clear();
    this.#seen.set(key, now);
    return true;
  }
}
