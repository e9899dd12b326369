import { useRouteLoaderData } from "@remix-run/react";

/** Whose browser this is, as the frame shows it. */
export type Holder = { email: string; unread: number };

/** The account signed in here; null for a stranger. */
export const useHolder = (): Holder | null =>
  useRouteLoaderData<{ holder: Holder | null }>("root")?.holder ?? null;
