import type { Tone } from "./page.tsx";

/** What a route declares about its page in `export const handle`. */
export type PageHandle = {
  /** False for a page that works fully without script: no script tag is sent with it. */
  script?: boolean;
  /** True for a document read by visitors: no account navigation. */
  document?: boolean;
  /** True for a page with live data: it follows the account's stream, and must export `clientLoader`. */
  live?: boolean;
};

/** What a loader may set in the page's head, as `head` in its data. */
export type PageHead = {
  /** Shows the state in the tab's icon. */
  icon?: Tone;
  /** Seconds until a browser without script reloads the page. */
  refreshSeconds?: number;
};
