import { eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { people } from "#db/schema.ts";
import type { TxContext } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import {
  type Account,
  AccountRefused,
  accountWhere,
  logAccountEvent,
  openAccount,
  requireEnabled,
} from "./accounts.server.ts";

export type Identity = { issuer: string; subject: string; email: string; emailVerified: boolean };

/**
 * Finds the account by issuer and subject, or else by a verified address, to which it joins the identity. If there is
 * none, opens an account. Throws AccountRefused, or invalid_sign_in if the address is not verified.
 */
export function accountForIdentity(ctx: TxContext, tx: Tx, identity: Identity): Account {
  const { issuer, subject, email, emailVerified } = identity;
  const identityColumns = { oidcIssuer: issuer, oidcSubject: subject };
  const joinedRow = accountWhere(tx, identityColumns);
  if (joinedRow) return requireEnabled(joinedRow);
  if (!emailVerified)
    throw new DeedError("invalid_sign_in", {
      message: "The identity provider has not confirmed your address. Sign in by email instead.",
    });
  const row = accountWhere(tx, { email });
  if (!row) return openAccount(ctx, tx, email, identityColumns);
  const account = requireEnabled(row);
  if (row.oidcIssuer === issuer) throw new AccountRefused("identity");
  // The earlier identity is of another issuer, from before the operator changed providers.
  tx.update(people).set(identityColumns).where(eq(people.id, account.person.id)).run();
  logAccountEvent(tx, account.id, "identity_joined", ctx.clock(), { email });
  return account;
}
