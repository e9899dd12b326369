import { createHash } from "node:crypto";
import { DAY } from "../time.ts";
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
