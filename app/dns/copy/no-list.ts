import type { Evidence, WitnessReading } from "../verdict/observation.ts";
import { witnessedNames } from "../verdict/publication-status.ts";

/**
 * Says why all resolvers had to return the record: no majority of them gave the same list of nameservers. Null if one
 * did, or if none was asked.
 */
export function noListSentence(
  evidence: Pick<Evidence, "delegation" | "witnesses">,
): string | null {
  const { witnesses, delegation } = evidence;
  if (!witnesses || witnesses.length === 0 || delegation.type !== "delegated") return null;
  if (witnessedNames(evidence)) return null;
  const isMost = (is: (witness: WitnessReading) => boolean) =>
    witnesses.filter(is).length * 2 > witnesses.length;
  const why = isMost(({ nameservers, answer }) => nameservers === null && answer !== null)
    ? "they get the record, and no answer to the question for its nameservers (NS)"
    : isMost(({ nameservers }) => nameservers?.length === 0)
      ? "its NS records are hidden, as by an alias (CNAME) at its name"
      : "they do not agree on one";
  return `No majority of the resolvers lists the nameservers of ${delegation.zone}: ${why}. So all of them have to return the record.`;
}
