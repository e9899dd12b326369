import { capitalised, type StateLabel } from "#app/ui/page.tsx";
import type { OpenState } from "../claims/open-state.server.ts";
import type { Claim } from "../claims/resources.ts";

const LABELS: Record<Exclude<Claim["state"], "pending"> | "unclaimed" | OpenState, StateLabel> = {
  unclaimed: { tone: "ended", word: "Not started" },
  proved: { tone: "proved", word: "Proved" },
  expired: { tone: "ended", word: "Expired" },
  canceled: { tone: "ended", word: "Canceled" },
  waiting_for_record: { tone: "waiting", mark: "needs", word: "Waiting for your record" },
  waiting_for_dns: { tone: "waiting", word: "Waiting for DNS" },
  confirming: { tone: "waiting", word: "Confirming" },
  needs_you: { tone: "needs", word: "Action needed" },
};

/** Labels the state of a claim, or of a domain by its current claim. `trouble` is what is wrong with the proof. */
export const stateLabel = (
  state: Claim["state"] | "unclaimed",
  open: OpenState | null,
  trouble: StateLabel | null = null,
): StateLabel =>
  state === "proved" && trouble
    ? { tone: trouble.tone, word: capitalised(trouble.word) }
    : LABELS[state === "pending" ? (open ?? "waiting_for_record") : state];
