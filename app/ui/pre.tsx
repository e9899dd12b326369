import type { ReactNode } from "react";

/** Code that may be wider than its column: it scrolls sideways, by keyboard too. */
export const Pre = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
  <pre tabIndex={0}>{children}</pre>
);
