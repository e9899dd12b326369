export type TooSoon = { retryAt: string };

export type TypedHandoff = Record<"title" | "requestedFor" | "returnUrl" | "email", string>;

export type ClaimActionResult = {
  problem?: { code?: string; message: string; param?: string | undefined } | null;
  tooSoon?: TooSoon | null;
  /** What a form that shares the page was refused with; null for any other form. */
  shared?: TypedHandoff | null;
};
