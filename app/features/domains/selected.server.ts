import { and, eq, inArray } from "drizzle-orm";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { revokeLinks } from "#app/features/proofs/proofs.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { domains } from "#db/schema.ts";
import { domainEndpoints } from "./api.server.ts";
import { domainDeletionImpact, readListedDomain } from "./domains.server.ts";
import { ensureClaim } from "./form-actions.server.ts";
import type { Domain } from "./resources.ts";

export const ACTIONS = ["prove", "watch", "revoke", "archive", "unarchive"] as const;
export type Action = (typeof ACTIONS)[number];
/** The longest list, that of the domains that need action, has at most this many. */
const MAX_SELECTED = 400;

/** Reads a domain whose record can be watched, now or from its proof on. Throws claim_not_proved. */
async function readWatchable(ctx: Context, accountId: string, id: string) {
  const domain = await readListedDomain(ctx, accountId, id);
  if (domain.status === "proved" || domain.status === "pending") return domain;
  const message = "it has no proof or open claim, so it cannot be watched";
  throw new DeedError("claim_not_proved", { message });
}

/**
 * Handles the list's form about ticked domains: asks to confirm, or returns each result. `watch` has a domain watched.
 * Throws unexpected errors.
 */
export async function actOnSelected(
  ctx: Context,
  request: Request,
  accountId: string,
  form: URLSearchParams,
  watch: (domain: Domain) => Promise<unknown>,
) {
  const act = async (id: string, action: Action) => {
    if (action === "prove") return ensureClaim(ctx, request, accountId, id);
    if (action === "revoke") return revokeLinks(ctx, accountId, id);
    if (action === "watch") return watch(await readWatchable(ctx, accountId, id));
    return callEndpoint(domainEndpoints[`${action}Domain`], request, { params: { id } });
  };
  const action = ACTIONS.find((one) => one === (form.get("act") ?? form.get("intent")));
  const ids = [...new Set(form.getAll("id"))];
  if (!action) throw new DeedError("invalid_request");
  if (ids.length === 0)
    throw new DeedError("invalid_request", { message: "Tick at least one domain." });
  if (ids.length > MAX_SELECTED)
    throw new DeedError("invalid_request", { message: `Tick at most ${MAX_SELECTED} domains.` });
  const { id, name, unicodeName, reference } = domains;
  const isSelected = and(eq(domains.accountId, accountId), inArray(id, ids));
  const shown = { id, name, unicodeName, reference };
  const rows = ctx.db.select(shown).from(domains).where(isSelected).all();
  if (rows.length === 0) throw new DeedError("domain_not_found");
  const found = new Map(rows.map((row) => [row.id, row]));
  const isConfirmed = form.get("intent") === "confirm" || !["archive", "revoke"].includes(action);
  const toConfirm = isConfirmed ? [] : ids.flatMap((id) => found.get(id) ?? []);
  const selected = toConfirm.map(({ id }) => domainDeletionImpact(ctx, accountId, id));
  if (!isConfirmed) return { asked: action, selected, results: null };
  const results = [];
  for (const id of ids) {
    const problem = await act(id, action).then(
      () => null,
      (thrown) => problemOf(thrown).problem,
    );
    results.push({
      ...(found.get(id) ?? { id, name: id, unicodeName: id, reference: null }),
      problem,
    });
  }
  return { asked: action, selected, results };
}
export type SelectionResult = Awaited<ReturnType<typeof actOnSelected>>;
