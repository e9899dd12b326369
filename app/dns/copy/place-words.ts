import { publishingMinutes } from "../verdict/provider.ts";
import { PANELS, type RecordLocation } from "./providers.ts";
import { listed } from "./wording.ts";

export const zoneOf = ({ zone, domain }: RecordLocation): string => zone ?? domain;

/** Whom to ask about the zone; what a sentence says after "Ask ". */
export const operatorOf = ({ provider }: RecordLocation): string => PANELS[provider].operator;

/** Said only of a host that takes long enough to make somebody wonder. */
export function publishingTime({ provider }: RecordLocation): string {
  const minutes = publishingMinutes(provider) ?? 0;
  const { operator } = PANELS[provider];
  return minutes < 5
    ? ""
    : ` (${operator} takes up to ${minutes} minutes to publish what is saved)`;
}

export const serve = (nameservers: readonly string[], zone: string): string =>
  `${listed(nameservers)} ${nameservers.length === 1 ? "serves" : "serve"} ${zone}`;
