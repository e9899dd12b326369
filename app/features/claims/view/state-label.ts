import type { OpenState } from "#app/features/claims/open-state.server.ts";
import type { Claim } from "#app/features/claims/resources.ts";
import type { StateLabel } from "#app/ui/page.tsx";

const ENDED: Record<Exclude<Claim["state"], "pending">, StateLabel> = {
  proved: { tone: "proved", word: "proved" },
  expired: { tone: "ended", word: "expired" },
  canceled: { tone: "ended", word: "canceled" },
};

const OPEN: Record<OpenState, StateLabel> = {
  waiting_for_record: { tone: "waiting", word: "waiting for your record" },
  waiting_for_dns: { tone: "waiting", word: "waiting for DNS" },
  needs_you: { tone: "needs", word: "needs you" },
};

/** The state of a claim, or of a domain by its current claim, as at most five words and a tone. */
export function stateLabel(
  state: Claim["state"] | "unclaimed",
  open: OpenState | null,
): StateLabel {
  if (state === "unclaimed") return { tone: "ended", word: "not proved yet" };
  if (state !== "pending") return ENDED[state];
  return OPEN[open ?? "waiting_for_record"];
}
