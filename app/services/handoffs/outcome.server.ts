import type { Context } from "../context.server.ts";
import { randomDigits } from "../ids.server.ts";
import { publishedSigner } from "../receipts/keys.server.ts";
import { signJws } from "../receipts/signer.server.ts";
import { SECOND } from "../time.ts";

export const OUTCOME_TYPE = "deed-outcome+jwt";
/** The query parameter in which a way back carries the outcome. */
export const OUTCOME_PARAMETER = "deed_outcome";
/** How long an outcome may be taken for new, in seconds. */
export const OUTCOME_SECONDS = 300;
const ID_DIGITS = 26;

/** What became of a hand-off's claim. "pending": its visitor left before it ended. */
export type Outcome = "proved" | "expired" | "canceled" | "pending";

/** `name`: ASCII. `reference`: the account's own of the domain, empty for none. */
type Told = { name: string; reference: string; claimId: string; outcome: Outcome };

/**
 * A return URL with a signed outcome in its query, before its fragment: a compact JWS by the installation's key, for the
 * URL's origin alone, valid from now on for OUTCOME_SECONDS. Its `state` is that of the URL's own query.
 */
export function withOutcome(
  ctx: Context,
  returnUrl: URL,
  { name, reference, claimId, outcome }: Told,
): string {
  const iat = Math.floor(ctx.clock() / SECOND);
  const jws = signJws(publishedSigner(ctx), OUTCOME_TYPE, {
    iss: ctx.settings.baseUrl,
    aud: returnUrl.origin,
    sub: name,
    claim: claimId,
    reference: reference === "" ? null : reference,
    outcome,
    state: returnUrl.searchParams.get("state"),
    iat,
    exp: iat + OUTCOME_SECONDS,
    jti: randomDigits(ID_DIGITS),
  });
  const back = new URL(returnUrl);
  const { search } = back;
  back.search = `${search === "" ? "?" : `${search}&`}${OUTCOME_PARAMETER}=${jws}`;
  return back.href;
}
