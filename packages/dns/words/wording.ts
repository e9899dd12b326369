import type { DelegatedZone, FailedNameserver } from "../verdict/diagnosis.ts";
import type { Failure } from "../verdict/observation.ts";
import { PUBLISHING_MINUTES } from "../verdict/provider.ts";
import { PANELS, type RecordLocation } from "./providers.ts";

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

export const zoneOf = ({ zone, domain }: RecordLocation): string => zone ?? domain;

/** Whom to ask about the zone, as used after "Ask ". */
export const operatorOf = ({ provider }: RecordLocation): string => PANELS[provider].operator;

/** A sentence to add, with the space before it. Empty unless the provider takes so long that a user would wonder. */
export function publishingTime({ provider }: RecordLocation): string {
  const minutes = PUBLISHING_MINUTES[provider] ?? 0;
  if (minutes < 5) return "";
  return ` ${PANELS[provider].operator} can take up to ${minutes} minutes to publish a saved record.`;
}

export const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Says that the parent zone, where the record may have been saved, does not serve the domain. */
export const apartSentence = ({ zone, parent, nameservers }: DelegatedZone): string =>
  `${servingClause(nameservers, zone)} as a separate zone, so a record in the zone ${parent} does not count.`;

/** "ns1.dns.test and ns2.dns.test serve acme.com". */
export const servingClause = (nameservers: readonly string[], zone: string): string =>
  `${joinList(nameservers)} ${nameservers.length === 1 ? "serves" : "serve"} ${zone}`;

const FAILURE_WORDS: Record<Failure, string> = {
  timeout: "does not answer",
  refused: "refuses to answer",
  servfail: "reports a failure",
  not_authoritative: "does not serve this zone",
  no_address: "has no address",
  blocked_address: "has an address that is not public",
  malformed: "answers with something that is not DNS",
  tcp_refused: "does not answer over TCP",
  case_changed: "changes the capital letters in the question and does not answer over TCP",
  too_large: "gives an answer that is too large",
  is_alias: "is an alias, not a host",
  ipv6_only: "was not asked, because it has only IPv6 and Deed has none here",
};

/** How a nameserver failed, as used after its name. */
export const failureInWords = (result: Failure): string => FAILURE_WORDS[result];

/** How each nameserver failed: "ns1.dns.test does not answer and ns2.dns.test refuses to answer". */
export const describeFailures = (nameservers: readonly FailedNameserver[]): string =>
  joinList(nameservers.map(({ host, result }) => `${host} ${FAILURE_WORDS[result]}`));
