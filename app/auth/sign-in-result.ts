import type { Account } from "#app/services/accounts/accounts.server.ts";

/** Who has signed in, and where they wanted to go: a path on this origin. */
export type Arrival = { account: Account; callbackPath: string };
