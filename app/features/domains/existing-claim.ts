import { DeedError } from "#app/core/errors.server.ts";

/** The id of the open claim that kept another from being opened; null if something else was thrown. */
export function existingClaim(thrown: unknown): string | null {
  if (!(thrown instanceof DeedError) || thrown.code !== "already_claimed") return null;
  const claim = thrown.details.extra?.claim;
  return typeof claim === "object" && claim !== null && "id" in claim ? String(claim.id) : null;
}
