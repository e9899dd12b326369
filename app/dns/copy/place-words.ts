import { publishingMinutes } from "../verdict/provider.ts";
import { PANELS, type RecordLocation } from "./providers.ts";
import { joinList } from "./wording.ts";

export const zoneOf = ({ zone, domain }: RecordLocation): string => zone ?? domain;

/** Whom to ask about the zone, as used after "Ask ". */
export const operatorOf = ({ provider }: RecordLocation): string => PANELS[provider].operator;

/** Empty unless the provider takes so long that a user would wonder. */
export function publishingTime({ provider }: RecordLocation): string {
  const minutes = publishingMinutes(provider) ?? 0;
  const { operator } = PANELS[provider];
  return minutes < 5
    ? ""
    : ` (${operator} takes up to ${minutes} minutes to publish what is saved)`;
}

export const servingClause = (nameservers: readonly string[], zone: string): string =>
  `${joinList(nameservers)} ${nameservers.length === 1 ? "serves" : "serve"} ${zone}`;
