import { callEndpoint } from "#app/api/dispatch.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { createClaim } from "#app/features/claims/api.server.ts";

/** The id of the open claim that kept another from being opened; null if something else was thrown. */
export function existingClaim(thrown: unknown): string | null {
  if (!(thrown instanceof DeedError) || thrown.code !== "already_claimed") return null;
  const claim = thrown.details.extra?.claim;
  return typeof claim === "object" && claim !== null && "id" in claim ? String(claim.id) : null;
}

/**
 * Opens a claim on the domain, for form actions. Returns the new claim's id, or the id of the claim already open.
 * Throws domain_not_found, domain_archived, too_many_claims.
 */
export async function openOrFindClaim(request: Request, domainId: string): Promise<string> {
  try {
    return (await callEndpoint(createClaim, request, { body: { domainId } })).body.id;
  } catch (thrown) {
    const existing = existingClaim(thrown);
    if (existing === null) throw thrown;
    return existing;
  }
}
