import { callEndpoint } from "#app/api/dispatch.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { claimEndpoints } from "#app/features/claims/api.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { domainEndpoints } from "./api.server.ts";
import { readListedDomain } from "./domains.server.ts";
import { MAX_WAIT_MS, nameWarning } from "./name-warning.server.ts";
import type { Domain } from "./resources.ts";
import { type AddedLine, type LineResult, refusedLine, WWW_REMOVED } from "./several-lines.ts";

/** Accepts an open claim instead of a new one, and throws any other error. */
export function ignoreOpen(thrown: unknown): void {
  if (!(thrown instanceof DeedError) || thrown.code !== "already_claimed") throw thrown;
}

/** Opens a claim unless one is open, watched like the domain. Throws domain_not_found, domain_archived, too_many_claims. */
export async function ensureClaim(ctx: Context, request: Request, accountId: string, id: string) {
  const { watch } = await readListedDomain(ctx, accountId, id);
  const body = { domainId: id, ...(watch && { watch: { every: watch.every } }) };
  await callEndpoint(claimEndpoints.createClaim, request, { body }).catch(ignoreOpen);
}

/** By `intent`, the form opens a claim, opens one even for a doubtful name ("sure"), or just adds the domain. */
type FormRequest = Record<"accountId" | "reference", string> & {
  intent: string | null;
  keepWww?: boolean;
};

/** Whether the domain's page shows more than a new claim: an archived domain, or a proof. */
export const isSettled = ({ archived, lastProvedAt }: Pick<Domain, "archived" | "lastProvedAt">) =>
  archived || lastProvedAt !== null;

export async function addLine(
  ctx: Context,
  request: Request,
  line: string,
  { accountId, reference, intent, keepWww }: FormRequest,
): Promise<AddedLine> {
  const { body: domain, status } = await callEndpoint(domainEndpoints.createDomain, request, {
    body: { domain: line, ...(reference && { reference }), keepWww },
  });
  const { id, name, unicodeName, archived } = domain;
  const isWwwRemoved = domain.normalisations.includes("www_removed");
  const wwwQuery = isWwwRemoved ? `?${WWW_REMOVED}` : "";
  const found = { name, unicodeName, isWwwRemoved, href: `/domains/${id}${wwwQuery}` };
  if (archived) return { outcome: "archived", ...found };
  if (intent === "add") return { outcome: status === 201 ? "added" : "known", ...found };
  if (isSettled(domain)) return { outcome: "proved", ...found };
  await ensureClaim(ctx, request, accountId, id);
  return { outcome: "claimed", ...found };
}

/** Makes the API's calls one after the other: one result for each domain and refused line. Throws unexpected errors. */
export async function addSeveral(
  ctx: Context,
  request: Request,
  lines: readonly string[],
  form: FormRequest,
): Promise<LineResult[]> {
  const deadline = AbortSignal.timeout(MAX_WAIT_MS);
  const warnings = lines.map((domain) =>
    form.intent === "claim"
      ? nameWarning(ctx, form.accountId, { domain, ...form }, deadline).catch(() => null)
      : null,
  );
  const results = new Map<string, LineResult>();
  for (const [index, line] of lines.entries()) {
    const warning = await warnings[index];
    const result = warning
      ? refusedLine(line, warning.says, true)
      : await addLine(ctx, request, line, form).catch((thrown) =>
          refusedLine(line, problemOf(thrown).problem.message),
        );
    const key = result.outcome === "refused" ? line : result.href.replace(/\?.*/, "");
    results.set(key, results.get(key) ?? result);
  }
  return [...results.values()];
}
