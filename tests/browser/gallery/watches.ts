import { eq } from "drizzle-orm";
import { claimPath } from "#app/core/names/prove-path.ts";
import { publishProof } from "#app/features/proofs/proofs.server.ts";
import { watchClaim } from "#app/features/watching/watches.server.ts";
import { watches } from "#db/schema.ts";
import { absent, found, type Observe } from "./observations.ts";
import { DAY, HOUR, MINUTE, type Simulation } from "./simulation.ts";

const here = found("godaddy");
const deleted = absent("godaddy");

/** What is in place of each record, and for how many days until now. */
const SEEN: Record<string, { instead: Observe; days: number; watched: boolean }> = {
  published: { instead: here, days: 0, watched: true },
  missing: { instead: deleted, days: 2, watched: true },
  lapsed: { instead: deleted, days: 9, watched: true },
  moved: { instead: absent("cloudflare"), days: 2, watched: true },
  again: { instead: absent("cloudflare"), days: 11, watched: true },
  undated: { instead: here, days: 0, watched: true },
  unasked: { instead: here, days: 0, watched: true },
  deleted: { instead: deleted, days: 2, watched: false },
  needed: { instead: here, days: 0, watched: false },
};

/** Watched and unwatched proofs. No other claim may be open meanwhile, because its reads come first. */
export async function seedWatches(
  simulation: Simulation,
  accountId: string,
  now: number,
): Promise<Record<string, string>> {
  const { ctx } = simulation;
  const began = now - 14 * DAY;
  const paths: Record<string, string> = {};
  for (const [state, { watched }] of Object.entries(SEEN)) {
    const claim = await simulation.claim(accountId, `${state}.example`, began);
    await simulation.read(claim, here, began + HOUR);
    if (watched) await watchClaim(ctx, accountId, claim.id);
    paths[`watch_${state}`] = claimPath(claim.domainId, claim.id);
    const { url } = await publishProof(ctx, accountId, claim.id);
    paths[`watch_${state}_proof`] = new URL(url).pathname;
    const { slug } = ctx.db.select().from(watches).where(eq(watches.claimId, claim.id)).get() ?? {};
    paths[`watch_${state}_stop`] = `/w/${slug}`;
  }
  const see: Observe = (question, at) => {
    const { instead = here, days = 0 } = SEEN[question.domain.split(".")[0] ?? ""] ?? {};
    return at < now - days * DAY ? here(question, at) : instead(question, at);
  };
  const longAgo = () => Date.UTC(2019, 2, 4);
  simulation.registered = {
    "published.example": longAgo,
    "missing.example": longAgo,
    "moved.example": longAgo,
    "undated.example": () => null,
    "again.example": (at) => (at < now - 10 * DAY ? longAgo() : now - 10 * DAY),
  };
  await simulation.readWatched(see, began + 2 * HOUR, now);
  for (const reference of [undefined, "cust_42"]) {
    const claim = await simulation.claim(accountId, "needed.example", now - 20 * MINUTE, reference);
    await simulation.read(claim, deleted, now);
  }
  return paths;
}
