import { DeedError } from "#app/core/errors.server.ts";
import { nameToProve } from "#app/core/names/prove-path.ts";
import { openClaim } from "#app/features/claims/claims.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { existingClaim } from "#app/features/domains/form-actions.server.ts";
import type { App } from "#app/http/app.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";

/**
 * Where a press that signed in leads. If it was asked for to prove a domain, as the sign-in page said, the same press
 * adds the domain and opens its claim, and leads there. What refuses that is left to the domain's page to say.
 */
export async function placeAfterSignIn(
  app: App,
  { account, callbackPath }: { account: { id: string }; callbackPath: string },
): Promise<string> {
  const name = nameToProve(callbackPath);
  if (name === null) return callbackPath;
  try {
    await consumeBudget(app, "api", account.id);
    const { domain } = await addDomain(app, account.id, name);
    if (domain.archived) return `/domains/${domain.id}?known`;
    const open = await openClaim(app, account.id, domain.id).then(
      ({ id }) => id,
      (thrown: unknown) => {
        const id = existingClaim(thrown);
        if (id === null) throw thrown;
        return id;
      },
    );
    return `/claims/${open}`;
  } catch (thrown) {
    if (thrown instanceof DeedError) return callbackPath;
    throw thrown;
  }
}
