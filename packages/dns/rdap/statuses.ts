/** The statuses of a domain in RDAP (RFC 8056 section 2); others are not taken over. */
export const REGISTRY_STATUSES = [
  "active",
  "add period",
  "associated",
  "auto renew period",
  "client delete prohibited",
  "client hold",
  "client renew prohibited",
  "client transfer prohibited",
  "client update prohibited",
  "inactive",
  "pending create",
  "pending delete",
  "pending renew",
  "pending restore",
  "pending transfer",
  "pending update",
  "redemption period",
  "renew period",
  "server delete prohibited",
  "server hold",
  "server renew prohibited",
  "server transfer prohibited",
  "server update prohibited",
  "transfer period",
] as const;
export type RegistryStatus = (typeof REGISTRY_STATUSES)[number];

/** Names of EPP that RDAP has another word for. */
const RENAMED: Record<string, RegistryStatus> = { ok: "active", linked: "associated" };

/** A status as registries write it ("clientHold", "Client Hold", "client_hold"); null if it is not one of the known. */
export function readStatus(text: string): RegistryStatus | null {
  const words = text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[\s_-]+/g, " ")
    .trim()
    .toLowerCase();
  return REGISTRY_STATUSES.find((status) => status === words) ?? RENAMED[words] ?? null;
}
