/** How a DNS question was sent. */
export type Transport = "udp" | "tcp" | "tls" | "https";

/** How far the proof holds without the word of the installation, strongest first. */
export const ASSURANCES = ["dnssec", "witnessed", "nameservers"] as const;
export type Assurance = (typeof ASSURANCES)[number];

export const RECEIPT_FORMAT = "deed-receipt/1";
export const STATEMENT_TYPE = "deed-proof+jwt";
/** The rule by which the proof was decided; its page never changes. */
export const PROOF_RULE = "deed-proof/1";

/** The claims of a statement. Names are in A-label form, lower case, without the trailing dot. */
export type Statement = {
  /** Origin of the installation that signed, without a trailing slash. */
  iss: string;
  /** The name whose control was proved. */
  sub: string;
  /** When the statement was signed, in seconds since 1970. */
  iat: number;
  challengeName: string;
  token: string;
  /** When the read that proved it ended: ISO 8601, UTC, with milliseconds. */
  provedAt: string;
  scope: "exact_name";
  rule: typeof PROOF_RULE;
  nameservers: {
    name: string;
    /** Null if none was found, or none was asked. */
    address: string | null;
    asked: boolean;
    answered: boolean;
    held: boolean;
    /** Of the answer; null without one. */
    transport: Transport | null;
  }[];
  /** Resolvers asked beside the zone's own nameservers. `ad`: validated by that resolver. */
  witnesses: { name: string; transport: Transport; agreed: boolean; ad: boolean }[];
  dnssec: "secure" | "insecure" | "indeterminate";
  assurance: Assurance;
  /** SHA-256 over the canonical JSON (RFC 8785) of the evidence; base64url. */
  evidenceSha256: string;
  /** The holder's address, masked. */
  heldBy: string;
  /** SHA-256 over a salt of 16 octets and the holder's address in UTF-8, lower case; base64url. */
  holderCommitment: string;
};

/** A receipt, as the file has it. */
export type Receipt = {
  format: typeof RECEIPT_FORMAT;
  /** Compact JWS (RFC 7515) by Ed25519 (RFC 8037), over the canonical JSON of a Statement. */
  statement: string;
  /** The RRsets from the root's keys to the token, as base64 (RFC 4648 section 4); null unless `dnssec` is secure. */
  dnssec: { chain: string } | null;
  log: null;
};
