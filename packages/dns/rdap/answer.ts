import * as z from "zod";

/** The statuses of a domain in RDAP (RFC 8056 section 2). Others are ignored. */
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

const STATUS_SYNONYMS: Record<string, RegistryStatus> = { ok: "active", linked: "associated" };

/** Reads a status, which registries write as "clientHold", "Client Hold" or "client_hold". Null if it is unknown. */
export function readStatus(text: string): RegistryStatus | null {
  const words = text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[\s_-]+/g, " ")
    .trim()
    .toLowerCase();
  return REGISTRY_STATUSES.find((status) => status === words) ?? STATUS_SYNONYMS[words] ?? null;
}

/** What a registry says about a domain: only known statuses, dates and host names. Times are epoch milliseconds. */
export type Registration = NonNullable<ReturnType<typeof readRegistration>>;

const MAX_STATUSES = 30;
const MAX_NAMESERVERS = 13;
const DATE_RANGE = [Date.UTC(1985, 0), Date.UTC(2200, 0)] as const;

const orMissing = <S extends z.ZodType>(shape: S) => shape.optional().catch(undefined);
const ldhName = z.string().max(255);
const event = z.object({ eventAction: z.string(), eventDate: z.string().optional() });

/** A domain object (RFC 9083 section 5.3): only the members that are used here. */
const DomainObject = z.object({
  objectClassName: z.literal("domain"),
  ldhName,
  status: orMissing(z.array(z.string())),
  events: orMissing(z.array(event)),
  nameservers: orMissing(z.array(z.object({ ldhName }))),
  secureDNS: orMissing(z.object({ delegationSigned: z.boolean().optional() })),
});

const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
export const isHost = (text: string): boolean => HOST_NAME.test(text);

const normalizeName = (name: string) => name.toLowerCase().replace(/\.$/, "");

function readInstant(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}([Tt ]|$)/.test(text) || text.length > 40) return null;
  const time = Date.parse(text);
  return time >= DATE_RANGE[0] && time < DATE_RANGE[1] ? time : null;
}

export function readShape<T>(text: string, shape: z.ZodType<T>): T | null {
  try {
    return shape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Reads the answer about `name` (ASCII, lower case); null if it is incomplete or about another name. */
export function readRegistration(text: string, name: string) {
  const object = readShape(text, DomainObject);
  if (!object || normalizeName(object.ldhName) !== name) return null;
  const { status = [], events = [], nameservers, secureDNS } = object;
  const hosts = nameservers?.map(({ ldhName }) => normalizeName(ldhName));
  const dateOf = (action: string) =>
    readInstant(events.find((item) => item.eventAction.toLowerCase() === action)?.eventDate ?? "");
  return {
    statuses: [...new Set(status.slice(0, MAX_STATUSES).flatMap((word) => readStatus(word) ?? []))],
    registeredAt: dateOf("registration"),
    expiresAt: dateOf("expiration"),
    /** Host names in lower case, without a dot at the end; null if the answer has none. */
    nameservers: hosts?.every(isHost) ? [...new Set(hosts)].sort().slice(0, MAX_NAMESERVERS) : null,
    delegationSigned: secureDNS?.delegationSigned ?? null,
  };
}
