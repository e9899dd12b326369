export type TooSoon = { retryAt: string };

export type TypedHandoff = Record<"title" | "requestedFor" | "returnUrl" | "email", string>;

export type ClaimActionResult = {
  problem?: { code?: string; message: string; param?: string | undefined } | null;
  tooSoon?: TooSoon | null;
  /** What was typed into the form for a hand-off, if it was refused; null for any other form. */
  shared?: TypedHandoff | null;
};
