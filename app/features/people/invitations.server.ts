import { and, eq, gt, lte, sql } from "drizzle-orm";
import {
  accountWhere,
  eraseAccount,
  logAccountEvent,
  type Person,
  requireEnabled,
} from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { DAY } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { accounts, domains, invitations, people } from "#db/schema.ts";
import { MAX_OTHERS, peopleOf, toInvitation } from "./people.server.ts";
import type { Invitation } from "./resources.ts";

export const INVITATION_DAYS = 7;
const LIFETIME_MS = INVITATION_DAYS * DAY;

/** Invites a canonical address, and cancels an earlier invitation. Throws already_in_account, too_many_people. */
export async function invite(
  ctx: Context,
  { accountId, personId, email: invitedBy }: Person,
  email: string,
  tokenHash: string,
): Promise<Invitation> {
  return commit(ctx, (tx, _, now) => {
    const members = peopleOf(tx, accountId);
    if (members.some((one) => one.email === email)) throw new DeedError("already_in_account");
    const isOfAccount = eq(invitations.accountId, accountId);
    const isReplaced = sql`${isOfAccount} and (email = ${email} or expires_at <= ${now})`;
    tx.delete(invitations).where(isReplaced).run();
    const others = tx.select().from(invitations).where(isOfAccount).all();
    if (members.length + others.length > MAX_OTHERS) throw new DeedError("too_many_people");
    const id = newId("inv", now);
    const times = { createdAt: now, expiresAt: now + LIFETIME_MS };
    const row = { id, accountId, invitedBy: personId, email, tokenHash, ...times };
    tx.insert(invitations).values(row).run();
    logAccountEvent(tx, accountId, "person_invited", now, { email: invitedBy, subject: email });
    return toInvitation({ id, email, invitedBy, ...times });
  });
}

/** Withdraws an invitation. Throws invitation_not_found. */
export async function withdrawInvitation(ctx: Context, { accountId, email }: Person, id: string) {
  await commit(ctx, (tx, _, now) => {
    const isThisInvitation = and(eq(invitations.id, id), eq(invitations.accountId, accountId));
    const withdrawn = tx.delete(invitations).where(isThisInvitation).returning().get();
    const { email: subject } = orThrow(withdrawn, "invitation_not_found");
    logAccountEvent(tx, accountId, "invitation_withdrawn", now, { email, subject });
  });
}

function findInvitation(db: Db | Tx, tokenHash: string, now: number) {
  const { id, accountId, email, expiresAt } = invitations;
  // An expiry later than this was set while the clock was ahead.
  const isOpen = and(gt(expiresAt, now), lte(expiresAt, now + LIFETIME_MS));
  return db
    .select({ id, accountId, email, accountEmail: accounts.email, invitedBy: people.email })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .innerJoin(people, eq(people.id, invitations.invitedBy))
    .where(and(eq(invitations.tokenHash, tokenHash), isOpen))
    .get();
}

/** An open invitation, for the server only: the page masks the account's address. */
export type OpenInvitation = NonNullable<ReturnType<typeof findInvitation>>;

/** Returns the open invitation of a token; null if it was used, declined or withdrawn, or has expired. */
export const readInvitation = (ctx: Context, tokenHash: string): OpenInvitation | null =>
  findInvitation(ctx.db, tokenHash, ctx.clock()) ?? null;

/** Takes out the invitation of a token, which can be answered once. Throws invitation_not_found. */
function takeInvitation(tx: Tx, tokenHash: string, now: number): OpenInvitation {
  const invitation = orThrow(findInvitation(tx, tokenHash, now), "invitation_not_found");
  tx.delete(invitations).where(eq(invitations.id, invitation.id)).run();
  return invitation;
}

/** Deletes the account of an invited address if it has no domains and no other people. Throws address_has_account. */
function deleteEmptyAccount(tx: Tx, email: string): void {
  const account = accountWhere(tx, { email });
  if (!account) return;
  const { id, disabledAt } = account;
  const message = "This address has a disabled account. Ask the operator to enable it.";
  if (disabledAt !== null) throw new DeedError("address_has_account", { message });
  const domain = tx.select().from(domains).where(eq(domains.accountId, id)).get();
  if (domain || peopleOf(tx, id).length > 1) throw new DeedError("address_has_account");
  eraseAccount(tx, id);
}

/** Adds a person to an account. `left` is the account that was deleted. Throws invitation_not_found, address_has_account. */
export function acceptInvitation(ctx: TxContext, tx: Tx, tokenHash: string) {
  const now = ctx.clock();
  const { accountId, email } = takeInvitation(tx, tokenHash, now);
  const left = accountWhere(tx, { email })?.id;
  deleteEmptyAccount(tx, email);
  const id = newId("per", now);
  tx.insert(people).values({ id, accountId, email, mailProvedAt: now, createdAt: now }).run();
  logAccountEvent(tx, accountId, "person_joined", now, { email });
  const row = accountWhere(tx, { email });
  if (!row) throw new Error("the person who just joined is missing");
  return { account: requireEnabled(row), left };
}

/** Declines an invitation. Throws invitation_not_found. */
export async function declineInvitation(ctx: Context, tokenHash: string): Promise<void> {
  await commit(ctx, (tx, _, now) => {
    const { accountId, email } = takeInvitation(tx, tokenHash, now);
    logAccountEvent(tx, accountId, "invitation_declined", now, { email });
  });
}
