import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { type History, UNREAD } from "#app/dns/verdict/diagnosis.ts";
import type { SerialMemory } from "#app/dns/verdict/serials.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { attemptEvidence, attempts, claims, verifications } from "#db/schema.ts";
import type { Context } from "../context.server.ts";
import type { VerificationRow } from "./schedule.ts";
import { storedSummary } from "./stored-evidence.ts";
import type { ClaimRow } from "./transition.ts";

const ENDED_TOKENS = 100;
/** How many earlier claims of a name are searched for former nameservers. */
const EARLIER_CLAIMS = 3;
/** How many claims in a zone, newest first, are searched for serials. */
const CLAIMS_OF_ZONE = 20;

type Owned = Pick<ClaimRow, "accountId" | "domainId">;

const endedTokens = prepared((db) =>
  db
    .select({ token: claims.token, endedAt: claims.endedAt })
    .from(claims)
    .where(and(eq(claims.domainId, sql.placeholder("domainId")), isNotNull(claims.endedAt)))
    .orderBy(desc(claims.createdAt), desc(claims.id))
    .limit(limitBy(ENDED_TOKENS))
    .prepare(),
);

const domainOfToken = prepared((db) =>
  db
    .select({ name: claims.name })
    .from(claims)
    .where(
      and(
        eq(claims.token, sql.placeholder("token")),
        eq(claims.accountId, sql.placeholder("accountId")),
        ne(claims.domainId, sql.placeholder("domainId")),
        sql`${claims.reference} = (select reference from domains where id = ${sql.placeholder("domainId")})`,
      ),
    )
    .prepare(),
);

const serialsInZone = prepared((db) =>
  db
    .select({ serials: verifications.serials })
    .from(verifications)
    .where(
      and(
        eq(verifications.accountId, sql.placeholder("accountId")),
        eq(verifications.zone, sql.placeholder("zone")),
        isNotNull(verifications.serials),
      ),
    )
    .orderBy(desc(verifications.createdAt))
    .limit(limitBy(CLAIMS_OF_ZONE))
    .prepare(),
);

const memoryOf = (serials: string | null): SerialMemory | null => serials && JSON.parse(serials);

type Earlier = Pick<
  VerificationRow,
  "firstSerial" | "partialSince" | "resolversDue" | "secondReadAt" | "serials"
>;

/**
 * What earlier reads of the claim and the account's other claims showed. Never looks up another account's tokens, nor
 * names a domain of another reference: what is said of a claim may be shown to whom it is for.
 */
export const historyOf = (
  { db, settings, random }: Pick<Context, "db" | "settings" | "random">,
  { accountId, domainId }: Owned,
  earlier: Earlier = { ...UNREAD, serials: null },
): History => ({
  firstSerial: earlier.firstSerial,
  partialSince: earlier.partialSince,
  resolversDue: earlier.resolversDue,
  secondReadAt: earlier.secondReadAt,
  chance: random(),
  serials: memoryOf(earlier.serials),
  otherSerials: (zone) =>
    serialsInZone(db)
      .all({ accountId, zone })
      .flatMap(({ serials }) => memoryOf(serials) ?? []),
  // Lazy: needed only if another record exists at the name, which is rare.
  get endedTokens() {
    return endedTokens(db)
      .all({ domainId })
      .map(({ token, endedAt }) => ({ token, endedAt: endedAt ?? 0 }));
  },
  domainOf: (token) => domainOfToken(db).get({ token, accountId, domainId })?.name ?? null,
  tokenPrefix: settings.tokenPrefix,
});

const oldestReads = prepared((db) =>
  db
    .select({ evidence: attemptEvidence.evidence, trimmed: attemptEvidence.trimmed })
    .from(claims)
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .innerJoin(
      attemptEvidence,
      eq(
        attemptEvidence.attemptId,
        sql`(select a.id from ${attempts} a join ${attemptEvidence} e on e.attempt_id = a.id where a.verification_id = ${verifications.id} and json_array_length(e.evidence, '$.servers') > 0 order by a.at, a.id limit 1)`,
      ),
    )
    .where(eq(claims.domainId, sql.placeholder("domainId")))
    .orderBy(desc(claims.createdAt), desc(claims.id))
    .limit(limitBy(EARLIER_CLAIMS))
    .prepare(),
);

/** Nameservers delegated at the first reads of a name's newest claims, the newest claim first. */
export const formerNameservers = (
  { db }: Pick<Context, "db">,
  { domainId }: Pick<Owned, "domainId">,
): string[] =>
  oldestReads(db)
    .all({ domainId })
    .flatMap((row) => storedSummary(row).servers.map(({ host }) => host));
