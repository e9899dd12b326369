import type { Provider } from "@deed/dns/names.ts";
import { PANELS } from "@deed/dns/words/providers.ts";
import { canonical, isWithin } from "../names.ts";
import { textStrings } from "../records.ts";

/** How a DNS host's panel labels its fields and interprets what is typed into them. */
export type Habit = {
  title: string;
  labels: { type: string; name: string; value: string };
  nameHint: string;
  /** When the panel appends the zone's name to the typed name. */
  appends: Appends;
  /** Whether quotation marks around a value are part of it or only delimit its strings. */
  quotes: "kept" | "delimiters";
};

type Appends = "always" | "unless it is there" | "unless a dot ends it";

const NAME_HINTS: Record<Appends, string> = {
  always: "The part before the domain; @ for the domain itself.",
  "unless it is there": "Use @ for root.",
  "unless a dot ends it": "As in a zone file: relative, unless a dot ends it; @ for the zone.",
};

/** The panel of a DNS host as the service knows it; a zone file editor for unknown hosts. */
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

/** The owner name that results from typing `typed` in the panel of a zone. */
export function ownerName(habit: Habit, typed: string, zone: string): string {
  const text = typed.trim();
  const name = canonical(text);
  if (name === "" || name === "@") return zone;
  if (habit.appends === "unless a dot ends it" && text.endsWith(".")) return name;
  if (habit.appends === "unless it is there" && isWithin(name, zone)) return name;
  return `${name}.${zone}`;
}

/** What to type for an owner name: the inverse of `ownerName` for names within the zone. */
export const typedName = (owner: string, zone: string): string =>
  owner === zone ? "@" : owner.slice(0, owner.length - zone.length - 1);

/** The strings of the TXT record that result from typing `typed`. */
export function typedText(habit: Habit, typed: string): string[] {
  const isQuoted = /^\s*"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*\s*$/s.test(typed);
  if (habit.quotes === "kept" || !isQuoted) return textStrings(typed);
  const parts = typed.match(/"(?:[^"\\]|\\.)*"/gs) ?? [];
  return parts.flatMap((part) => textStrings(part.slice(1, -1).replace(/\\(.)/gs, "$1")));
}

/** How the panel displays the strings of a TXT record for editing. */
export const shownText = (habit: Habit, strings: string[]): string =>
  habit.quotes === "kept"
    ? strings.join("")
    : strings.map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`).join(" ");
