import { delegatorOf, ownedName, parentOf } from "../names.ts";
import type { ParkedZone, StaleGlue } from "../verdict/diagnosis.ts";
import type { ParkedReason } from "../verdict/observation.ts";
import type { RecordLocation } from "./providers.ts";
import { type Advice, capital, joinList, zoneOf } from "./wording.ts";

/** A zone, the claimed name at or below it, and the zone that delegates it (undefined for a registry). */
type DelegationPlace = { zone: string; domain: string; parent?: string | undefined };

/** Who sets a zone's NS, glue and DS records, where, and the first words of an instruction to change them. */
export function delegatorIn({ zone, domain, parent }: DelegationPlace) {
  const party = delegatorOf(zone, domain, parent);
  const above = party === "suffix" ? parentOf(ownedName(zone)) : parent;
  const where = {
    parent: `in the DNS panel of the zone ${parent}`,
    suffix: `where ${zone} was registered`,
    registrar: `at the registrar of ${zone}`,
    others: `at the registrar of ${zone}`,
  }[party];
  const prefix =
    party === "others" ? `Ask the company that runs ${zone} to ` : `${capital(where)}, `;
  return { holder: above === undefined ? "the registry" : `the zone ${above}`, where, prefix };
}

/** How to correct a nameserver's address. It is set where its own domain is registered, often by its operator. */
export function correctGlue({ host, registered, own, parent }: StaleGlue, domain: string): string {
  const zone = ownedName(host);
  const act = `change the address (glue) of ${host} from ${registered} to ${own[0]}`;
  if (zone === ownedName(domain)) return `${delegatorIn({ zone, domain, parent }).prefix}${act}.`;
  const { where } = delegatorIn({ zone, domain: zone });
  return `Ask the company that runs ${zone} to ${act} ${where}.`;
}

/** The words for nameservers where no record can be added: a heading, what they are, and what to do instead. */
const PARKED_WORDS: Record<
  ParkedReason,
  [title: string, belonging: string, act: (zone: string) => string]
> = {
  parking: [
    "The domain is at a parking service",
    "belong to a parking service, where no record can be added",
    (zone) => `renew ${zone} if it has expired, and enter your DNS provider’s nameservers`,
  ],
  expired: [
    "The domain has expired",
    "are those that a registrar sets when a domain has expired",
    (zone) => `renew ${zone}`,
  ],
  unconfirmed: [
    "The owner’s address is not confirmed",
    "are those that a registrar sets until the owner’s contact address is confirmed",
    (zone) => `confirm the contact address of the owner of ${zone}, as its emails ask`,
  ],
};

export const PARKED_TITLES = Object.fromEntries(
  Object.entries(PARKED_WORDS).map(([as, [title]]) => [
    title,
    ({ parked }: { parked?: ParkedZone | undefined }) => parked?.as === as,
  ]),
);

export function explainParked(parked: ParkedZone, place: RecordLocation): Advice {
  const zone = zoneOf(place);
  const [, belonging, act] = PARKED_WORDS[parked.as];
  const { prefix } = delegatorIn({ zone, domain: place.domain, parent: parked.parent });
  return {
    cause: `The nameservers of ${zone} (${joinList(parked.nameservers)}) ${belonging}.`,
    fix: `${prefix}${parked.parent ? `enter your DNS provider’s nameservers for ${zone}` : act(zone)}.`,
  };
}
