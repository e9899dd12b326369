import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { Reference } from "#app/api/inputs.ts";
import { limitsFor } from "#app/core/accounts/accounts.server.ts";
import { iso } from "#app/core/time.ts";
import { countOpenClaims } from "#app/features/claims/claims.server.ts";
import { countDomains } from "#app/features/domains/domains.server.ts";
import { listKeys, MAX_KEYS } from "#app/features/keys/keys.server.ts";
import { countOthers, listPeople, MAX_OTHERS } from "#app/features/people/people.server.ts";
import { listWebhooks, MAX_WEBHOOKS } from "#app/features/webhooks/webhooks.server.ts";
import type { App } from "#app/http/app.server.ts";
import type { Caller } from "#app/http/caller/api-key.server.ts";
import { accountLimitOf, type Budget } from "#app/http/limits.server.ts";
import { Limit } from "./resources.ts";

/** Lists an account's limits, and with `reference` those of its checks. */
export function limitsOf(app: App, caller: Caller, reference?: string): Limit[] {
  const { accountId } = caller;
  // In test mode, the key's budget and the list of keys still come from the real app.
  const realApp = (app.test?.real ?? app) as App;
  const accountLimits = limitsFor(app.db, accountId);
  const limit = (budget: string, counts: string, used: number, most: number, mayRaise = false) => ({
    ...{ budget, counts, most, seconds: null, used, left: Math.max(0, most - used) },
    ...{ resetsAt: null, raisedBy: mayRaise ? ("operator" as const) : null },
  });
  const rates = (budget: Budget, counts: string, key: string, { limiter } = app): Limit[] =>
    limiter.left(budget, key, accountLimits).map(({ count, seconds, remaining, resetMs }) => ({
      ...{ budget, counts, most: count, seconds, used: count - remaining, left: remaining },
      resetsAt: remaining === count ? null : iso(app.clock() + Math.ceil(resetMs)),
      raisedBy: accountLimitOf(budget) ? "operator" : null,
    }));
  const otherCount = countOthers(listPeople(app, caller));
  const webhookCount = listWebhooks(app, accountId).length;
  const { openClaims, domains } = { ...app.settings, ...accountLimits };
  const openCount = countOpenClaims(app, app.db, accountId);
  const domainCount = countDomains(app.db, accountId);
  return [
    limit("openClaims", "Open claims", openCount, openClaims, true),
    limit("domains", "Domains, including archived ones", domainCount, domains, true),
    ...rates("runsAccount", "Requested checks", accountId),
    ...(reference
      ? rates("runsReference", "Requested checks for this reference", `${accountId} ${reference}`)
      : []),
    ...rates("additions", "Things added or changed", accountId),
    ...("keyId" in caller
      ? rates("key", "Calls with this key", caller.keyId, realApp)
      : rates("api", "Pages and calls when signed in", accountId)),
    ...rates("handoffMails", "Hand-off emails", accountId),
    limit("webhooks", "Webhooks", webhookCount, MAX_WEBHOOKS),
    limit("keys", "API keys", listKeys(realApp, accountId).length, MAX_KEYS),
    limit("people", "People and invitations besides the first address", otherCount, MAX_OTHERS),
  ];
}

export const limitEndpoints = {
  browseLimits: defineEndpoint("GET /api/limits", {
    group: "Account",
    summary: "List the account's limits",
    description:
      "Each limit with what is used and what is left. A 409 or 429 names its limit in `error.budget`. Limits for each claim or client address, of event streams, new keys and public reads are named there too, but not listed here. With `reference`, the checks of that reference are listed too. If the operator gave the account more checks than one reference has, no customer can use up the checks of another.",
    session: true,
    byKey: "domains:read",
    query: z.strictObject({ reference: Reference.optional() }),
    response: { 200: z.strictObject({ limits: z.array(Limit) }) },
    handler: ({ app, caller, query }) => ({ limits: limitsOf(app, caller, query.reference) }),
  }),
};
