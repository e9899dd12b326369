import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A request's headers, and its client's address. */
export type Asking = { headers: IncomingHttpHeaders; address: string };

export const isByKey = ({ headers }: Asking): boolean =>
  /^bearer\s/i.test(headers.authorization ?? "");

/** A hash of whom the request says it is from: an API key at its address, or else a session. Null if from nobody. */
export function identityOf(asking: Asking): string | null {
  const { authorization, cookie } = asking.headers;
  const session = /(?:^|;\s*)(?:__Host-)?session=([^;]+)/.exec(cookie ?? "")?.[1];
  const identity = isByKey(asking) ? `${authorization} ${asking.address}` : session;
  return identity ? createHash("sha256").update(identity).digest("base64") : null;
}
