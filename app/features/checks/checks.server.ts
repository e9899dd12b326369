import type { Check } from "@deed/dns/library/check.ts";
import {
  queryOf,
  type RecordQuery,
  type RecordQuestion,
} from "@deed/dns/library/check-question.ts";
import type { ServerSummary } from "@deed/dns/library/explain.ts";
import { InvalidInput } from "@deed/dns/library/typed-name.ts";
import { secondsRemaining } from "@deed/dns/verdict/standing.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";
import type { RecordCheck } from "./resources.ts";

/** Makes a query of a question. Throws invalid_domain and invalid_request. */
export function recordQuery(question: RecordQuestion): RecordQuery {
  try {
    return queryOf(question);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const { message, field } = error;
    throw field === "name"
      ? new DeedError("invalid_domain", { message })
      : new DeedError("invalid_request", { message, param: field });
  }
}

const toServer = ({ name, hasRecord, values, says }: ServerSummary) => ({
  ...{ name, hasRecord, values, says },
});

/** Returns a check in the API's format; null if DNS could not be read. `now` is in epoch milliseconds. */
export function toCheck(check: Check, now: number): RecordCheck | null {
  const { name, type, value, outcome, code, awaits, cause, fix, wait } = check;
  if (outcome === "unresolvable") return null;
  return {
    ...{ name, type, value, outcome, code, awaits, cause, fix },
    wait: wait && { reason: wait.reason, secondsRemaining: secondsRemaining(wait.until, now) },
    nearest: check.nearest?.value ?? null,
    ...{ others: check.others, aliases: check.aliases },
    zone: check.zone?.name ?? null,
    provider: check.zone?.provider ?? null,
    nameservers: check.nameservers.map(toServer),
    resolvers: check.resolvers.map(toServer),
    vendor: check.vendor,
    checkedAt: iso(check.where.at),
  };
}
