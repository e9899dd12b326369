import { useRouteLoaderData } from "@remix-run/react";

/** The signed-in account, as the frame shows it. */
export type Holder = { email: string; unread: number; isAdmin: boolean };

/** The account signed in on this browser; null for visitors, undefined on an error page that could not find out. */
export const useHolder = (): Holder | null | undefined =>
  useRouteLoaderData<{ holder: Holder | null }>("root")?.holder;
