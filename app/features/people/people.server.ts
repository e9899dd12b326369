import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Person } from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import type { Invitation, PeopleList } from "#app/core/resources.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { accounts, invitations, people } from "#db/schema.ts";

/** How many addresses an account may have besides its first, those invited included; a trigger has the same number. */
export const MAX_OTHERS = 20;

const ofAccount = prepared((db) =>
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
    .where(eq(people.accountId, sql.placeholder("accountId")))
    .orderBy(sql`people.email = accounts.email desc`, asc(people.createdAt), asc(people.id))
    .prepare(),
);

const invitedTo = prepared((db) =>
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
    .where(
      and(
        eq(invitations.accountId, sql.placeholder("accountId")),
        gt(invitations.expiresAt, sql.placeholder("now")),
      ),
    )
    .orderBy(asc(invitations.createdAt), asc(invitations.id))
    .prepare(),
);

type InvitationRow = Omit<Invitation, "createdAt" | "expiresAt"> & {
  createdAt: number;
  expiresAt: number;
};

export const toInvitation = ({ createdAt, expiresAt, ...row }: InvitationRow): Invitation => ({
  ...row,
  createdAt: iso(createdAt),
  expiresAt: iso(expiresAt),
});

/** The account's people, its first address first, and its open invitations, oldest first. */
export function listPeople(ctx: Context, { accountId, personId }: Person): PeopleList {
  return {
    people: ofAccount(ctx.db)
      .all({ accountId })
      .map(({ accountEmail, createdAt, lastSeenAt, ...person }) => ({
        ...person,
        isFirst: person.email === accountEmail,
        isYou: person.id === personId,
        createdAt: iso(createdAt),
        lastSeenAt: isoOrNull(lastSeenAt),
      })),
    invitations: invitedTo(ctx.db).all({ accountId, now: ctx.clock() }).map(toInvitation),
  };
}

/** The people of an account in the current transaction. */
export const peopleOf = (tx: Tx, accountId: string) => ofAccount(tx).all({ accountId });
