import { damageOf, firstOf } from "./damage.ts";
import { labelsOf, parentOf, randomSibling } from "./names.ts";
import type { Misplaced, Observation, TxtAnswer } from "./observation.ts";
import { type Probe, probesFor } from "./probes.ts";
import type { Read } from "./read.ts";
import type { Answering } from "./referral.ts";
import { readTxt } from "./servers.ts";

/** UTF-16 units of an answer that are searched for a damaged token. */
const MAX_TEXT = 4 * 1024;

/**
 * Asks one server at every wrong name; a hit must show on a second server, where there is one, and not
 * on a random sibling, where a wildcard would show it too.
 */
export async function findMisplaced(
  read: Read,
  seen: Observation,
  zone: string,
  answering: readonly Answering[],
): Promise<Misplaced[]> {
  const [first, second] = answering;
  if (!first) return [];
  const found = await Promise.all(
    probesFor(seen, zone).map(async (probe): Promise<Misplaced[]> => {
      const value = valueAt(probe, seen.token, await readTxt(read, zone, first, probe.name));
      if (value === null) return [];
      const [confirmed, wildcard] = await Promise.all([
        second ? readTxt(read, zone, second, probe.name) : null,
        isWildcard(read, zone, first, probe, value),
      ]);
      if (wildcard || (second && valueAt(probe, seen.token, confirmed) === null)) return [];
      const servers = second ? [first.host, second.host] : [first.host];
      return [{ ...probe, value, servers }];
    }),
  );
  return found.flat();
}

/** The evidence in an answer: the token or what is left of it; for the token as a host, that the name exists. */
function valueAt(probe: Probe, token: string, answer: TxtAnswer | null): string | null {
  if (!answer) return null;
  if (probe.kind === "token_as_host") {
    return answer.rcode === "NOERROR" ? (answer.values[0] ?? "") : null;
  }
  if (answer.values.includes(token)) return token;
  return firstOf(answer.values, MAX_TEXT).find((value) => damageOf(value, token)) ?? null;
}

async function isWildcard(
  read: Read,
  zone: string,
  server: Answering,
  probe: Probe,
  value: string,
): Promise<boolean> {
  // Siblings of the zone's own name are the registry's.
  if (labelsOf(parentOf(probe.name)).length < labelsOf(zone).length) return false;
  const sibling = randomSibling(probe.name);
  const answer = sibling && (await readTxt(read, zone, server, sibling));
  if (!answer) return true;
  if (probe.kind === "token_as_host") return answer.rcode !== "NXDOMAIN";
  return answer.values.includes(value);
}
