import { and, asc, count, eq, gt, isNull, sql } from "drizzle-orm";
import type { Person } from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import type { Invitation, PeopleList } from "#app/core/resources.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { accounts, claims, domains, invitations, people, proofLinks } from "#db/schema.ts";

/** How many addresses an account may have besides its first, those invited included; a trigger has the same number. */
export const MAX_OTHERS = 20;

/** The people of an account, its first address first. */
export const peopleOf = (db: Db | Tx, accountId: string) =>
  db
    .select({
      id: people.id,
      email: people.email,
      accountEmail: accounts.email,
      createdAt: people.createdAt,
      lastSeenAt: people.lastSeenAt,
    })
    .from(people)
    .innerJoin(accounts, eq(accounts.id, people.accountId))
    .where(eq(people.accountId, accountId))
    .orderBy(sql`people.email = accounts.email desc`, asc(people.createdAt), asc(people.id))
    .all();

const invitedTo = (db: Db, accountId: string, now: number) =>
  db
    .select({
      id: invitations.id,
      email: invitations.email,
      invitedBy: people.email,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .innerJoin(people, eq(people.id, invitations.invitedBy))
    .where(and(eq(invitations.accountId, accountId), gt(invitations.expiresAt, now)))
    .orderBy(asc(invitations.createdAt), asc(invitations.id))
    .all();

type InvitationRow = ReturnType<typeof invitedTo>[number];

export const toInvitation = ({ createdAt, expiresAt, ...row }: InvitationRow): Invitation => ({
  ...row,
  createdAt: iso(createdAt),
  expiresAt: iso(expiresAt),
});

/** The account's people, its first address first, and its open invitations, oldest first. */
export function listPeople(ctx: Context, { accountId, personId }: Person): PeopleList {
  return {
    people: peopleOf(ctx.db, accountId).map(
      ({ accountEmail, createdAt, lastSeenAt, ...person }) => ({
        ...person,
        isFirst: person.email === accountEmail,
        isYou: person.id === personId,
        createdAt: iso(createdAt),
        lastSeenAt: isoOrNull(lastSeenAt),
      }),
    ),
    invitations: invitedTo(ctx.db, accountId, ctx.clock()).map(toInvitation),
  };
}

/** Counts of what deleting the account would erase. */
export function accountDeletionImpact({ db }: Context, accountId: string) {
  const n = { n: count() };
  const isOwn = eq(claims.accountId, accountId);
  const liveLinks = db
    .select(n)
    .from(claims)
    .innerJoin(proofLinks, eq(proofLinks.claimId, claims.id))
    .where(and(isOwn, isNull(proofLinks.revokedAt)))
    .get();
  return {
    domains: db.select(n).from(domains).where(eq(domains.accountId, accountId)).get()?.n ?? 0,
    claims: db.select(n).from(claims).where(isOwn).get()?.n ?? 0,
    liveLinks: liveLinks?.n ?? 0,
  };
}
