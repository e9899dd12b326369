import type { Account } from "#app/services/accounts/accounts.server.ts";

/** Who has signed in, and where to go next: a path on this origin. */
export type SignInResult = { account: Account; callbackPath: string };
