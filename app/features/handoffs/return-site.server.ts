import { and, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, invalidField } from "#app/core/errors.server.ts";
import { withinRegistrable } from "#app/core/names/domain-name.ts";
import type { Settings } from "#app/core/settings.server.ts";
import { isLoopbackHost } from "#app/environment/formats.ts";
import type { Db, Tx } from "#db/client.ts";
import { domains } from "#db/schema.ts";

type Scope = { db: Db | Tx; settings: Settings; test?: Context["test"] };

/** Whether a domain of the account with one of these names holds, and was proved after its last registration. */
function holdsOneOf(db: Db | Tx, accountId: string, names: string[]): boolean {
  const found = db
    .select({
      holds: domains.holds,
      provedAt: domains.lastProvedAt,
      isAgain: sql<number>`${domains.loss} is 'registered_again'`,
      registeredAt: sql<
        number | null
      >`(select max(registered_at) from watches join claims on claims.id = claim_id
        where domain_id = domains.id and registry = 'registered_again')`,
    })
    .from(domains)
    .where(and(eq(domains.accountId, accountId), inArray(domains.name, names)))
    .all();
  const dates = found.map((one) => (one.isAgain ? (one.registeredAt ?? Number.MAX_VALUE) : 0));
  return found.some(({ holds, provedAt }) => holds && Number(provedAt) > Math.max(...dates));
}

/** Whether the host is this machine, in test mode or if the service itself has no https. */
const isLocal = ({ settings: { baseUrl }, test }: Scope, { hostname }: URL) =>
  (test !== undefined || baseUrl.startsWith("http:")) && isLoopbackHost(hostname);

/** Allows hosts in the operator's list, this machine in a lab, and proved domains with all names below them. */
export const mayReturnTo = (scope: Scope, accountId: string, url: URL): boolean =>
  scope.settings.backHosts.includes(url.hostname) ||
  isLocal(scope, url) ||
  holdsOneOf(scope.db, accountId, withinRegistrable(url.hostname));

/** Returns a URL as browsers write it: https, or http in a lab. Throws invalid_request, origin_not_registered. */
export function returnUrlOf(scope: Scope, accountId: string, text: string, field = "returnUrl") {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal(scope, url));
  if (!url || !isSafe || url.username + url.password !== "")
    throw invalidField(field, "must be an absolute https URL without a user name or password");
  if (!mayReturnTo(scope, accountId, url))
    throw new DeedError("origin_not_registered", {
      message: `This account has not proved ${url.hostname} or a domain above it. Prove it first.`,
    });
  return url.href;
}
