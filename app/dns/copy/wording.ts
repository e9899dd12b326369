/** Joins items into a list: "a, b and c"; counts those beyond `most`. */
export function joinList(items: readonly string[], most = 4): string {
  const named = items.slice(0, most);
  const rest = items.length - named.length;
  const parts = rest > 0 ? [...named, `${rest} more`] : named;
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** Formats the day of an ISO timestamp: "12 March 2026", UTC. */
export function dateInWords(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** Formats seconds for people, rounded up: "40 seconds", "4 minutes", "1 hour", "3 days". */
export function durationInWords(seconds: number): string {
  if (seconds <= 0) return "a moment";
  if (seconds < 60) return counted(Math.ceil(seconds), "second");
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return minutes === 60 ? "1 hour" : counted(minutes, "minute");
  const hours = Math.ceil(seconds / 3600);
  return hours < 48 ? counted(hours, "hour") : counted(Math.ceil(seconds / 86_400), "day");
}
