import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { claimableName, dotlessWarning, guessName } from "#app/core/names/domain-name.ts";
import { PUBLIC_SUFFIX_WARNING } from "#app/core/names/warnings.ts";
import { lookUpZone } from "#app/features/zones/zones.server.ts";
import { domainByIdentity } from "./domain-rows.server.ts";

/** The longest that a person waits for a look-up, in milliseconds. */
export const MAX_WAIT_MS = 2_000;

/**
 * Says, before the record is shown, why a name probably cannot be proved. Null if nothing says so before `signal` aborts, or
 * if the account has the domain. `guess` is the domain that was probably meant. Throws invalid_domain.
 */
export async function nameWarning(
  ctx: Context,
  accountId: string,
  { domain, reference, keepWww }: { domain: string; reference: string; keepWww?: boolean },
  signal = AbortSignal.timeout(MAX_WAIT_MS),
) {
  const { challengeLabel } = ctx.settings;
  const { ascii, isPublicSuffix, registrable } = claimableName(domain, challengeLabel, keepWww);
  if (domainByIdentity(ctx.db).get({ accountId, name: ascii, reference })) return null;
  const warning = (says: string) => ({ says, guess: guessName(ascii) });
  const dotless = dotlessWarning(ascii);
  if (dotless) return warning(dotless);
  if (isPublicSuffix) return warning(PUBLIC_SUFFIX_WARNING);
  try {
    await lookUpZone(ctx, accountId, ascii, signal);
    return null;
  } catch (thrown) {
    if (thrown instanceof DeedError && thrown.code === "no_delegation")
      return warning(
        `The registry lists no nameservers for ${registrable ?? ascii}. The domain may not be registered or set up yet.`,
      );
    if (thrown instanceof DeedError || signal.aborted) return null;
    throw thrown;
  }
}
