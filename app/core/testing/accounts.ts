import { acceptInvitation } from "#app/features/people/invitations.server.ts";
import type { Account, Person } from "../accounts/accounts.server.ts";
import { findOrOpenAccount } from "../accounts/accounts.server.ts";
import {
  type Identity,
  accountForIdentity as inTransaction,
} from "../accounts/identities.server.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";

export const personOf = ({ id, person }: Account): Person => ({
  accountId: id,
  personId: person.id,
  email: person.email,
});

export const accountForEmail = (ctx: Context, email: string): Promise<Account> =>
  commit(ctx, (tx, ctx) => findOrOpenAccount(ctx, tx, email));

export const accountForIdentity = (ctx: Context, identity: Identity): Promise<Account> =>
  commit(ctx, (tx, ctx) => inTransaction(ctx, tx, identity));

export const joinAccount = async (ctx: Context, tokenHash: string): Promise<Account> =>
  (await commit(ctx, (tx, ctx) => acceptInvitation(ctx, tx, tokenHash))).account;
