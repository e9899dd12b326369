import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export type Asking = { headers: IncomingHttpHeaders; address: string };

const isByKey = ({ headers }: Asking): boolean => /^bearer\s/i.test(headers.authorization ?? "");

/** An API key at its address, or else a session; null if the request is from nobody. */
function identityOf(asking: Asking): string | null {
  const { authorization, cookie } = asking.headers;
  const session = /(?:^|;\s*)(?:__Host-)?session=([^;]+)/.exec(cookie ?? "")?.[1];
  const identity = isByKey(asking) ? `${authorization} ${asking.address}` : session;
  return identity ? createHash("sha256").update(identity).digest("base64") : null;
}

const MOST_CLIENTS = 10_000;
const EVERY_MS = 3_600_000;

/** The primary writes the use of a session or key once an hour, so the first read in an hour must go there. */
export class FirstReads {
  readonly #seen = new Map<string, number>();

  isFirst(read: Asking): boolean {
    const key = identityOf(read);
    return key !== null && Date.now() - (this.#seen.get(key) ?? 0) >= EVERY_MS;
  }

  /** Call once the primary has answered. */
  mark(read: Asking): void {
    const key = identityOf(read);
    if (key === null) return;
    if (this.#seen.size >= MOST_CLIENTS) this.#seen.clear();
    this.#seen.set(key, Date.now());
  }
}

/** Limits how long a broken replica, one further behind than this, sends its reads to the primary. */
const LIFETIME_S = 300;

/** Read-your-writes: after a write, the browser carries the transaction it must see. */
export function positionCookie(position: bigint, isHttps: boolean): string {
  const [prefix, secure] = isHttps ? ["__Host-", "; Secure"] : ["", ""];
  return `${prefix}deed_position=${position.toString(16)}; Path=/; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Lax${secure}`;
}

/** 0 if there is none. */
export function positionIn(cookies = ""): bigint {
  const hex = /(?:^|;\s*)(?:__Host-)?deed_position=([0-9a-f]{1,16})(?:;|$)/.exec(cookies)?.[1];
  return hex ? BigInt(`0x${hex}`) : 0n;
}

/** Read-your-writes for programs, which keep no cookies: the last write that this node passed on for each API key. */
export class LastWrites {
  readonly #positions = new Map<string, bigint>();

  note(asking: Asking, cookies: readonly string[]): void {
    const key = isByKey(asking) ? identityOf(asking) : null;
    const position = positionIn(cookies.map((line) => line.split(";")[0]).join("; "));
    if (key === null || position === 0n) return;
    if (this.#positions.size >= MOST_CLIENTS) this.#positions.clear();
    this.#positions.set(key, position);
  }

  wanted(asking: Asking): bigint {
    const carried = positionIn(asking.headers.cookie);
    const noted = isByKey(asking) ? (this.#positions.get(identityOf(asking) ?? "") ?? 0n) : 0n;
    return noted > carried ? noted : carried;
  }
}
