import { callEndpoint } from "#app/api/dispatch.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { revokeLinks } from "#app/features/proofs/proofs.server.ts";
import { startWatch } from "#app/features/watching/api.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { archive, unarchive } from "./api.server.ts";
import { domainDeletionImpact, readListedDomain } from "./domains.server.ts";
import { ensureClaim } from "./form-actions.server.ts";

export const ACTS = ["prove", "watch", "revoke", "archive", "unarchive"] as const;
export type Act = (typeof ACTS)[number];
/** More than a page of the list has. */
const MOST = 50;

async function act(ctx: Context, request: Request, accountId: string, id: string, asked: Act) {
  if (asked === "prove") return ensureClaim(ctx, request, accountId, id);
  if (asked === "revoke") return revokeLinks(ctx, accountId, id);
  const params = { id };
  if (asked === "archive") return callEndpoint(archive, request, { params });
  if (asked === "unarchive") return callEndpoint(unarchive, request, { params });
  const { claimId, status } = await readListedDomain(ctx, accountId, id);
  if (claimId === null || status !== "proved")
    throw new DeedError("claim_not_proved", { message: "not proved, so it cannot be watched" });
  return callEndpoint(startWatch, request, { params: { id: claimId }, body: {} });
}

/** What a form of the list asks for the ticked domains: to confirm it first, or what became of each. Throws faults. */
export async function actOnSelected(
  ctx: Context,
  request: Request,
  accountId: string,
  form: URLSearchParams,
) {
  const asked = ACTS.find((one) => one === (form.get("act") ?? form.get("intent")));
  const ids = [...new Set(form.getAll("id"))].slice(0, MOST);
  if (!asked) throw new DeedError("invalid_request");
  if (ids.length === 0)
    throw new DeedError("invalid_request", { message: "Tick at least one domain." });
  const selected = ids.map((id) => domainDeletionImpact(ctx, accountId, id));
  const isAsked = form.get("intent") === "confirm" || !["archive", "revoke"].includes(asked);
  if (!isAsked) return { asked, selected, results: null };
  const results = [];
  for (const { domain } of selected) {
    const { id, name, unicodeName } = domain;
    const problem = await act(ctx, request, accountId, id, asked).then(
      () => null,
      (thrown) => problemOf(thrown).problem.message,
    );
    results.push({ id, name, unicodeName, problem });
  }
  return { asked, selected, results };
}
export type Selected = Awaited<ReturnType<typeof actOnSelected>>;
