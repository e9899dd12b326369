import { redirect } from "@remix-run/node";
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
  accountId: string,
  callbackPath: string,
): Promise<string> {
  const name = nameToProve(callbackPath);
  if (name === null) return callbackPath;
  try {
    await consumeBudget(app, "api", accountId);
    const { domain } = await addDomain(app, accountId, name);
    if (domain.archived) return `/domains/${domain.id}?known`;
    const open = await openClaim(app, accountId, domain.id).then(
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

type SignedIn = { body: { account: { id: string }; callbackPath: string }; headers: Headers };

/** The answer to a form that signed in. */
export async function redirectAfterSignIn(app: App, { body, headers }: SignedIn) {
  const place = await placeAfterSignIn(app, body.account.id, body.callbackPath);
  return redirect(place, { status: 303, headers });
}
