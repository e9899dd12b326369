import type { Observation } from "../verdict/observation.ts";
import type { Secure } from "../wire/secure-transport.ts";

/** A witness: a recursive validating resolver. */
export type WitnessAddress = {
  name: string;
  address: string;
  port: number;
  /** Over UDP and TCP, with nothing to tell a forger by, where absent. */
  secure?: Secure;
};

export type ReaderSettings = {
  /** Addresses of root servers by host name; the built-in IANA table where DNS_ROOT_HINTS is unset. */
  rootHints: { host: string; addresses: string[] }[];
  witnesses: WitnessAddress[];
  /** CIDRs of special-purpose ranges nameservers may live in. */
  allowAddresses: string[];
  /** CIDRs no nameserver may live in, allowed or not; none where absent. */
  denyAddresses?: string[];
  /** Certificates (PEM) that may sign the witnesses'; those Node trusts where absent. */
  authorities?: string[];
  /** Port of authoritative servers. */
  port: number;
  /** Packets to one address, all reads together; root servers and witnesses excepted. 3,000 a minute where absent. */
  packetsPerAddress?: { count: number; seconds: number }[];
  /** Epoch milliseconds; Date.now where absent. Durations are measured apart from it. */
  clock?: () => number;
};

export type ChallengeQuestion = {
  /** ASCII name D, the label H, the token T. */
  domain: string;
  label: string;
  token: string;
  /** Nameservers that earlier reads found delegated; asked for where no delegated server has the token. */
  formerNameservers?: () => readonly string[];
};

/** What anybody may read of a zone. */
export type ZoneReading =
  | {
      type: "read";
      /** The zone that holds the name. */
      zone: string;
      /** Lower case, no trailing dot, sorted. */
      nameservers: string[];
      /** Seconds, of the NS RRset. */
      ttl: number;
      /** min(TTL of the SOA record, MINIMUM), seconds (RFC 2308 section 5). */
      negativeTtl: number;
      at: number;
    }
  | { type: "no_delegation" }
  | { type: "unresolvable" };

/** What a wildcard of its zone gives a name that has no records of its own. */
export type WildcardReading =
  | {
      type: "read";
      /** "*.acme.com"; null where no wildcard answers for the name. */
      wildcard: string | null;
    }
  | { type: "unresolvable" };

/** Reads DNS. Never throws for what DNS does; rejects only when `signal` aborts. */
export type Reader = {
  readChallenge(question: ChallengeQuestion, signal: AbortSignal): Promise<Observation>;
  readZone(name: string, signal: AbortSignal): Promise<ZoneReading>;
  /** Which wildcard answers for `name` itself, with an address or a mail exchange: a record below `name` would end that. */
  readWildcard(name: string, signal: AbortSignal): Promise<WildcardReading>;
  /** Closes what is kept between reads; the sockets of a read close with it. */
  close(): void;
};
