import type { Navigation } from "@remix-run/react";

export * from "@remix-run/react";

/** The navigation under way, known at once: `useNavigation` knows it a render later. Undefined before Remix has started. */
export const currentNavigation = (): Navigation | undefined =>
  globalThis.__remixRouter?.state.navigation;
