import type { ChallengeRecord, Registry, WaitEstimate } from "#app/core/resources.ts";
import type { Block } from "./mail-layout.ts";

/** What a notice mail may contain. Instants are epoch milliseconds, URLs absolute. */
export type NoticeFacts = {
  /** ASCII and Unicode forms of the name. */
  domain: string;
  unicodeDomain: string;
  /** The account's own id of whom the domain is for; null for none. */
  reference: string | null;
  /** URL of the claim's screen. */
  claimUrl: string;
  /** Page where notice mails are switched off. */
  settingsUrl: string;
  claimedAt: number;
  /** End of the claim's window. */
  expiresAt: number;
  /** When this account's claim was proved; null until then. */
  provedAt: number | null;
  /** The record, with host and value as the zone's panel takes them; null if it need not be there. */
  record: ChallengeRecord | null;
  /** Cause and fix of the outstanding diagnosis, and what the registry adds; null if there is none. */
  outstanding: { cause: string; registry: Registry | null; fix: string } | null;
  /** The wait, if there is one in place of a diagnosis. */
  wait: WaitEstimate | null;
  /** The other account's proof, for `coexistence`. */
  other: { maskedEmail: string; provedAt: number } | null;
  /** What reads of a watched record have shown, and where watching is stopped; null if it is not watched. */
  watch: { seenAt: number; missingSince: number; stopUrl: string } | null;
  /** When the mail is written. */
  now: number;
};

/** What a notice mail says. */
export type NoticeLetter = (facts: NoticeFacts) => { subject: string; blocks: Block[] };

/** The ASCII form, and whom it is for: the name may be there once for each. */
export const subjectOf = ({ domain, reference }: NoticeFacts) =>
  reference === null ? domain : `${domain} for ${reference}`;

/** Always the ASCII form, with the Unicode form beside it if it differs, and whom it is for. */
export const nameOf = (facts: NoticeFacts) =>
  facts.unicodeDomain === facts.domain
    ? subjectOf(facts)
    : `${facts.unicodeDomain} (${subjectOf(facts)})`;

/** The record as the zone's panel takes it. */
export const recordFacts = (record: ChallengeRecord): Block => ({
  type: "facts",
  rows: [
    ["Type", record.type],
    ["Name", record.host],
    ["Value", record.value],
  ],
});
