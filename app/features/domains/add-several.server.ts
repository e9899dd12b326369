import { callEndpoint } from "#app/api/dispatch.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { createDomain } from "./api.server.ts";
import { openOrFindClaim } from "./open-or-find-claim.server.ts";
import { type LineResult, refusedLine, WWW_REMOVED } from "./several-lines.ts";

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

/**
 * Adds each line to the list, and opens a claim on it if `isClaimed`, as the calls of the API would, one after the
 * other: each line has its own transactions, budgets and limits. A refused line does not stop the others. Throws the
 * error page of a fault.
 */
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
