import type { Block } from "./mail-layout.ts";

export const paragraph = (text: string): Block => ({ type: "paragraph", text });
export const link = (label: string, url: string): Block => ({ type: "link", label, url });

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** "12 March 2026 at 14:03 UTC" */
export function formatTime(at: number): string {
  const date = new Date(at);
  const time = date.toISOString().slice(11, 16);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} at ${time} UTC`;
}
