import { createHash } from "node:crypto";

/** Replaces values that differ between recordings: the first value of a kind gets the first fixed one, and so on. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const BEGUN = Date.UTC(2026, 10, 2, 9);
const [STEP, MINUTE, HOUR, DAY] = [30_000, 60_000, 3_600_000, 86_400_000];
const D = "[0-9a-hjkmnp-tv-z]";

/** In this order: an earlier kind may contain text like a later kind's. */
const KINDS = {
  origin: "https?(?:://|%3A%2F%2F)(?:localhost|127[.]0[.]0[.]1)(?::|%3A)\\d+",
  key: `deed_(?:key|test)_${D}{25}_[0-9a-z]{39,40}`,
  secret: "whsec_[A-Za-z0-9+/]{43}=",
  id: `\\b(?:acc|ses|per|inv|dom|clm|ver|att|ntc|key|test|whk|msg|dlv)_${D}{25}\\b`,
  time: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.]\\d{3}Z",
  token: "service_v1_[0-9a-f]{40}",
  slug: `\\b(?:test_)?${D}{26}\\b`,
  address: "127[.]0[.]\\d+[.]\\d+(?::\\d+)?",
  version: "\\b\\d+[.]\\d+[.]\\d+-dev(?:[.]\\d+)?[+][0-9a-f]{10}(?:[.]changed)?",
  opaque: '(?!\\w+\\\\?":)(?=[^ ]*[a-z])(?=[^ ]*[A-Z])[\\w+-]{22,}(?:[/][\\w+/-]*)?={0,2}',
};
type Kind = keyof typeof KINDS;
const PATTERN = new RegExp(
  Object.entries(KINDS)
    .map(([kind, source]) => `(?<${kind}>${source})`)
    .join("|"),
  "g",
);

const LONGEST = 64;
const LIST = 3;

/**
 * How a test key's clock moved (from, to), and the watch's time of day, which differs for each claim; null for a registry's
 * answer, which comes at another time.
 */
type Moved = { from: number; to: number; phase: number | null };

export class Stable {
  readonly #starts: readonly number[];
  readonly #origins: Map<string, string>;
  readonly #seen = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #at = 0;
  #moved: Moved | null = null;

  /** `starts`: when each exchange began, ascending. `origins`: names in the examples for this machine's origins. */
  constructor(starts: readonly number[], origins: Map<string, string>) {
    this.#starts = starts;
    this.#origins = origins;
  }

  /** The stable form of a value in the exchange that began at `at`. */
  of<T>(value: T, at: number, moved: Moved | null = null): T {
    this.#at = at;
    this.#moved = moved;
    return this.#json(value as Json) as T;
  }

  #json(value: Json): Json {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.slice(0, LIST).map((one) => this.#json(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.#member(name, one)]),
    );
  }

  /** Durations, past and future, differ too. */
  #member(name: string, value: Json): Json {
    if (typeof value === "string" && /^registry/.test(name) && Date.parse(value))
      return this.#time(Date.parse(value), true);
    if (typeof value !== "number") return this.#json(value);
    if (/Ms$/.test(name)) return 12;
    if (value > BEGUN / 2) return Date.parse(this.#time(value));
    if (/seconds(?:Remaining)?$/i.test(name) && value > 5) return Math.round(value / 60) * 60 || 10;
    return value;
  }

  #text(text: string): string {
    return text.replace(PATTERN, (found: string, ...rest: unknown[]) => {
      const groups = rest.at(-1) as Record<Kind, string | undefined>;
      const kind = (Object.keys(KINDS) as Kind[]).find((one) => groups[one] !== undefined);
      const known = this.#seen.get(found);
      if (known !== undefined || !kind) return known ?? found;
      const made = this.#make(kind, found);
      this.#seen.set(found, made);
      return made;
    });
  }

  #make(kind: Kind, found: string): string {
    if (kind === "version") return found.replace(/-.*/, "");
    if (kind === "time") return this.#time(Date.parse(found));
    if (kind === "origin") {
      const own = this.#origins.get(decodeURIComponent(found)) ?? "https://elsewhere.example";
      return found.includes("%") ? encodeURIComponent(own) : own;
    }
    const prefix =
      /^(?:deed_|whsec_|service_v1_|test_|[a-z]{3,4}_(?=[0-9a-z]{25}$)|eyJ)?/.exec(found)?.[0] ??
      "";
    const count = (this.#counts.get(kind + prefix) ?? 0) + 1;
    this.#counts.set(kind + prefix, count);
    if (kind === "address") return `192.0.2.${count}`;
    if (kind === "secret") return `whsec_${"x".repeat(43)}=`;
    const bytes = createHash("sha512").update(`${kind} ${prefix} ${count}`).digest();
    const digits = (length: number) =>
      [...bytes.subarray(0, length)].map((byte) => DIGITS[byte % 32]).join("");
    if (kind === "key") return found.replace(/_[^_]{25}_.*/, `_${digits(25)}_${"x".repeat(39)}`);
    if (kind === "token") return prefix + bytes.toString("hex").slice(0, 40);
    if (kind === "id" || kind === "slug") return prefix + digits(found.length - prefix.length);
    const text = prefix + bytes.toString("base64url");
    return found.length > LONGEST ? `${text.slice(0, 24)}…` : text.slice(0, found.length);
  }

  /** Each exchange takes half a minute; future times keep roughly their distance. */
  #time(time: number, isOfRegistry = false): string {
    const moved = this.#moved;
    const from = moved?.from ?? this.#at;
    const nth = this.#starts.findLastIndex((start) => start <= Math.min(time, from));
    const begun = BEGUN + STEP * Math.max(0, nth);
    const ahead = Math.max(0, time - from);
    const daysTo = (at: number) => Math.floor((at - from) / DAY) * DAY;
    const inHours = (span: number) => Math.round(span / HOUR) * HOUR;
    const inMinutes = Math.round(ahead / MINUTE) * MINUTE || (ahead > 5_000 ? 10_000 : 0);
    if (!moved || ahead < 2 * MINUTE)
      return new Date(begun + (ahead > HOUR ? inHours(ahead) : inMinutes)).toISOString();
    const { to, phase } = moved;
    // When a registry answers does not matter: take the clock's time.
    const told = isOfRegistry || (phase === null && Math.abs(to - time) < 2 * DAY) ? to : time;
    const kept = phase === null ? daysTo(told) : inHours(told - from - phase);
    return new Date(begun + kept).toISOString();
  }
}
