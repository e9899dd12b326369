import { PANELS } from "#app/dns/copy/providers.ts";
import type { Provider } from "#app/dns/verdict/diagnosis.ts";
import { canonical, isWithin } from "../names.ts";
import { textStrings } from "../records.ts";

/** What a DNS host's panel calls its fields, and what it makes of what is typed into them. */
export type Habit = {
  title: string;
  labels: { type: string; name: string; value: string };
  nameHint: string;
  /** When the zone's name is added behind what was typed. */
  appends: Appends;
  /** Whether quotation marks around a value are part of it, or only hold its strings together. */
  quotes: "kept" | "delimiters";
};

type Appends = "always" | "unless it is there" | "unless a dot ends it";

const NAME_HINTS: Record<Appends, string> = {
  always: "The part before the domain; @ for the domain itself.",
  "unless it is there": "Use @ for root.",
  "unless a dot ends it": "As in a zone file: relative, unless a dot ends it; @ for the zone.",
};

/** The panel of a DNS host as the service knows it; of a host nobody knows, an editor of zone files. */
export function habitOf(provider: Provider): Habit {
  const panel = PANELS[provider];
  const isKnown = provider !== "other";
  const appends = isKnown
    ? panel.takesFullName
      ? "unless it is there"
      : "always"
    : "unless a dot ends it";
  return {
    title: isKnown ? panel.title : "Zone file editor",
    labels: { type: panel.type, name: isKnown ? panel.host : "Name", value: panel.value },
    nameHint: NAME_HINTS[appends],
    appends,
    quotes: panel.readsQuotes || !isKnown ? "delimiters" : "kept",
  };
}

/** The owner name that typing `typed` gives in a zone's panel. */
export function ownerName(habit: Habit, typed: string, zone: string): string {
  const text = typed.trim();
  const name = canonical(text);
  if (name === "" || name === "@") return zone;
  if (habit.appends === "unless a dot ends it" && text.endsWith(".")) return name;
  if (habit.appends === "unless it is there" && isWithin(name, zone)) return name;
  return `${name}.${zone}`;
}

/** What to type for an owner name: the inverse of `ownerName` for the names of the zone. */
export const typedName = (owner: string, zone: string): string =>
  owner === zone ? "@" : owner.slice(0, owner.length - zone.length - 1);

/** The strings of the TXT record that typing `typed` gives. */
export function typedText(habit: Habit, typed: string): string[] {
  const quoted = /^\s*"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*\s*$/s.test(typed);
  if (habit.quotes === "kept" || !quoted) return textStrings(typed);
  const parts = typed.match(/"(?:[^"\\]|\\.)*"/gs) ?? [];
  return parts.flatMap((part) => textStrings(part.slice(1, -1).replace(/\\(.)/gs, "$1")));
}

/** How such a panel shows the strings of a TXT record for editing. */
export const shownText = (habit: Habit, strings: string[]): string =>
  habit.quotes === "kept"
    ? strings.join("")
    : strings.map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`).join(" ");
