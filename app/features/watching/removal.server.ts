import { createHash } from "node:crypto";
import type { Evidence, EvidenceSummary } from "@deed/dns/verdict/observation.ts";
import { newSlug } from "#app/core/ids.server.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import type { Tx } from "#db/client.ts";
import { watches } from "#db/schema.ts";
import { CONFIRM_MS } from "./watch-states.ts";

/** How long it is looked for the deletion of a record that nobody watches. */
export const REMOVAL_MS = 30 * DAY;

/** A claim's own time of the day, in milliseconds after midnight UTC: spread evenly over all claims. */
export const timeOfDay = (claimId: string): number =>
  Math.floor((createHash("sha256").update(claimId).digest().readUInt32BE() / 2 ** 32) * DAY);

/** The claim's first own time after `after`, epoch milliseconds. */
export function nextOwnTime(claimId: string, after: number): number {
  const today = Math.floor(after / DAY) * DAY + timeOfDay(claimId);
  return today > after ? today : today + DAY;
}

/** When to read after a read that began `at`: at the claim's own time, or when it can confirm what that read saw. */
export const nextReadAfter = (claimId: string, at: number, isUnconfirmed: boolean): number =>
  isUnconfirmed ? at + CONFIRM_MS : nextOwnTime(claimId, at);

/** The zone and the nameservers that a read found the record at. */
export const placeIn = (evidence: Pick<Evidence, "delegation"> | EvidenceSummary | null) => {
  if (evidence === null) return { zone: null, nameservers: [] };
  if (!("delegation" in evidence))
    return { zone: evidence.zone, nameservers: evidence.servers.map(({ host }) => host) };
  const { delegation } = evidence;
  return delegation.type === "delegated"
    ? { zone: delegation.zone, nameservers: delegation.nameservers }
    : { zone: null, nameservers: [] };
};

export function awaitRemoval(
  tx: Tx,
  proof: { claimId: string; provedAt: number; evidence: Parameters<typeof placeIn>[0] },
  now: number,
): void {
  const { claimId, provedAt, evidence } = proof;
  tx.insert(watches)
    .values({
      claimId,
      purpose: "removal",
      startedAt: now,
      seenAt: provedAt,
      told: [],
      ...placeIn(evidence),
      nextReadAt: nextOwnTime(claimId, now + HOUR),
      slug: newSlug(),
    })
    .run();
}
