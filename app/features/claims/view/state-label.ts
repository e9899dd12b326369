import type { StateLabel } from "#app/ui/page.tsx";
import type { OpenState } from "../open-state.server.ts";
import type { Claim } from "../resources.ts";

const LABELS: Record<Exclude<Claim["state"], "pending"> | "unclaimed" | OpenState, StateLabel> = {
  unclaimed: { tone: "ended", word: "not proved yet" },
  proved: { tone: "proved", word: "proved" },
  expired: { tone: "ended", word: "expired" },
  canceled: { tone: "ended", word: "canceled" },
  waiting_for_record: { tone: "waiting", word: "waiting for your record" },
  waiting_for_dns: { tone: "waiting", word: "waiting for DNS" },
  needs_you: { tone: "needs", word: "Action needed" },
};

/** The state of a claim, or of a domain by its current claim, as at most five words and a tone. */
export const stateLabel = (state: Claim["state"] | "unclaimed", open: OpenState | null) =>
  LABELS[state === "pending" ? (open ?? "waiting_for_record") : state];
