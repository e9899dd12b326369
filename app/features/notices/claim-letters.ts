import { awaitedSentence } from "@deed/dns/words/diagnoses/publication.ts";
import { dateInWords } from "@deed/dns/words/wording.ts";
import type { Block } from "./mail-layout.ts";
import { formatTime, link, paragraph } from "./mail-parts.ts";
import {
  type NoticeFacts,
  type NoticeLetter,
  nameOf,
  recordFacts,
  subjectOf,
} from "./notice-facts.ts";

/** About a claim, by the kind of notice. */
export const CLAIM_LETTERS = {
  proved: (facts) => ({
    subject: `${subjectOf(facts)} is proved`,
    blocks: [
      paragraph(`You proved ${nameOf(facts)} on ${formatTime(facts.provedAt ?? facts.now)}.`),
      paragraph("You can delete the TXT record now."),
      link("Publish a link to the proof", facts.claimUrl),
    ],
  }),

  nudge: (facts) => ({
    subject: `${subjectOf(facts)} is not proved yet`,
    blocks: [
      paragraph(
        `You started to prove ${nameOf(facts)} on ${formatTime(facts.claimedAt)}. Deed has not found the record yet.`,
      ),
      ...outstandingBlocks(facts),
      paragraph(`Deed checks automatically until ${formatTime(facts.expiresAt)}.`),
      link("See the last checks, or check now", facts.claimUrl),
    ],
  }),

  expiring: (facts) => ({
    subject: `Last day to prove ${subjectOf(facts)}: ${formatTime(facts.expiresAt)}`,
    blocks: [
      paragraph(
        `${nameOf(facts)} is not proved yet, and its seven days end on ${formatTime(facts.expiresAt)}.`,
      ),
      ...outstandingBlocks(facts),
      paragraph(
        "Deed checks automatically until then. After that this value expires, and you can start again with a new one.",
      ),
      link("See the last checks, or check now", facts.claimUrl),
    ],
  }),

  expired: (facts) => ({
    subject: `${subjectOf(facts)} was not proved in time`,
    blocks: [
      paragraph(
        `Deed did not find the record of ${nameOf(facts)} by ${formatTime(facts.expiresAt)}, when its seven days ended. Its value has expired.`,
      ),
      link("Start again with a new value", facts.claimUrl),
    ],
  }),

  coexistence: (facts) => ({
    subject: `Another account has proved ${subjectOf(facts)}`,
    blocks: [
      paragraph(
        facts.other
          ? `${facts.other.maskedEmail} proved ${nameOf(facts)} on ${formatTime(facts.other.provedAt)}, as you did before.`
          : `Another account proved ${nameOf(facts)}, as you did before.`,
      ),
      paragraph(
        "Your proof stays valid. If you do not know who this is, check who can edit this domain at your DNS provider.",
      ),
      link("Your proof", facts.claimUrl),
    ],
  }),
} satisfies Record<string, NoticeLetter>;

/** The outstanding diagnosis or wait in words, and the record to add. */
function outstandingBlocks({ outstanding, wait, record }: NoticeFacts): Block[] {
  const blocks: Block[] = [];
  if (outstanding) blocks.push(...outstandingWords(outstanding).map(paragraph));
  else if (wait) blocks.push(paragraph(waitWords(wait)));
  if (record) {
    blocks.push(paragraph("The record to add:"), recordFacts(record));
  }
  return blocks;
}

const outstandingWords = ({ cause, registry, fix }: NonNullable<NoticeFacts["outstanding"]>) => [
  cause,
  ...(registry?.cause
    ? [`${registry.cause} (The registry, on ${dateInWords(registry.askedAt)}.)`]
    : []),
  registry?.fix ?? fix,
];

const NOTHING_TO_DO = "There is nothing for you to do.";

const WAITS: Record<NonNullable<NoticeFacts["wait"]>["reason"], string> = {
  first_check: "The first check is about to happen.",
  retry: `Deed could not reach DNS yet. ${NOTHING_TO_DO}`,
  negative_cache: `Your nameservers have the record. Public resolvers still have "not found" cached. ${NOTHING_TO_DO}`,
  nameserver_sync: `Some of your nameservers do not have the record yet. ${NOTHING_TO_DO}`,
};

const waitWords = ({ reason, observed }: NonNullable<NoticeFacts["wait"]>): string =>
  observed ? `${awaitedSentence(observed)} ${NOTHING_TO_DO}` : WAITS[reason];
