import type { StateLabel } from "#app/ui/page.tsx";
import type { OpenState } from "../claims/open-state.server.ts";
import type { Claim } from "../claims/resources.ts";

const LABELS: Record<
  Exclude<Claim["state"], "pending"> | "unclaimed" | "lost" | OpenState,
  StateLabel
> = {
  unclaimed: { tone: "ended", word: "Not started" },
  proved: { tone: "proved", word: "Proved" },
  lost: { tone: "needs", word: "No longer holds" },
  expired: { tone: "ended", word: "Expired" },
  canceled: { tone: "ended", word: "Canceled" },
  waiting_for_record: { tone: "waiting", word: "Waiting for your record" },
  waiting_for_dns: { tone: "waiting", word: "Waiting for DNS" },
  needs_you: { tone: "needs", word: "Action needed" },
};

type State = Claim["state"] | "unclaimed" | "lost";

/** The state of a claim, or of a domain by its current claim, as at most five words and a tone. */
export const stateLabel = (state: State, open: OpenState | null) =>
  LABELS[state === "pending" ? (open ?? "waiting_for_record") : state];

export const lostOr = (state: State, domain: { holds: boolean; archived: boolean }) =>
  state === "proved" && !domain.holds && !domain.archived ? "lost" : state;
