import type { Anchor } from "../dnssec/anchors.ts";
import type {
  Exchange,
  Findings,
  Observation,
  RecordType,
  RestingResolver,
} from "../verdict/observation.ts";
import type { Secure } from "../wire/secure.ts";

export type WitnessAddress = {
  name: string;
  address: string;
  port: number;
  /** TLS or HTTPS; without it UDP and TCP, which do not protect against forgery. */
  secure?: Secure;
};

export type ReaderSettings = {
  rootHints: { host: string; addresses: string[] }[];
  /** Empty: no chain is read. */
  trustAnchors: readonly Anchor[];
  witnesses: WitnessAddress[];
  /** Other public resolvers, of which one may be asked where no nameserver has an old claim's record; default none. */
  outsiders?: WitnessAddress[];
  allowAddresses: string[];
  denyAddresses?: string[];
  authorities?: string[];
  port: number;
  /** By all reads together, except to root servers and witnesses; default 50 a second. */
  packetsPerAddress?: { count: number; seconds: number }[];
  /** How long servers have to answer, as a multiple of the usual; default 1. */
  patience?: number;
  /** Epoch milliseconds; default Date.now. Durations do not use it. */
  clock?: () => number;
  onPackets?: (packets: readonly Exchange[]) => void;
};

/** The record that a read is for. `accepted`: values that are as good as its token. */
export type Wanted = { type: RecordType; token: string; accepted: readonly string[] };

export const wantedIn = ({
  type = "TXT",
  token,
  accepted = [],
}: Pick<ChallengeQuestion, keyof Wanted>): Wanted => ({ type, token, accepted });

export type ChallengeQuestion = {
  domain: string;
  /** Empty for the domain itself. */
  label: string;
  token: string;
  /** Default TXT. */
  type?: RecordType | undefined;
  /** Other values that are as good. */
  accepted?: readonly string[] | undefined;
  /** Whether only the name itself is read, and nothing searched where it lacks the record. */
  isPlain?: boolean;
  /** Nameservers delegated in earlier reads; called only if no delegated server has the token. */
  formerNameservers?: () => readonly string[];
  /** Whether somebody waits for the read, which may change meanwhile; default no. Its packets go first. */
  isAwaited?: () => boolean;
  /** What the read before saw; called only if no delegated server has the token. Null: everything is searched. */
  before?: () => EarlierRead | null;
  /** Witnesses that denied the record to earlier reads: the others are asked in turn. Left out: all are asked at once. */
  tried?: Observation["tried"];
  /** As the read before left it. */
  known?: Observation["known"];
  /** As the read before left it. */
  outside?: Observation["outside"];
  /** For a record that signatures alone may prove, where nothing answers on port 53; left out: they are not read. */
  overHttps?: HttpsRead;
};

/** `openedAt`: when the claim was opened, epoch milliseconds. `held`: as the read before left it. */
export type HttpsRead = { openedAt: number; held: readonly RestingResolver[] };

/** `zone`: the one that `server` answers for. */
export type GlanceQuestion = Pick<ChallengeQuestion, "domain" | "label" | keyof Wanted> & {
  zone: string;
  server: Endpoint;
};

/** `said`: a digest of the answer. */
export type Glance =
  | { type: "answered"; said: string; hasToken: boolean }
  | { type: "silent" | "refused" };

export type EarlierRead = { answers: string; findings: Findings };

/** A nameserver's address has as many packets ahead of it as it may be sent: the read must be made again later. */
export class AddressFull extends Error {
  constructor(readonly address: string) {
    super(`${address} can be sent nothing more now`);
  }
}

export type Cut = {
  zone: string;
  parent: string;
  /** Lower case, sorted, without duplicates. */
  nameservers: string[];
  ttl: number;
};

export type GluedCut = { cut: Cut; glue: ReadonlyMap<string, string[]> };

export type Endpoint = { host: string; address: string };

/** A delegated nameserver and the address that answered; null if none of its known addresses did. */
export type ServerAddress = { host: string; address: string | null };

export type ZoneReading =
  /** `negativeTtl`: min(TTL of the SOA record, MINIMUM), seconds (RFC 2308 section 5). `signed`: the parent has DS. */
  | ({ type: "read"; negativeTtl: number; signed?: boolean; at: number } & Omit<Cut, "parent">)
  | { type: "no_delegation" }
  | { type: "unresolvable" };

/** Reads DNS. DNS failures are results, not errors; rejects only when `signal` aborts. */
export type Reader = {
  /** Also rejects with AddressFull. */
  readChallenge(question: ChallengeQuestion, signal: AbortSignal): Promise<Observation>;
  readZone(name: string, signal: AbortSignal): Promise<ZoneReading>;
  /** Asks one nameserver one question over UDP. What it says decides nothing. */
  glance(question: GlanceQuestion, signal: AbortSignal): Promise<Glance>;
  /** Whether there is room for a glance beside all reads. */
  mayGlance(address: string): boolean;
  /** Whether a read that begins now, and that nobody waits for, would find room at the address. */
  hasRoom(address: string): boolean;
  close(): void;
};
