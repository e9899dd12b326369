import { callEndpoint } from "#app/api/dispatch.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { createClaim } from "#app/features/claims/api.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { createDomain } from "./api.server.ts";
import { type LineResult, refusedLine, WWW_REMOVED } from "./several-lines.ts";

/** The id of the open claim that kept another from being opened; null if something else was thrown. */
export function existingClaim(thrown: unknown): string | null {
  if (!(thrown instanceof DeedError) || thrown.code !== "already_claimed") return null;
  const claim = thrown.details.extra?.claim;
  return typeof claim === "object" && claim !== null && "id" in claim ? String(claim.id) : null;
}

/** Returns the new claim's id, or that of the open one. Throws domain_not_found, domain_archived, too_many_claims. */
export async function openOrFindClaim(request: Request, domainId: string): Promise<string> {
  try {
    return (await callEndpoint(createClaim, request, { body: { domainId } })).body.id;
  } catch (thrown) {
    const existing = existingClaim(thrown);
    if (existing === null) throw thrown;
    return existing;
  }
}

async function addLine(request: Request, line: string, isClaimed: boolean): Promise<LineResult> {
  const { body: domain, status } = await callEndpoint(createDomain, request, {
    body: { domain: line },
  });
  const { id, name, unicodeName, archived } = domain;
  const isWwwRemoved = domain.normalisations.includes("www_removed");
  const mark = isWwwRemoved ? `?${WWW_REMOVED}` : "";
  const found = { name, unicodeName, isWwwRemoved, href: `/domains/${id}${mark}` };
  if (archived) return { outcome: "archived", ...found };
  if (!isClaimed) return { outcome: status === 201 ? "added" : "known", ...found };
  const href = `/claims/${await openOrFindClaim(request, id)}${mark}`;
  return { ...found, outcome: "claimed", href };
}

/** As the calls of the API would, one after the other. A refused line does not stop the others. Throws faults. */
export async function addSeveral(
  request: Request,
  lines: readonly string[],
  isClaimed: boolean,
): Promise<LineResult[]> {
  const results: LineResult[] = [];
  for (const line of lines) {
    results.push(
      await addLine(request, line, isClaimed).catch((thrown) =>
        refusedLine(line, problemOf(thrown).problem.message),
      ),
    );
  }
  return results;
}
