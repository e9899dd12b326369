import type { ShownRehearsal } from "#app/services/screens/rehearsal.server.ts";
import type { TooSoon } from "./check-now.tsx";

/** What was typed into the form that shares the page. */
export type TypedHandoff = { title: string; requestedFor: string; returnUrl: string };

/** The result of the last form submitted on the page. `typed` is the rehearsal's text; null for any other form. */
export type ClaimActionResult = {
  problem: { message: string } | null;
  typed: string | null;
  outcome: ShownRehearsal | null;
  tooSoon: TooSoon | null;
  /** What the form that shares the page was refused with; null for any other form. */
  shared: TypedHandoff | null;
};

export const NOTHING_SENT: ClaimActionResult = {
  problem: null,
  typed: null,
  outcome: null,
  tooSoon: null,
  shared: null,
};
