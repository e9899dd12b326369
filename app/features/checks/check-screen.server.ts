import type { RecordQuery } from "@deed/dns/library/check-question.ts";
import type { Context } from "#app/core/context.server.ts";
import { iso } from "#app/core/time.ts";
import { recordPath } from "#app/features/zones/record-path.ts";
import type { Tone } from "#app/ui/page.tsx";
import { providerLabels } from "../claim-page/record-texts.ts";

export type CheckScreen = Awaited<ReturnType<typeof checkScreen>>;

/** Returns everything that the page shows about a check. Throws unresolvable, rate_limited. */
export async function checkScreen(
  ctx: Context,
  query: RecordQuery,
  client: string,
  signal: AbortSignal,
) {
  const check = await ctx.checks.read(query, client, signal);
  const { name, type, value, code, cause, fix, diagnosis, wait, where } = check;
  const { label, domain } = query;
  const { name: zone = null, provider = "other" } = check.zone ?? {};
  // A diagnosis's comparison is only right for a TXT record at the name itself.
  const isComparable = diagnosis !== null && code === diagnosis.code && type === "TXT";
  const isFound = check.outcome === "found";
  const isClaimantsTurn = check.awaits === "claimant";
  const tone: Tone = isFound ? "proved" : isClaimantsTurn ? "needs" : "waiting";
  return {
    ...{ record: { name, type, value }, code, cause, fix, pastes: check.pastes },
    // The comparison of a diagnosis lists all values.
    ...{ nearest: check.nearest, others: check.nearest ? check.others : 0, vendor: check.vendor },
    ...{ isFound, isClaimantsTurn, tone, headline: check.headline },
    diagnosis: isComparable ? { ...diagnosis, cause: cause ?? "", fix: fix ?? "" } : null,
    until: wait && iso(wait.until),
    path: recordPath(where, diagnosis, ctx.settings.witnesses),
    labels: providerLabels({ label, domain, zone, token: value, provider }),
    at: iso(where.at + where.durationMs),
    now: iso(ctx.clock()),
  };
}
