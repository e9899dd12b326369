import { diagnoseAbsence } from "./absence.ts";
import type { Diagnosis, HeldAnswer, History } from "./diagnosis.ts";
import { escapeAll } from "./escape-untrusted.ts";
import { lameDelegation } from "./lame-delegation.ts";
import type { Observation } from "./observation.ts";
import { delegatingOf, hostsOf, MAX_LISTED } from "./observed-lists.ts";
import { proofStandingOf } from "./proof-standing.ts";
import {
  hasToken,
  isDelegatedToToken,
  namedAgainst,
  publicationStatusOf,
  type Spread,
  valuesOf,
} from "./publication-status.ts";
import { diagnoseServfail } from "./servfail.ts";
import { otherAnswers } from "./split-horizon.ts";
import { stuckCopy } from "./stuck-copy.ts";
import { tokenOfForm } from "./token-corruption.ts";
import { isStale, publicationOf, secondsRemaining, waitOf } from "./wait.ts";

/**
 * Names what is wrong with a challenge record, by the precedence of the thirteen codes. Null if nothing is: the record
 * proves the claim, the nameservers only need time to synchronise, or our side did not read enough to say.
 */
export const diagnose = (observation: Observation, history: History): Diagnosis | null =>
  escapeAll(diagnosisOf(observation, history));

function diagnosisOf(observation: Observation, history: History): Diagnosis | null {
  const standing = publicationStatusOf(observation);
  switch (standing.type) {
    case "unread":
      return null;
    case "lame":
      return tokenAsNameserver(observation) ?? lameDelegation(observation, standing.nameservers);
    case "nowhere":
      return (
        diagnoseServfail(observation) ??
        diagnoseAbsence(observation, history, standing.answers, standing.lacking)
      );
    case "partial":
      return diagnoseServfail(observation) ?? outlastedSync(observation, history, standing);
    case "published":
      return (
        diagnoseServfail(observation) ??
        otherNames(observation) ??
        staleResolvers(observation, history)
      );
  }
}

function tokenAsNameserver(observation: Observation): Diagnosis | null {
  if (!isDelegatedToToken(observation)) return null;
  return {
    code: "record_absent",
    awaits: "claimant",
    observed: {
      answer: { type: "nodata", types: ["NS"] },
      nearMiss: { kind: "ns_target", name: observation.challengeName },
    },
  };
}

/** The nameservers still disagree after the time allowed for synchronisation, so their operator must act. */
function outlastedSync(
  observation: Observation,
  history: History,
  spread: Spread,
): Diagnosis | null {
  if (waitOf(observation, history)) return null;
  const stuck = stuckCopy(observation, spread.lacking);
  return {
    code: "not_published",
    awaits: "provider",
    observed: {
      ...publicationOf(spread),
      serial: observation.soa?.serial ?? null,
      ...(stuck && { stuck }),
    },
  };
}

/**
 * The delegated servers have the record, but resolvers use other nameservers, which the zone's NS RRset names.
 */
function otherNames(observation: Observation): Diagnosis | null {
  const { delegation, soa } = observation;
  const named = namedAgainst(observation);
  const isDisproved = proofStandingOf(observation) === "disproved";
  if (delegation.type !== "delegated" || named.length === 0 || !isDisproved) return null;
  return {
    code: "not_published",
    awaits: "provider",
    observed: {
      nameservers: [...new Set(hostsOf(named))],
      publishedOn: delegation.nameservers.slice(0, MAX_LISTED),
      serial: soa?.serial ?? null,
      elsewhere: { type: "listed", ...delegatingOf(delegation) },
    },
  };
}

/**
 * Resolvers may still have an old answer cached. Once every cache must have expired, they are getting another answer.
 */
function staleResolvers(observation: Observation, history: History): Diagnosis | null {
  if (!isStale(observation)) return null;
  const wait = waitOf(observation, history);
  if (!wait) return otherAnswers(observation);
  const end = observation.at + observation.durationMs;
  return {
    code: "negative_cache",
    awaits: "resolvers",
    observed: {
      secondsRemaining: secondsRemaining(wait.until, end),
      held: heldBy(observation, history),
    },
  };
}

/** What resolvers without the record have cached instead; an ended claim's token takes precedence over other values. */
function heldBy({ witnesses, token }: Observation, history: History): HeldAnswer {
  const held = (witnesses ?? []).flatMap(({ answer }) =>
    answer && !hasToken(answer, token) && (answer.alias || answer.values.length > 0) ? answer : [],
  );
  if (held.length === 0) return "nothing";
  const values = held.flatMap((answer) => valuesOf(answer));
  const tokens = new Set(values.map((value) => tokenOfForm(value, history.tokenPrefix)));
  return history.endedTokens.some(({ token: ended }) => tokens.has(ended))
    ? "earlier_token"
    : "other_values";
}
