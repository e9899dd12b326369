import type { RecordLocation } from "#app/dns/copy/providers.ts";
import { rehearse } from "#app/dns/copy/rehearse.ts";
import {
  explainRehearsed,
  unknownWildcardWarning,
  wildcardWarning,
} from "#app/dns/copy/sentences-rehearsal.ts";
import { isAtOrBelow } from "#app/dns/names.ts";
import { historyOf } from "../claims/history.server.ts";
import type { Context } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import type { ExplainedDiagnosis } from "../resources.ts";
import { recordLocationOf } from "./record-location.server.ts";

/** What a record typed into a panel would become, and how a read would judge it. */
export type ShownRehearsal = {
  /** Null if only a value was given. */
  name: string | null;
  type: string;
  /** Null if only a name was given. */
  value: string | null;
  /** Null if nothing given is wrong. */
  diagnosis: ExplainedDiagnosis | null;
  pastes: { field: string; value: string }[];
  /** What saving the record would break, whether or not it is correct. */
  warning: string | null;
};

/** Longest text accepted, in characters: more than a zone-file line with the longest value. */
export const REHEARSAL_LENGTH = 4096;
/** Longest a form waits to learn whether a wildcard answers for the name. */
const PATIENCE_MS = 4_000;

/** What saving a record at or below the name would break there; null if nothing. */
async function warningOf(ctx: Context, place: RecordLocation): Promise<string | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const reading = await ctx.reader.readWildcard(place.domain, signal);
    if (reading.type === "unresolvable") return unknownWildcardWarning(place);
    return reading.wildcard === null ? null : wildcardWarning(reading.wildcard, place);
  } catch (error) {
    if (signal.aborted) return unknownWildcardWarning(place);
    throw error;
  }
}

/**
 * Judges `line`, text typed into a panel or a zone-file line, before the record is saved: applies the rules of a read
 * and says what would happen. The only DNS question is whether a wildcard answers for the name; `mayAsk` is called
 * before it and may refuse by throwing. Throws claim_not_found, and invalid_request if the text is empty or too long.
 */
export async function rehearseClaim(
  ctx: Context,
  accountId: string,
  claimId: string,
  line: string,
  mayAsk: () => Promise<void>,
): Promise<ShownRehearsal> {
  const { place, domainId } = await recordLocationOf(ctx, accountId, claimId);
  if (line.length > REHEARSAL_LENGTH)
    throw new DeedError("invalid_request", {
      message: `This is longer than ${REHEARSAL_LENGTH} characters. Paste one record.`,
    });
  const rehearsal = rehearse({ line }, place, historyOf(ctx, { accountId, domainId }));
  if (!rehearsal)
    throw new DeedError("invalid_request", {
      message: "Paste the name or value that you typed, or a zone-file line.",
    });
  const { diagnosis, ...draft } = rehearsal;
  const { cause, fix, pastes } = diagnosis
    ? explainRehearsed(diagnosis, place, draft.name)
    : { cause: "", fix: "", pastes: [] };
  const ends =
    place.zone !== place.domain && (draft.name === null || isAtOrBelow(draft.name, place.domain));
  if (ends) await mayAsk();
  return {
    ...draft,
    diagnosis: diagnosis && { ...diagnosis, cause, fix },
    pastes,
    warning: ends ? await warningOf(ctx, place) : null,
  };
}
