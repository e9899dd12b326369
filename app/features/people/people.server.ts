import { and, asc, eq, gt, sql } from "drizzle-orm";
import {
  type Actor,
  logAccountEvent,
  type Person,
  voidSignInLinks,
} from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { isoFields } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { markErased } from "#db/erase.ts";
import { accounts, apiKeys, invitations, people } from "#db/schema.ts";
import { endWebhook, giveUpPending, webhooksWhere } from "../webhooks/webhooks.server.ts";
import type { Invitation, PeopleList } from "./resources.ts";

/** The most addresses of an account besides its first, with invitations; a database trigger has the same limit. */
export const MAX_OTHERS = 20;

/** Lists the people of an account, its first address first. */
export function peopleOf(db: Db | Tx, accountId: string) {
  const { id, email, createdAt, lastSeenAt } = people;
  return db
    .select({ id, email, accountEmail: accounts.email, createdAt, lastSeenAt })
    .from(people)
    .innerJoin(accounts, eq(accounts.id, people.accountId))
    .where(eq(people.accountId, accountId))
    .orderBy(sql`people.email = accounts.email desc`, asc(createdAt), asc(id))
    .all();
}

function invitedTo(db: Db, accountId: string, now: number) {
  const { id, email, createdAt, expiresAt } = invitations;
  return db
    .select({ id, email, invitedBy: people.email, createdAt, expiresAt })
    .from(invitations)
    .innerJoin(people, eq(people.id, invitations.invitedBy))
    .where(and(eq(invitations.accountId, accountId), gt(expiresAt, now)))
    .orderBy(asc(createdAt), asc(id))
    .all();
}

export const toInvitation = (row: ReturnType<typeof invitedTo>[number]): Invitation => {
  return { ...row, ...isoFields(row, "createdAt", "expiresAt") };
};

export const listPeople = (ctx: Context, { accountId, personId }: Actor): PeopleList => ({
  people: peopleOf(ctx.db, accountId).map(({ accountEmail, ...person }) => ({
    ...person,
    isFirst: person.email === accountEmail,
    isYou: person.id === personId,
    ...isoFields(person, "createdAt", "lastSeenAt"),
  })),
  invitations: invitedTo(ctx.db, accountId, ctx.clock()).map(toInvitation),
});

/** Counts the people and invitations that count against MAX_OTHERS. */
export const countOthers = ({ people, invitations }: PeopleList) =>
  people.length - 1 + invitations.length;

export const accountDeletionImpact = ({ db }: Context, accountId: string) =>
  db.get<Record<"domains" | "claims" | "liveLinks", number>>(sql`
    select (select count(*) from domains where account_id = ${accountId}) as domains,
      (select count(*) from claims where account_id = ${accountId}) as claims,
      (select count(*) from proof_links join claims on claims.id = claim_id
        where account_id = ${accountId} and revoked_at is null) as liveLinks`);

export type Creations = ReturnType<typeof creationsOf>;

/** Lists a person's keys and webhooks, which end when they leave, unless rotated: oldest first, without expired keys. */
export const creationsOf = (db: Db | Tx, personId: string, now: number) => ({
  keys: db
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(sql`person_id = ${personId} and (expires_at is null or expires_at > ${now})`)
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    .all(),
  webhooks: webhooksWhere(
    db,
    sql`${personId} in (url_by, secret_by) or exists (
      select 1 from api_keys where person_id = ${personId} and id in (url_by_key, secret_by_key))`,
  ),
});

/** Ends a person's sessions, links, invitations, keys and webhooks. Throws person_not_found, first_address_stays. */
export async function removePerson(
  ctx: Context,
  { accountId, personId: actingId, email }: Person,
  personId: string,
): Promise<Creations & { email: string }> {
  const isLeaving = personId === actingId;
  const removed = await commit(ctx, (tx, _, now) => {
    const person = peopleOf(tx, accountId).find(({ id }) => id === personId);
    if (!person) throw new DeedError("person_not_found");
    if (person.email === person.accountEmail) throw new DeedError("first_address_stays");
    const creations = creationsOf(tx, personId, now);
    for (const { id } of creations.webhooks) endWebhook(tx, id, "person_left", now);
    for (const { name: subject } of creations.keys)
      logAccountEvent(tx, accountId, "key_revoked", now, { email, subject });
    voidSignInLinks(tx, person.email);
    tx.delete(people).where(eq(people.id, personId)).run();
    markErased(tx);
    const kind = isLeaving ? "person_left" : "person_removed";
    const details = isLeaving ? { email } : { email, subject: person.email };
    logAccountEvent(tx, accountId, kind, now, details);
    return { ...creations, email: person.email };
  });
  ctx.log.info({ account: accountId, person: personId, isLeaving }, "person left the account");
  ctx.feed.wake(accountId);
  for (const { id } of removed.webhooks) await giveUpPending(ctx, id);
  return removed;
}
