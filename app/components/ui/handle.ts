import type { Tone } from "./state.tsx";

/** What a route says about its page by `export const handle`. */
export type PageHandle = {
  /** False for a page that is whole without a script: no script tag is sent with it. */
  script?: boolean;
  /** True for a page that is a document for a stranger: no navigation of the holder's. */
  document?: boolean;
  /** True for a page that shows what moves by itself: it follows the account's stream, and exports `clientLoader`. */
  live?: boolean;
};

/** What a loader may say about the page's head, as `head` in its data. */
export type PageHead = {
  /** Repeats the state in the tab's icon. */
  icon?: Tone;
  /** Seconds until a browser without script reads the page again. */
  refreshSeconds?: number;
};
