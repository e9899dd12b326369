import { labelsOf, parentOf } from "../names.ts";
import type { Misplaced, Observation, TxtAnswer } from "../verdict/observation.ts";
import type { Probe } from "../verdict/probes.ts";
import { corruptionOf, takeDistinct } from "../verdict/token-corruption.ts";
import type { QuestionType } from "../wire/query.ts";
import { authoritative, readTxt } from "./authority.ts";
import type { Read } from "./read.ts";
import type { Answering } from "./referral.ts";
import { dataAt, randomSibling } from "./wildcard.ts";

/** Limit on the UTF-16 units of an answer that are searched for a damaged token. */
const MAX_SEARCHED = 4 * 1024;

/**
 * Queries these wrong names on one of the two fastest servers, alternately. A hit must also show on the other server, if
 * there is one, and not at a random sibling, where it would come from a wildcard.
 */
export async function findMisplaced(
  read: Read,
  seen: Observation,
  zone: string,
  answering: readonly Answering[],
  probes: readonly Probe[],
): Promise<Misplaced[]> {
  const [fastest, next] = answering;
  if (!fastest) return [];
  const found = await Promise.all(
    probes.map(async (probe, index): Promise<Misplaced[]> => {
      const [first, second] = next && index % 2 === 1 ? [next, fastest] : [fastest, next];
      const answer = await readTxt(read, zone, first, probe.name);
      const value = valueAt(probe, seen.token, answer);
      if (answer === null || value === null) return [];
      const [confirmed, wildcard] = await Promise.all([
        second ? readTxt(read, zone, second, probe.name) : null,
        isWildcard(read, zone, first, probe, value),
      ]);
      if (wildcard || (second && valueAt(probe, seen.token, confirmed) === null)) return [];
      const servers = second ? [first.host, second.host] : [first.host];
      const others = new Set(answer.values.filter((one) => one !== value)).size;
      return [{ ...probe, value, others, servers }];
    }),
  );
  return found.flat();
}

/** Types whose data can hold the token. */
const HOLDING = { MX: "mx_target", SPF: "spf_type" } as const;

/**
 * Looks for the token at the challenge name in a record of another type. `present`: the data of each type from the
 * first server; a second server, if there is one, must confirm it.
 */
export async function findWrongType(
  read: Read,
  seen: Observation,
  zone: string,
  [first, second]: readonly Answering[],
  present: readonly { type: QuestionType; data: readonly string[] }[],
): Promise<Misplaced[]> {
  const { challengeName: name, token } = seen;
  const holding = (data: readonly string[]) =>
    takeDistinct(data, MAX_SEARCHED).find(
      (value) => value.includes(token) || corruptionOf(value, token),
    );
  for (const { type, data } of present) {
    const value = holding(data);
    if (!first || value === undefined || (type !== "MX" && type !== "SPF")) continue;
    const message = second && (await authoritative(read, zone, second, { name, type }));
    if (second && holding(dataAt(message ?? null, name, type)) === undefined) continue;
    const servers = second ? [first.host, second.host] : [first.host];
    return [{ kind: HOLDING[type], name, value: value.replace(/^MX /, ""), others: 0, servers }];
  }
  return [];
}

/** The evidence in an answer: the token or a damaged form; for the token used as a host, that the name exists. */
function valueAt(probe: Probe, token: string, answer: TxtAnswer | null): string | null {
  if (!answer) return null;
  if (probe.kind === "token_as_host") {
    return answer.rcode === "NOERROR" ? (answer.values[0] ?? "") : null;
  }
  if (answer.values.includes(token)) return token;
  return (
    takeDistinct(answer.values, MAX_SEARCHED).find((value) => corruptionOf(value, token)) ?? null
  );
}

async function isWildcard(
  read: Read,
  zone: string,
  server: Answering,
  probe: Probe,
  value: string,
): Promise<boolean> {
  // Siblings of the zone apex belong to the registry.
  if (labelsOf(parentOf(probe.name)).length < labelsOf(zone).length) return false;
  const sibling = randomSibling(probe.name);
  const answer = sibling && (await readTxt(read, zone, server, sibling));
  if (!answer) return true;
  if (probe.kind === "token_as_host") return answer.rcode !== "NXDOMAIN";
  return answer.values.includes(value);
}
