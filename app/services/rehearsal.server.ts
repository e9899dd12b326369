import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { rehearse } from "#app/dns/rehearse.ts";
import { pastesFor, sentencesFor } from "#app/dns/sentences.ts";
import { prepared } from "#db/client.ts";
import { limitBy } from "#db/limit.ts";
import { claims } from "#db/schema.ts";
import { placeOfClaim } from "./claim-place.server.ts";
import type { Context } from "./context.server.ts";
import { DeedError } from "./errors.server.ts";
import type { ShownDiagnosis } from "./resources.ts";

/** What a record typed into a panel would become, and what a read would say of it. */
export type ShownRehearsal = {
  /** Null where only a value was given. */
  name: string | null;
  type: string;
  /** Null where only a name was given. */
  value: string | null;
  /** Null where nothing of what was given is wrong. */
  diagnosis: ShownDiagnosis | null;
  pastes: { field: string; value: string }[];
};

/** Longest text read, in characters: a line of a zone file with the longest value is shorter. */
export const REHEARSAL_LENGTH = 4096;
const ENDED_TOKENS = 100;

const endedTokens = prepared((db) =>
  db
    .select({ token: claims.token, endedAt: claims.endedAt })
    .from(claims)
    .where(and(eq(claims.domainId, sql.placeholder("domain")), isNotNull(claims.endedAt)))
    .orderBy(desc(claims.createdAt))
    .limit(limitBy(ENDED_TOKENS))
    .prepare(),
);

/**
 * Reads `line`, what was typed in a panel or a line of a zone file, before any DNS does: by the same rules,
 * with the same sentences. Throws claim_not_found, invalid_request on a text that holds nothing or too much.
 */
export async function rehearseClaim(
  ctx: Context,
  accountId: string,
  claimId: string,
  line: string,
): Promise<ShownRehearsal> {
  const { place, domainId } = await placeOfClaim(ctx, accountId, claimId);
  if (line.length > REHEARSAL_LENGTH)
    throw new DeedError("invalid_request", {
      message: `This is longer than ${REHEARSAL_LENGTH} characters. Paste one record.`,
    });
  const ended = endedTokens(ctx.db)
    .all({ domain: domainId })
    .map(({ token, endedAt }) => ({ token, endedAt: endedAt ?? 0 }));
  const rehearsal = rehearse({ line }, place, ended);
  if (!rehearsal)
    throw new DeedError("invalid_request", {
      message: "Paste the name or the value you typed, or a line of your zone file.",
    });
  const { diagnosis, ...draft } = rehearsal;
  return {
    ...draft,
    diagnosis: diagnosis && { ...diagnosis, ...sentencesFor(diagnosis, place) },
    pastes: diagnosis ? pastesFor(diagnosis, place) : [],
  };
}
