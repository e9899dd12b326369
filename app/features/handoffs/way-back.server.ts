import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Settings } from "#app/core/context.server.ts";
import { DeedError, invalidField } from "#app/core/errors.server.ts";
import { withinRegistrable } from "#app/core/names/domain-name.ts";
import { isLoopbackHost } from "#app/ops/environment/formats.ts";
import type { Db, Tx } from "#db/client.ts";
import { claims, domains, watches } from "#db/schema.ts";

type Scope = { db: Db | Tx; settings: Settings };

/** A proof of one of these names that holds: its domain is not archived, and no watch has lost its record. */
const holdingProof = (db: Db | Tx, accountId: string, names: string[]) =>
  db
    .select({ claimId: claims.id })
    .from(domains)
    .innerJoin(claims, and(eq(claims.domainId, domains.id), eq(claims.state, "proved")))
    .leftJoin(watches, and(eq(watches.claimId, claims.id), eq(watches.purpose, "watch")))
    .where(
      and(
        eq(domains.accountId, accountId),
        inArray(domains.name, names),
        eq(domains.archived, false),
        or(isNull(watches.state), inArray(watches.state, ["published", "missing"])),
        sql`${watches.registry} is not 'registered_again'`,
      ),
    )
    .limit(1)
    .get();

/** Whether it is on this machine and the service has no https itself, as in a lab. */
const isOfLab = ({ baseUrl }: Settings, { hostname }: URL) =>
  baseUrl.startsWith("http:") && isLoopbackHost(hostname);

/** Hosts that the operator lists, this machine in a lab, and proved domains with all below them. */
export const mayLeadTo = ({ db, settings }: Scope, accountId: string, url: URL): boolean =>
  settings.backHosts.includes(url.hostname) ||
  isOfLab(settings, url) ||
  holdingProof(db, accountId, withinRegistrable(url.hostname)) !== undefined;

/** As browsers write it: https, or http in a lab. Throws invalid_request, and origin_not_registered for other hosts. */
export function returnUrlOf(scope: Scope, accountId: string, text: string): string {
  const url = URL.parse(text);
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isOfLab(scope.settings, url));
  if (!url || !isSafe || url.username + url.password !== "")
    throw invalidField("returnUrl", "is not an absolute https URL without a user name");
  if (!mayLeadTo(scope, accountId, url))
    throw new DeedError("origin_not_registered", {
      message: `This account has not proved ${url.hostname} or a domain above it. Prove it first.`,
    });
  return url.href;
}
