import type { NOTICE_KINDS } from "#db/schema.ts";
import type { ChallengeRecord, WaitEstimate } from "../resources.ts";

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What the mail of a notice may say. Instants are epoch milliseconds, URLs absolute. */
export type NoticeFacts = {
  /** ASCII and Unicode form of the name. */
  domain: string;
  unicodeDomain: string;
  /** The claim's screen. */
  claimUrl: string;
  /** Where notice mails are switched off. */
  settingsUrl: string;
  claimedAt: number;
  /** End of the claim's window. */
  expiresAt: number;
  /** When this account's claim was proved; null while it is not. */
  provedAt: number | null;
  /** The record to create, host and value as the zone's panel takes them; null once the claim has ended. */
  record: ChallengeRecord | null;
  /** The outstanding diagnosis, in its sentences; null where there is none. */
  outstanding: { cause: string; fix: string } | null;
  /** The wait in place of a diagnosis. */
  wait: WaitEstimate | null;
  /** The other account's proof, for `coexistence`. */
  other: { maskedEmail: string; provedAt: number } | null;
  /** When the mail is written. */
  now: number;
};
