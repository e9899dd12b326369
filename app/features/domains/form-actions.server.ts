import { callEndpoint } from "#app/api/dispatch.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { createClaim } from "#app/features/claims/api.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { createDomain } from "./api.server.ts";
import { type LineResult, refusedLine, WWW_REMOVED } from "./several-lines.ts";

/** For a claim that is to be opened unless one is open. Throws what else kept it from that. */
export function unlessOpen(thrown: unknown): void {
  if (!(thrown instanceof DeedError) || thrown.code !== "already_claimed") throw thrown;
}

/** Opens a claim unless one is open. Throws domain_not_found, domain_archived, too_many_claims. */
export const ensureClaim = async (request: Request, domainId: string): Promise<void> => {
  await callEndpoint(createClaim, request, { body: { domainId } }).catch(unlessOpen);
};

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
  await ensureClaim(request, id);
  return { outcome: "claimed", ...found };
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
