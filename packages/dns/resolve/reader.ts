import type { Anchor } from "../dnssec/anchors.ts";
import type {
  Exchange,
  Findings,
  Observation,
  RecordType,
  RestingResolver,
} from "../verdict/observation.ts";
import type { Security } from "../wire/secure.ts";

export type WitnessAddress = {
  name: string;
  address: string;
  port: number;
  /** TLS or HTTPS. Without it UDP and TCP are used, which do not protect against forgery. */
  secure?: Security;
};

export type ReaderSettings = {
  rootHints: { host: string; addresses: string[] }[];
  /** The root's keys. If there are none, no chain is read. */
  trustAnchors: readonly Anchor[];
  witnesses: WitnessAddress[];
  /** Other public resolvers, of which one may be asked if no nameserver has an old claim's record. Default none. */
  outsiders?: WitnessAddress[];
  allowAddresses: string[];
  denyAddresses?: string[];
  authorities?: string[];
  port: number;
  /** The rate of packets to one address, over all reads; default 50 a second. Root servers and witnesses have none. */
  packetsPerAddress?: { count: number; seconds: number }[];
  /** How long to wait for servers, as a multiple of the usual time; default 1. */
  patience?: number;
  /** Returns epoch milliseconds; default Date.now. Durations are not measured with it. */
  clock?: () => number;
  onPackets?: (packets: readonly Exchange[]) => void;
};

/** The record to read. `accepted` are values that are as good as the token. */
export type WantedRecord = { type: RecordType; token: string; accepted: readonly string[] };

export const wantedIn = ({
  type = "TXT",
  token,
  accepted = [],
}: Pick<ChallengeQuestion, keyof WantedRecord>): WantedRecord => ({ type, token, accepted });

export type ChallengeQuestion = {
  domain: string;
  /** The name's part before the domain; empty for a record at the domain itself. */
  label: string;
  token: string;
  /** The type of the record; default TXT. */
  type?: RecordType | undefined;
  /** Other values that count as the token. */
  accepted?: readonly string[] | undefined;
  /** Whether to read only the name itself, without a search elsewhere if the record is missing. */
  isPlain?: boolean;
  /** Returns nameservers that earlier reads saw delegated; called only if no delegated server has the token. */
  formerNameservers?: () => readonly string[];
  /** Whether somebody waits for the read, so that its packets go first. This may change meanwhile; default no. */
  isAwaited?: () => boolean;
  /** Returns what the last read saw, or null to search everything; called only if no delegated server has the token. */
  before?: () => EarlierRead | null;
  /** Witnesses that denied the record to earlier reads. The others are asked in turn; without this, all at once. */
  tried?: Observation["tried"];
  /** What the last read's observation has as `known`. */
  known?: Observation["known"];
  /** What the last read's observation has as `outside`. */
  outside?: Observation["outside"];
  /** For a record that signatures alone may prove if nothing answers on port 53. Otherwise signatures are not read. */
  overHttps?: HttpsRead;
};

/** `openedAt` is when the claim was opened, in epoch milliseconds. `held` is from the last read's observation. */
export type HttpsRead = { openedAt: number; held: readonly RestingResolver[] };

/** `zone` is the zone that `server` serves. */
export type GlanceQuestion = Pick<ChallengeQuestion, "domain" | "label" | keyof WantedRecord> & {
  zone: string;
  server: Endpoint;
};

/** `digest` changes when the answer changes. */
export type Glance =
  | { type: "answered"; digest: string; hasToken: boolean }
  | { type: "silent" | "refused" };

export type EarlierRead = { answers: string; findings: Findings };

/** Too many packets wait for a nameserver's address already. The read can be tried again later. */
export class AddressFull extends Error {
  constructor(readonly address: string) {
    super(`${address} can be sent nothing more now`);
  }
}

export type Cut = {
  zone: string;
  parent: string;
  /** Host names in lower case, sorted, without duplicates. */
  nameservers: string[];
  ttl: number;
};

export type GluedCut = { cut: Cut; glue: ReadonlyMap<string, string[]> };

export type Endpoint = { host: string; address: string };

/** A delegated nameserver and the address that answered; null if none of its known addresses answered. */
export type ServerAddress = { host: string; address: string | null };

export type ZoneReading =
  /** `negativeTtl` is min(SOA TTL, MINIMUM) in seconds (RFC 2308 section 5). `signed`: whether the parent has DS. */
  | ({ type: "read"; negativeTtl: number; signed?: boolean; at: number } & Omit<Cut, "parent">)
  | { type: "no_delegation" }
  | { type: "unresolvable" };

/** Reads DNS. A DNS failure is a result, not an error; rejects only when `signal` aborts. */
export type Reader = {
  /** Also rejects with AddressFull. */
  readChallenge(question: ChallengeQuestion, signal: AbortSignal): Promise<Observation>;
  readZone(name: string, signal: AbortSignal): Promise<ZoneReading>;
  /** Asks one nameserver one question over UDP. Its answer decides nothing. */
  glance(question: GlanceQuestion, signal: AbortSignal): Promise<Glance>;
  /** Whether a glance would leave room for all reads. */
  mayGlance(address: string): boolean;
  /** Whether the address has room for a read that begins now and that nobody waits for. */
  hasRoom(address: string): boolean;
  close(): void;
};
