/** Read-your-writes: after a write, the browser carries the transaction it must see. */
const NAME = "deed_position";
/** Limits how long a broken replica, one further behind than this, sends its reads to the primary. */
const LIFETIME_S = 300;

/** Prefixed with __Host- if the origin is https, like all the service's cookies. */
export function positionCookie(position: bigint, isHttps: boolean): string {
  const [prefix, secure] = isHttps ? ["__Host-", "; Secure"] : ["", ""];
  return `${prefix}${NAME}=${position.toString(16)}; Path=/; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Lax${secure}`;
}

/** The transaction named in a Cookie header; 0 if there is none. */
export function positionIn(cookies: string | undefined): bigint {
  const hex = /(?:^|;\s*)(?:__Host-)?deed_position=([0-9a-f]{1,16})(?:;|$)/.exec(
    cookies ?? "",
  )?.[1];
  return hex ? BigInt(`0x${hex}`) : 0n;
}
