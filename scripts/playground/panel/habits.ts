import { canonical, isWithin } from "../names.ts";
import { textStrings } from "../records.ts";
import type { ProviderName } from "../samples.ts";

/** What a DNS host's panel calls its fields, and what it makes of what is typed into them. */
export type Habit = {
  title: string;
  labels: { name: string; value: string };
  nameHint: string;
  /** When the zone's name is added behind what was typed. */
  appends: "always" | "unless it is there" | "unless a dot ends it";
  /** Whether quotation marks around a value are part of it, or only hold its strings together. */
  quotes: "kept" | "delimiters";
};

export const HABITS: Record<ProviderName, Habit> = {
  godaddy: {
    title: "GoDaddy",
    labels: { name: "Name", value: "Value" },
    nameHint: "The part before the domain; @ for the domain itself.",
    appends: "always",
    quotes: "kept",
  },
  cloudflare: {
    title: "Cloudflare",
    labels: { name: "Name", value: "Content" },
    nameHint: "Use @ for root.",
    appends: "unless it is there",
    quotes: "delimiters",
  },
  route53: {
    title: "Route 53",
    labels: { name: "Record name", value: "Value" },
    nameHint: "Keep blank to create a record for the root domain.",
    appends: "always",
    quotes: "delimiters",
  },
  namecheap: {
    title: "Namecheap",
    labels: { name: "Host", value: "Value" },
    nameHint: "@ for the domain itself.",
    appends: "always",
    quotes: "kept",
  },
  "google-domains": {
    title: "Google Domains",
    labels: { name: "Host name", value: "Data" },
    nameHint: "Leave empty for the domain itself.",
    appends: "always",
    quotes: "delimiters",
  },
  vercel: {
    title: "Vercel",
    labels: { name: "Name", value: "Value" },
    nameHint: "Leave empty for the domain itself.",
    appends: "always",
    quotes: "kept",
  },
  other: {
    title: "Zone file editor",
    labels: { name: "Owner", value: "Data" },
    nameHint: "As in a zone file: relative, unless a dot ends it; @ for the zone.",
    appends: "unless a dot ends it",
    quotes: "delimiters",
  },
};

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
