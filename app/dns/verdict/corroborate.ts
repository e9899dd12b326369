import type { Decision } from "./diagnosis.ts";
import type { Vantages } from "./observation.ts";

/** Whether what a vantage read is an answer: it settles the question, one way or the other. */
export const isAnswer = ({ outcome }: Pick<Vantages["others"][number], "outcome">): boolean =>
  outcome === "found" || outcome === "absent";

/**
 * Decides a read that found the record here, by what the other vantages read. It stands if none was there to be asked,
 * or if the one that answered found the record too; otherwise nothing is known.
 */
export const corroborated = ({ others }: Vantages): Decision =>
  others.length === 0 || others.find(isAnswer)?.outcome === "found"
    ? { outcome: "found" }
    : { outcome: "unresolvable" };

/** The region that found the record and the one that did not, if two vantages disagree; otherwise null. */
export function disagreementIn(
  vantages:
    | { region: string; others: Pick<Vantages["others"][number], "region" | "outcome">[] }
    | undefined,
): { found: string; absent: string } | null {
  const absent = vantages?.others.find(({ outcome }) => outcome === "absent");
  return vantages && absent ? { found: vantages.region, absent: absent.region } : null;
}
