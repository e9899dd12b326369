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
