import { and, asc, eq, gt, isNull, or } from "drizzle-orm";
import {
  logAccountEvent,
  type Person,
  voidSignInLinks,
} from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { Db, Tx } from "#db/client.ts";
import { markErased } from "#db/erase.ts";
import { apiKeys, people, webhooks } from "#db/schema.ts";
import { endWebhook, giveUpPending } from "../webhooks/webhooks.server.ts";
import { peopleOf } from "./people.server.ts";

/** What a person made that does not outlast them: whoever rotates one takes it over. */
export type Made = ReturnType<typeof madeBy>;

/** Oldest first; without expired keys. `now`: epoch milliseconds. */
export const madeBy = (db: Db | Tx, personId: string, now: number) => ({
  keys: db
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.personId, personId),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
      ),
    )
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    .all(),
  webhooks: db
    .select({ id: webhooks.id, url: webhooks.url })
    .from(webhooks)
    .where(or(eq(webhooks.urlBy, personId), eq(webhooks.secretBy, personId)))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
    .all(),
});

/**
 * Takes somebody out of the account, or lets the acting person leave it. Their sessions, the links mailed to them and
 * the invitations they sent end with them, and so does what they made, which is returned. Throws person_not_found,
 * first_address_stays.
 */
export async function removePerson(
  ctx: Context,
  { accountId, personId: actingId, email }: Person,
  personId: string,
): Promise<Made & { email: string }> {
  const isLeaving = personId === actingId;
  const left = await commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    const person = peopleOf(tx, accountId).find(({ id }) => id === personId);
    if (!person) throw new DeedError("person_not_found");
    if (person.email === person.accountEmail) throw new DeedError("first_address_stays");
    const made = madeBy(tx, personId, now);
    for (const { id } of made.webhooks) endWebhook(tx, id, "person_left", now);
    for (const { name: subject } of made.keys)
      logAccountEvent(tx, accountId, "key_revoked", now, { email, subject });
    voidSignInLinks(tx, person.email);
    tx.delete(people).where(eq(people.id, personId)).run();
    markErased(tx);
    const kind = isLeaving ? "person_left" : "person_removed";
    logAccountEvent(tx, accountId, kind, now, { email: person.email });
    return { ...made, email: person.email };
  });
  ctx.log.info({ account: accountId, person: personId, isLeaving }, "person left the account");
  ctx.feed.wake(accountId);
  for (const { id } of left.webhooks) await giveUpPending(ctx, id);
  return left;
}
