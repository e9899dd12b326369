import { useRouteLoaderData } from "@remix-run/react";

/** The signed-in account, as the frame shows it. */
export type Holder = { email: string; unread: number; isAdmin: boolean };

/** The account signed in on this browser; null for visitors. */
export const useHolder = (): Holder | null =>
  useRouteLoaderData<{ holder: Holder | null }>("root")?.holder ?? null;
