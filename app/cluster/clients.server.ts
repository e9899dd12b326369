import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A request's headers, and its client's address. */
export type Asking = { headers: IncomingHttpHeaders; address: string };

const isByKey = ({ headers }: Asking): boolean => /^bearer\s/i.test(headers.authorization ?? "");

/** A hash of whom the request says it is from: an API key at its address, or else a session. Null if from nobody. */
function identityOf(asking: Asking): string | null {
  const { authorization, cookie } = asking.headers;
  const session = /(?:^|;\s*)(?:__Host-)?session=([^;]+)/.exec(cookie ?? "")?.[1];
  const identity = isByKey(asking) ? `${authorization} ${asking.address}` : session;
  return identity ? createHash("sha256").update(identity).digest("base64") : null;
}

/** Clients remembered at once, in each of the two memories. */
const MOST_CLIENTS = 10_000;
const EVERY_MS = 3_600_000;

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
    if (this.#seen.size >= MOST_CLIENTS) this.#seen.clear();
    this.#seen.set(key, Date.now());
  }
}

/** Limits how long a broken replica, one further behind than this, sends its reads to the primary. */
const LIFETIME_S = 300;

/**
 * Read-your-writes: after a write, the browser carries the transaction it must see. Prefixed with __Host- if the origin
 * is https, like all the service's cookies.
 */
export function positionCookie(position: bigint, isHttps: boolean): string {
  const [prefix, secure] = isHttps ? ["__Host-", "; Secure"] : ["", ""];
  return `${prefix}deed_position=${position.toString(16)}; Path=/; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Lax${secure}`;
}

/** The transaction named in a Cookie header; 0 if there is none. */
export function positionIn(cookies = ""): bigint {
  const hex = /(?:^|;\s*)(?:__Host-)?deed_position=([0-9a-f]{1,16})(?:;|$)/.exec(cookies)?.[1];
  return hex ? BigInt(`0x${hex}`) : 0n;
}

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
    if (this.#positions.size >= MOST_CLIENTS) this.#positions.clear();
    this.#positions.set(key, position);
  }

  /** The transaction that the client must see: the last one it wrote, by its cookie or by its key. */
  wanted(asking: Asking): bigint {
    const carried = positionIn(asking.headers.cookie);
    const noted = isByKey(asking) ? (this.#positions.get(identityOf(asking) ?? "") ?? 0n) : 0n;
    return noted > carried ? noted : carried;
  }
}
