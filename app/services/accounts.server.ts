import type { Context } from "./context.server.ts";

export type Account = { id: string; email: string; mailEnabled: boolean; createdAt: number };

/** Lower-cases the address and returns its account, creating it at the first sign-in. */
export async function accountForEmail(_ctx: Context, _email: string): Promise<Account> {
  throw new Error("unwritten");
}
export function readAccount(_ctx: Context, _accountId: string): Account | null {
  throw new Error("unwritten");
}
export async function setMailEnabled(
  _ctx: Context,
  _accountId: string,
  _enabled: boolean,
): Promise<void> {
  throw new Error("unwritten");
}
/** Erases the account with everything it owns; its proof links stop resolving. */
export async function deleteAccount(_ctx: Context, _accountId: string): Promise<void> {
  throw new Error("unwritten");
}
/** A person as an OpenID Connect provider names them. */
export type Identity = { issuer: string; subject: string; email: string; emailVerified: boolean };

/**
 * The account of an identity: by issuer and subject; else, on a verified address alone, the account of
 * that address, made where there is none. Throws invalid_sign_in otherwise.
 */
export async function accountForIdentity(_ctx: Context, _identity: Identity): Promise<Account> {
  throw new Error("unwritten");
}
