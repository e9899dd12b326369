import * as z from "zod";
import { type RegistryStatus, readStatus } from "./statuses.ts";

/** What a registry knows of a domain, checked: known statuses, dates and host names only. Instants are epoch milliseconds. */
export type Registration = {
  statuses: RegistryStatus[];
  expiresAt: number | null;
  /** In lower case, without a dot at the end; null if the answer does not say. */
  nameservers: string[] | null;
  /** Whether a DS record is set; null if the answer does not say. */
  delegationSigned: boolean | null;
};

const MOST_STATUSES = 30;
const MOST_NAMESERVERS = 13;
/** Dates outside these years are mistakes. */
const YEARS = [Date.UTC(1985, 0), Date.UTC(2200, 0)] as const;

/** A domain object (RFC 9083 section 5.3): the members that are used. A malformed member counts as missing. */
const DomainObject = z.object({
  objectClassName: z.literal("domain"),
  ldhName: z.string().max(255),
  status: z.array(z.string()).optional().catch(undefined),
  events: z
    .array(z.object({ eventAction: z.string(), eventDate: z.string().optional() }))
    .optional()
    .catch(undefined),
  nameservers: z
    .array(z.object({ ldhName: z.string().max(255) }))
    .optional()
    .catch(undefined),
  secureDNS: z.object({ delegationSigned: z.boolean().optional() }).optional().catch(undefined),
});

/** Host names as zones have them, in lower case. */
const HOST =
  /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
export const isHost = (text: string): boolean => HOST.test(text);

const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");

/** An RFC 3339 instant; null for anything else. */
function readInstant(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}([Tt ]|$)/.test(text) || text.length > 40) return null;
  const at = Date.parse(text);
  return at >= YEARS[0] && at < YEARS[1] ? at : null;
}

function expirationOf(events: z.infer<typeof DomainObject>["events"]): number | null {
  const expiration = events?.find(({ eventAction }) => eventAction.toLowerCase() === "expiration");
  return readInstant(expiration?.eventDate ?? "");
}

/** Reads the answer about `name` (ASCII, lower case); null if it is not a whole one about that very name. */
export function readRegistration(text: string, name: string): Registration | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const object = DomainObject.safeParse(json);
  if (!object.success || plain(object.data.ldhName) !== name) return null;
  const { status = [], events, nameservers, secureDNS } = object.data;
  const hosts = nameservers?.map(({ ldhName }) => plain(ldhName));
  return {
    statuses: [...new Set(status.slice(0, MOST_STATUSES).flatMap((one) => readStatus(one) ?? []))],
    expiresAt: expirationOf(events),
    nameservers: hosts?.every(isHost)
      ? [...new Set(hosts)].sort().slice(0, MOST_NAMESERVERS)
      : null,
    delegationSigned: secureDNS?.delegationSigned ?? null,
  };
}
