import type { Evidence, EvidenceSummary } from "#app/dns/verdict/observation.ts";
import type { Tx } from "#db/client.ts";
import { preparedInsert } from "#db/queries.ts";
import { watches } from "#db/schema.ts";
import { newSlug } from "../ids.server.ts";
import { HOUR } from "../time.ts";
import { nextOwnTime } from "./watch-times.ts";

const insert = preparedInsert(
  watches,
  "claimId",
  "purpose",
  "startedAt",
  "seenAt",
  "told",
  "zone",
  "nameservers",
  "nextReadAt",
  "slug",
);

/** The zone and the nameservers that a read found the record at. */
export const placeIn = (
  evidence: Pick<Evidence, "delegation"> | EvidenceSummary | null,
): { zone: string | null; nameservers: string[] } => {
  if (evidence === null) return { zone: null, nameservers: [] };
  if (!("delegation" in evidence))
    return { zone: evidence.zone, nameservers: evidence.servers.map(({ host }) => host) };
  const { delegation } = evidence;
  return delegation.type === "delegated"
    ? { zone: delegation.zone, nameservers: delegation.nameservers }
    : { zone: null, nameservers: [] };
};

/** Has the record of a proof read until it is seen that it was deleted, as its holder now may. */
export function awaitRemoval(
  tx: Tx,
  proof: { claimId: string; provedAt: number; place: ReturnType<typeof placeIn> },
  now: number,
): void {
  const { claimId, provedAt, place } = proof;
  insert(tx)({
    claimId,
    purpose: "removal",
    startedAt: now,
    seenAt: provedAt,
    told: [],
    ...place,
    nextReadAt: nextOwnTime(claimId, now + HOUR),
    slug: newSlug(),
  });
}
