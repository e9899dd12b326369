import { callEndpoint } from "#app/api/dispatch.server.ts";
import { createClaim } from "#app/features/claims/api.server.ts";
import { existingClaim } from "./existing-claim.ts";

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
