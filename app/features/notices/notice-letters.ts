import { waitSentence } from "@deed/dns/words/diagnoses/publication.ts";
import { dateInWords, joinList, momentInWords } from "@deed/dns/words/wording.ts";
import type { NoticeKind } from "#app/core/feed/feed.server.ts";
import { iso } from "#app/core/time.ts";
import type { ChallengeRecord, WaitEstimate } from "#app/features/claims/resources.ts";
import type { Registry } from "#app/features/zones/resources.ts";
import type { WatchRow } from "../claims/watch.ts";
import { type Trouble, type TroubleWords, troubleWords } from "../watching/trouble.ts";
import { type Block, link, type MailBody, renderMail } from "./mail-texts.ts";

type WatchTime = "seenAt" | "missingSince" | "registeredAt" | "expiresAt";

/** All that a notice mail may contain. Instants are epoch milliseconds, URLs absolute. */
export type NoticeFacts = {
  domain: string;
  unicodeDomain: string;
  /** The account's id for the customer whose domain this is, or null. */
  reference: string | null;
  claimUrl: string;
  /** The page that switches notice mails off. */
  settingsUrl: string;
  claimedAt: number;
  expiresAt: number;
  /** When this account's claim was proved; null until then. */
  provedAt: number | null;
  /** The record, with host and value for the zone's panel; null if it is not needed. */
  record: ChallengeRecord | null;
  /** Cause and fix of the current diagnosis, and what the registry adds; null if there is none. */
  outstanding: { cause: string; registry: Registry | null; fix: string } | null;
  wait: WaitEstimate | null;
  /** `fate` says whether the record may be removed, `trouble` what is wrong with the proof; null if nothing is. */
  fate: string;
  trouble: Pick<TroubleWords, "kind" | "isLost" | "says" | "worth"> | null;
  /** The other account's proof, for `coexistence`. */
  other: { maskedEmail: string; provedAt: number } | null;
  /** What reads of a watched record found, and the link to stop watching; null if it is not watched. */
  watch: (Pick<WatchRow, WatchTime | "movedTo" | "every"> & { stopUrl: string }) | null;
  now: number;
};

/** Returns a name in ASCII, with its customer: several customers may have the same name. */
const subjectOf = ({ domain, reference }: NoticeFacts) =>
  reference === null ? domain : `${domain} for ${reference}`;

const nameOf = (facts: NoticeFacts) =>
  facts.unicodeDomain === facts.domain
    ? subjectOf(facts)
    : `${facts.unicodeDomain} (${subjectOf(facts)})`;

const troubleSubject = (kind: Trouble, facts: NoticeFacts) =>
  subjectOf(facts) + troubleWords(kind, `on ${expiry(facts)}`).says;

const recordFacts = (record: ChallengeRecord): Block => ({
  facts: Object.entries({ Type: record.type, Name: record.host, Value: record.value }),
});

/** Says how good the holder's proof is, in a mail about another account's proof. */
function holderProofText({ trouble }: NoticeFacts): string {
  if (trouble?.isLost) return `Do not rely on your own proof now: the domain${trouble.says}.`;
  if (trouble?.kind === "missing")
    return "Be careful with your own proof now: its record is missing.";
  return "Your proof is still valid.";
}

const formatTime = (at: number) => momentInWords(iso(at));

const LETTERS: Record<NoticeKind, (facts: NoticeFacts) => [subject: string, ...Block[]]> = {
  proved: (facts) => [
    `${subjectOf(facts)} is proved`,
    `You proved ${nameOf(facts)} on ${formatTime(facts.provedAt ?? facts.now)}.`,
    facts.fate,
    link("Share the proof", facts.claimUrl),
  ],

  nudge: (facts) => [
    `${subjectOf(facts)} is not proved yet`,
    `You started to prove ${nameOf(facts)} on ${formatTime(facts.claimedAt)}.${facts.wait?.reason === "retry" ? "" : " Deed has not found the record yet."}`,
    ...outstandingBlocks(facts),
    `Deed checks automatically until ${formatTime(facts.expiresAt)}.`,
    link("See the last checks", facts.claimUrl),
  ],

  expiring: (facts) => [
    `Last day to prove ${subjectOf(facts)}: ${formatTime(facts.expiresAt)}`,
    `${nameOf(facts)} is not proved yet, and its seven days end on ${formatTime(facts.expiresAt)}.`,
    ...outstandingBlocks(facts),
    "Deed checks automatically until then. After that this value expires, and you can start again with a new one.",
    link("See the last checks", facts.claimUrl),
  ],

  expired: (facts) => [
    `${subjectOf(facts)} was not proved in time`,
    `Deed did not find the record of ${nameOf(facts)} by ${formatTime(facts.expiresAt)}, when its seven days ended. ${facts.fate}`,
    link("Start again", facts.claimUrl),
  ],

  coexistence: (facts) => [
    `Another account has proved ${subjectOf(facts)}`,
    facts.other
      ? `${facts.other.maskedEmail} proved ${nameOf(facts)} on ${formatTime(facts.other.provedAt)}, as you did before.`
      : `Another account proved ${nameOf(facts)}, as you did before.`,
    `${holderProofText(facts)} If you do not know who this is, check who can edit this domain at your DNS provider.`,
    link("See your proof", facts.claimUrl),
  ],

  missing: (facts) => [
    troubleSubject("missing", facts),
    `Deed has not found the record of ${nameOf(facts)} since ${missingSince(facts)}. The record was last seen on ${lastSeen(facts)}.`,
    ...keepWatching(facts, "The record to add again:"),
  ],

  lapsed: (facts) => [
    troubleSubject("lapsed", facts),
    `Deed has not found the record of ${nameOf(facts)} since ${missingSince(facts)}. It still checks once ${facts.watch?.every === "hour" ? "an hour" : "a day"}.`,
    ...keepWatching(facts, "The record to add again:"),
  ],

  moved: (facts) => [
    troubleSubject("moved", facts),
    `All nameservers of ${nameOf(facts)} have changed since ${lastSeen(facts)}, when Deed last saw its record. The new nameservers${facts.watch?.movedTo ? `, ${joinList(facts.watch.movedTo)},` : ""} do not have it.`,
    ...keepWatching(
      facts,
      "If you did not move the domain, find out at once who did: ask your registrar, or whoever runs the zone above it. If you did, add the record at the new DNS provider:",
    ),
  ],

  gone: (facts) => [
    troubleSubject("gone", facts),
    `The registry does not list nameservers for ${nameOf(facts)}, so nobody can find the domain. Deed last saw its record on ${lastSeen(facts)}.`,
    "Ask your registrar whether the domain has expired or is on hold.",
    ...keepWatching(facts, "Once it is back, this record should still be there:"),
  ],

  registration_expiring: (facts) => [
    troubleSubject("registration_expiring", facts),
    `According to the registry, the registration of ${nameOf(facts)} ends on ${expiry(facts)}, unless it renews automatically. After that somebody else may register the domain.`,
    "Check with your registrar that the renewal is set up and paid for.",
    ...keepWatching({ ...facts, record: null }, ""),
  ],

  registered_again: (facts) => [
    troubleSubject("registered_again", facts),
    `According to the registry, ${nameOf(facts)} was registered on ${formatTime(facts.watch?.registeredAt ?? facts.now)}. You proved it before, on ${formatTime(facts.provedAt ?? facts.now)}.`,
    "If you registered it again, prove it again. If not, it is no longer yours: revoke your proof link and stop watching.",
    ...keepWatching({ ...facts, record: null }, ""),
  ],
};

export function noticeMail(kind: NoticeKind, facts: NoticeFacts): MailBody {
  const [subject, ...blocks] = LETTERS[kind](facts);
  return renderMail(subject, blocks, [
    `You received this email because ${facts.watch ? "Deed watches this record for your account" : "you started to prove this domain on Deed"}.`,
    ...(facts.watch ? [link("Stop watching this record", facts.watch.stopUrl)] : []),
    link("Turn off these emails", facts.settingsUrl),
  ]);
}

function outstandingBlocks({ outstanding, wait, record, fate }: NoticeFacts): Block[] {
  const words = outstanding ? outstandingWords(outstanding) : wait ? [waitWords(wait)] : [];
  const toAdd = record ? ["The record to add:", recordFacts(record), fate] : [];
  return [...words, ...toAdd];
}

const outstandingWords = ({ cause, registry, fix }: NonNullable<NoticeFacts["outstanding"]>) => [
  cause,
  ...(registry?.cause
    ? [`${registry.cause} The registry said so on ${dateInWords(registry.askedAt)}.`]
    : []),
  registry?.fix ?? fix,
];

const NOTHING_TO_DO = "There is nothing for you to do.";

const WAITS: Record<NonNullable<NoticeFacts["wait"]>["reason"], string> = {
  first_check: "The first check is about to start.",
  retry: `Deed could not reach DNS yet. ${NOTHING_TO_DO}`,
  negative_cache: `Your nameservers have the record. Public resolvers still have the old answer cached. ${NOTHING_TO_DO}`,
  nameserver_sync: `Some of your nameservers do not have the record yet. ${NOTHING_TO_DO}`,
};

function waitWords(wait: NonNullable<NoticeFacts["wait"]>): string {
  const awaited = waitSentence(wait);
  return awaited ? `${awaited} ${NOTHING_TO_DO}` : WAITS[wait.reason];
}

/** Says what is still true of a watched proof, and what to do to keep it watched. */
const keepWatching = ({ record, fate, trouble, claimUrl }: NoticeFacts, add: string): Block[] => [
  ...(trouble?.isLost ? [trouble.worth] : []),
  fate,
  ...(record ? [add, recordFacts(record)] : []),
  "Your proof keeps its date, and its links still work.",
  link("See what Deed found", claimUrl),
];

const lastSeen = ({ watch, now }: NoticeFacts) => formatTime(watch?.seenAt ?? now);
const expiry = ({ watch, now }: NoticeFacts) => dateInWords(iso(watch?.expiresAt ?? now));
const missingSince = ({ watch, now }: NoticeFacts) => formatTime(watch?.missingSince ?? now);
