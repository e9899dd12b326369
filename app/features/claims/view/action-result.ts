/** A check that was asked for too soon after the last: when the next one may be, as an instant. */
export type TooSoon = { retryAt: string };

/** What was typed into the form that shares the page. */
export type TypedHandoff = { title: string; requestedFor: string; returnUrl: string };

/** The result of the last form submitted on the page. */
export type ClaimActionResult = {
  problem: { message: string } | null;
  tooSoon: TooSoon | null;
  /** What the form that shares the page was refused with; null for any other form. */
  shared: TypedHandoff | null;
};

export const NOTHING_SENT: ClaimActionResult = { problem: null, tooSoon: null, shared: null };
