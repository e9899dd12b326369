import { createHash } from "node:crypto";

const EVERY_MS = 3_600_000;
const MOST_SESSIONS = 10_000;

/**
 * The primary records the use of a session once an hour, so the first read of a session in an hour must go to the
 * primary. Remembers hashes of session cookies, a bounded number.
 */
export class FirstReads {
  readonly #seen = new Map<string, number>();

  /** Whether the read carries a session not yet read on the primary this hour. */
  isFirst(cookies: string | undefined): boolean {
    const key = sessionKey(cookies);
    return key !== null && Date.now() - (this.#seen.get(key) ?? 0) >= EVERY_MS;
  }

  /** Call once the primary has answered a read of the session. */
  mark(cookies: string | undefined): void {
    const key = sessionKey(cookies);
    if (key === null) return;
    if (this.#seen.size >= MOST_SESSIONS) this.#seen.clear();
    this.#seen.set(key, Date.now());
  }
}

function sessionKey(cookies: string | undefined): string | null {
  const session = /(?:^|;\s*)(?:__Host-)?session=([^;]+)/.exec(cookies ?? "")?.[1];
  return session ? createHash("sha256").update(session).digest("base64") : null;
}
