import { and, eq, inArray, sql } from "drizzle-orm";
import type { Context, Settings } from "#app/core/context.server.ts";
import { DeedError, invalidField } from "#app/core/errors.server.ts";
import { withinRegistrable } from "#app/core/names/domain-name.ts";
import { isLoopbackHost } from "#app/environment/formats.ts";
import type { Db, Tx } from "#db/client.ts";
import { claims, domains, watches } from "#db/schema.ts";

type Scope = { db: Db | Tx; settings: Settings; test?: Context["test"] };

/**
 * Whether the account holds one of these names of one registrable domain: proved since the domain was last registered,
 * as far as a watch knows, and its record seen since a watch of any of the name's proofs lost it. Not if archived.
 */
function holdsOneOf(db: Db | Tx, accountId: string, names: string[]): boolean {
  const isOwn = and(eq(domains.accountId, accountId), inArray(domains.name, names));
  const found = db
    .select({
      provedAt: sql<number>`max(${claims.endedAt})`,
      seenAt: sql<number>`max(max(${claims.endedAt}, ifnull(${watches.seenAt}, 0)))`,
      lostAt: sql`max(${watches.missingSince}) filter (where ${inArray(watches.state, ["lapsed", "moved", "gone"])})`,
      registeredAt: sql`max(${watches.registeredAt}) filter (where ${watches.registry} = 'registered_again')`,
    })
    .from(domains)
    .innerJoin(claims, and(eq(claims.domainId, domains.id), eq(claims.state, "proved")))
    .leftJoin(watches, and(eq(watches.claimId, claims.id), eq(watches.purpose, "watch")))
    .where(and(isOwn, eq(domains.archived, false)))
    .groupBy(domains.name)
    .all();
  const registeredAt = Math.max(...found.map((name) => Number(name.registeredAt)));
  return found.some((name) => name.provedAt > registeredAt && name.seenAt > Number(name.lostAt));
}

/** Whether it is on this machine, in test mode or where the service has no https itself. */
const isOfLab = ({ settings: { baseUrl }, test }: Scope, { hostname }: URL) =>
  (test !== undefined || baseUrl.startsWith("http:")) && isLoopbackHost(hostname);

/** Hosts that the operator lists, this machine in a lab, and proved domains with all below them. */
export const mayLeadTo = (scope: Scope, accountId: string, url: URL): boolean =>
  scope.settings.backHosts.includes(url.hostname) ||
  isOfLab(scope, url) ||
  holdsOneOf(scope.db, accountId, withinRegistrable(url.hostname));

/** As browsers write it: https, or http in a lab. Throws invalid_request, and origin_not_registered for other hosts. */
export function returnUrlOf(scope: Scope, accountId: string, text: string): string {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isOfLab(scope, url));
  if (!url || !isSafe || url.username + url.password !== "")
    throw invalidField("returnUrl", "is not an absolute https URL without a user name");
  if (!mayLeadTo(scope, accountId, url))
    throw new DeedError("origin_not_registered", {
      message: `This account has not proved ${url.hostname} or a domain above it. Prove it first.`,
    });
  return url.href;
}
