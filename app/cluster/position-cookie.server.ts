/** Read-your-writes: after a write the browser carries the transaction it must see. */
const NAME = "deed_position";
/** A replica further behind than this is broken, and its reads should not be the primary's for ever. */
const LIFETIME_S = 300;

/** Under the __Host- prefix where the origin is https, as every cookie of the service. */
export function positionCookie(position: bigint, isHttps: boolean): string {
  const [prefix, secure] = isHttps ? ["__Host-", "; Secure"] : ["", ""];
  return `${prefix}${NAME}=${position.toString(16)}; Path=/; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Lax${secure}`;
}

/** The transaction a Cookie header asks for; 0 where it asks for none. */
export function positionIn(cookies: string | undefined): bigint {
  const hex = /(?:^|;\s*)(?:__Host-)?deed_position=([0-9a-f]{1,16})(?:;|$)/.exec(
    cookies ?? "",
  )?.[1];
  return hex ? BigInt(`0x${hex}`) : 0n;
}
