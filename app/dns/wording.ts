/** Items as a sentence lists them: "a, b and c"; what is beyond `most` is counted. */
export function listed(items: readonly string[], most = 4): string {
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

/** The day of an ISO timestamp: "12 March 2026", UTC. */
export function spokenDate(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

const units: readonly [seconds: number, one: string, many: string][] = [
  [86_400, "day", "days"],
  [3600, "hour", "hours"],
  [60, "minute", "minutes"],
  [1, "second", "seconds"],
];

/** Seconds in the largest unit that fits, rounded up: "4 minutes", "2 hours". */
export function spokenDuration(seconds: number): string {
  for (const [size, one, many] of units) {
    // Rounding up may fill the next larger unit: 3,570 seconds are an hour.
    const count = Math.ceil(seconds / size);
    if (seconds >= size) return count === 1 ? `1 ${one}` : `${count} ${many}`;
  }
  return "a moment";
}
