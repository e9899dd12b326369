import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export type ClientRequest = { headers: IncomingHttpHeaders; address: string };

const hasKey = ({ headers }: ClientRequest) => /^bearer\s/i.test(headers.authorization ?? "");

/** Returns a hash of the API key and the client's address, or else of the session; null if the request has neither. */
function identityOf(request: ClientRequest): string | null {
  const { authorization, cookie } = request.headers;
  const session = /(?:^|;\s*)(?:__Host-)?session=([^;]+)/.exec(cookie ?? "")?.[1];
  const identity = hasKey(request) ? `${authorization} ${request.address}` : session;
  return identity ? createHash("sha256").update(identity).digest("base64") : null;
}

const MAX_CLIENTS = 10_000;
const USE_RECORDED_EVERY_MS = 3_600_000;

/** If this replica stays behind, a client's reads go to the primary for at most this long after a write. */
const LIFETIME_S = 300;

/** Makes the cookie that says, after a write, which transaction the browser must see (read-your-writes). */
export function positionCookie(position: bigint, isHttps: boolean): string {
  const [prefix, secure] = isHttps ? ["__Host-", "; Secure"] : ["", ""];
  return `${prefix}deed_position=${position.toString(16)}; Path=/; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the transaction that a Cookie header names; 0 if it names none. */
export function positionIn(cookies = ""): bigint {
  const hex = /(?:^|;\s*)(?:__Host-)?deed_position=([0-9a-f]{1,16})(?:;|$)/.exec(cookies)?.[1];
  return hex ? BigInt(`0x${hex}`) : 0n;
}

/** Remembers each client's last read and write on this node, by hash, for a bounded number of clients. */
export class Clients {
  readonly #readAt = new Map<string, number>();
  readonly #positions = new Map<string, bigint>();

  /** The primary records a session's or key's use once an hour, so the first read of each hour must go there. */
  isFirstRead(request: ClientRequest): boolean {
    const key = identityOf(request);
    return key !== null && Date.now() - (this.#readAt.get(key) ?? 0) >= USE_RECORDED_EVERY_MS;
  }

  /** Records a read that the primary has answered. */
  noteRead(request: ClientRequest): void {
    remember(this.#readAt, identityOf(request), Date.now());
  }

  /** Records a write by a program, which keeps no cookies. `cookies` are Set-Cookie lines of the primary. */
  noteWrite(request: ClientRequest, cookies: readonly string[]): void {
    const position = positionIn(cookies.map((line) => line.split(";")[0]).join("; "));
    if (hasKey(request) && position > 0n) remember(this.#positions, identityOf(request), position);
  }

  requiredPosition(request: ClientRequest): bigint {
    const cookiePosition = positionIn(request.headers.cookie);
    const keyPosition = hasKey(request)
      ? (this.#positions.get(identityOf(request) ?? "") ?? 0n)
      : 0n;
    return keyPosition > cookiePosition ? keyPosition : cookiePosition;
  }
}

function remember<T>(memory: Map<string, T>, key: string | null, value: T): void {
  if (key === null) return;
  if (memory.size >= MAX_CLIENTS) memory.clear();
  memory.set(key, value);
}
