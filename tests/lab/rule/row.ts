import { record, TOKEN } from "../case.ts";
import type { Presigned } from "../zones.ts";
import type { Backend, Host, Tld } from "./hosts.ts";

/** How resolvers are asked in a row. */
export type Resolvers =
  /** The three unbound, which validate. */
  | "unbound"
  | "none"
  /** Through somebody who has them leave out validation; `forged`: and who then says that they validated. */
  | "gullible"
  | "forged"
  /** Over TLS or HTTPS: passed on by somebody on the path, or impersonated by him. */
  | "tls"
  | "https"
  | "impersonatedTls"
  | "impersonatedHttps"
  /** In plain text, impersonated. */
  | "impersonated";

/** One zone of a row. */
export type RowZone = {
  /** Its name relative to the row's; the row's by default. */
  at?: string;
  /** The nameservers that the registry lists; none for a zone that only another zone of the row delegates. */
  servers: Host[];
  /** Those in its own NS records; the registry's by default. */
  own?: Host[];
  /** The records on each knotd, as lines; by default the token's on `has`, and none on `not`. */
  on?: Partial<Record<Backend, string[]>>;
  /** The nameservers that resolvers ask, or that each one asks; by default those with the token, or else all. */
  asks?: Host[] | Host[][];
  /** Signed on each knotd, as given; `ds`: the registry has the DS record of another key. */
  signed?: Partial<Record<Backend, Presigned>> & { ds?: "foreign" };
  /** SOA REFRESH, in seconds. */
  refresh?: number;
};

/** A zone, and how it is read. It is called after its row. */
export type Row = RowZone & {
  title: string;
  tld?: Tld;
  /** The name claimed, relative to the row's; the row's by default. */
  claims?: string;
  others?: RowZone[];
  resolvers?: Resolvers;
  /** Who answers for all, takes DNSSEC out of registries' answers, or answers for the nameservers, on the uplink. */
  uplink?: "forged" | "stripped" | "diverted";
};

/** A zone whose owner's server would deny the claim. */
export type Attack = Row & {
  /** What every read may come to, as describeDecision has it. */
  comesTo: RegExp;
  /** The nameserver that the reason given to the claimant names. */
  names?: Host;
};

/** An honest zone, proved by the read that starts so many seconds after its first one. */
export type Honest = Row & {
  /** Nameservers delegated, that answer, and that hold the token; all hold it by default. */
  count?: [delegated: number, answered: number, holding: number];
  /** Proved by the first read, or by another one to five minutes later. */
  reads?: 1 | 2;
};

/** One of two servers answers: proved by the second read. */
export const ONE_OF_TWO: Partial<Honest> = { count: [2, 1, 1], reads: 2 };
export const PARTIAL = /^absent (nameserver_sync|not_published)$/;
/** Whatever a proof waits for that resolvers deny. */
export const UNSEEN = /^(absent (nameserver_sync|not_published|negative_cache)|unresolvable)$/;

export const hosts = (kind: string, count: number, from = 1): Host[] =>
  Array.from({ length: count }, (_, index) => kind.replace("#", String(from + index)));

export const held = record(TOKEN);
export const apex = record(TOKEN, "@");

export const attack = (
  title: string,
  servers: Host[],
  comesTo: RegExp,
  more: Partial<Attack> = {},
): Attack => ({ title, servers, comesTo, ...more });
export const honest = (title: string, servers: Host[], more: Partial<Honest> = {}): Honest => ({
  title,
  servers,
  ...more,
});
