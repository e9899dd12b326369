import type { NOTICE_KINDS } from "#db/schema.ts";
import type { ChallengeRecord, WaitEstimate } from "../resources.ts";

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a notice mail may contain. Instants are epoch milliseconds, URLs absolute. */
export type NoticeFacts = {
  /** ASCII and Unicode forms of the name. */
  domain: string;
  unicodeDomain: string;
  /** URL of the claim's screen. */
  claimUrl: string;
  /** Page where notice mails are switched off. */
  settingsUrl: string;
  claimedAt: number;
  /** End of the claim's window. */
  expiresAt: number;
  /** When this account's claim was proved; null until then. */
  provedAt: number | null;
  /** The record to create, with host and value as the zone's panel takes them; null once the claim has ended. */
  record: ChallengeRecord | null;
  /** Cause and fix of the outstanding diagnosis; null if there is none. */
  outstanding: { cause: string; fix: string } | null;
  /** The wait, if there is one in place of a diagnosis. */
  wait: WaitEstimate | null;
  /** The other account's proof, for `coexistence`. */
  other: { maskedEmail: string; provedAt: number } | null;
  /** When the mail is written. */
  now: number;
};
