import type { Claim } from "../claims/resources.ts";
import type { Watch } from "../claims/watch.ts";

type Fields = { state: Claim["state"]; watchProof: boolean };

function adviceOn({ state, watchProof }: Fields, watch: Watch["state"] | null, isGone: boolean) {
  if (state === "pending" && watchProof)
    return "Keep the TXT record after the proof: Deed then checks it every day.";
  if (state === "pending") return "You can delete the TXT record after the proof.";
  if (state !== "proved")
    return "This claim’s value is no longer accepted: you can delete its TXT record, if there is one.";
  if (watch === "published") return "Keep the TXT record: Deed checks it every day.";
  if (watch === "registered_again")
    return "The TXT record no longer counts: the domain was registered after the proof.";
  if (watch) return "The TXT record should be there: Deed checks it every day.";
  if (isGone) return "The TXT record was deleted, and is no longer needed.";
  return "You can delete the TXT record now.";
}

/**
 * Says whether a claim's record may be removed, in the only words for it on pages and in mails. `watch` is the state of a
 * watched proof; `isGone` says that the record was deleted, `hasOthers` that other claims need values at its name.
 */
export const recordAdvice = (hasOthers: boolean, ...facts: Parameters<typeof adviceOn>): string =>
  adviceOn(...facts) +
  (hasOthers ? " Keep the other values at its name: they are still needed." : "");

export const adviceForReaders = (isWatched: boolean): string =>
  isWatched
    ? "Deed checks the record every day, and this page says what it saw."
    : "The record is no longer needed, and may have been deleted since.";
