/** Every table, by subject. */
export * from "./schema/account-events.ts";
export * from "./schema/accounts.ts";
export * from "./schema/api-keys.ts";
export * from "./schema/claims.ts";
export * from "./schema/cluster.ts";
export * from "./schema/domains.ts";
export * from "./schema/handoffs.ts";
export * from "./schema/notices.ts";
export * from "./schema/proofs.ts";
export * from "./schema/registrations.ts";
export * from "./schema/watches.ts";
export * from "./schema/webhooks.ts";
