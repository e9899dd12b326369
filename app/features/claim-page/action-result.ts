export type TooSoon = { retryAt: string };

export type TypedHandoff = Record<"title" | "requestedFor" | "returnUrl" | "email", string>;

export type ClaimActionResult = {
  problem?: { code?: string; message: string; param?: string | undefined } | null;
  tooSoon?: TooSoon | null;
  /** The refused input of the form that shares the page; null for any other form. */
  shared?: TypedHandoff | null;
};
