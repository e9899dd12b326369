import type { Block } from "./mail-layout.ts";
import { formatTime, link, paragraph } from "./mail-parts.ts";
import {
  type NoticeFacts,
  type NoticeLetter,
  nameOf,
  recordFacts,
  subjectOf,
} from "./notice-facts.ts";

/** About a watched record, by the kind of notice. */
export const WATCH_LETTERS = {
  missing: (facts) => ({
    subject: `The record of ${subjectOf(facts)} is missing`,
    blocks: [
      paragraph(
        `Deed has not found the record of ${nameOf(facts)} since ${missingSince(facts)}. It was last seen on ${lastSeen(facts)}.`,
      ),
      ...keepWatching(facts, "If it should be there, add it again:"),
    ],
  }),

  lapsed: (facts) => ({
    subject: `The record of ${subjectOf(facts)} has been missing for seven days`,
    blocks: [
      paragraph(
        `Deed has not found the record of ${nameOf(facts)} since ${missingSince(facts)}. It still checks once a day.`,
      ),
      ...keepWatching(facts, "If it should be there, add it again:"),
    ],
  }),

  moved: (facts) => ({
    subject: `${subjectOf(facts)} has moved to other nameservers`,
    blocks: [
      paragraph(
        `All nameservers of ${nameOf(facts)} are others than on ${lastSeen(facts)}, when Deed last saw its record. The new ones do not have it.`,
      ),
      paragraph(
        "If you did not move the domain, ask your registrar at once who changed its nameservers.",
      ),
      ...keepWatching(facts, "If you did, add the record at the new DNS provider:"),
    ],
  }),

  gone: (facts) => ({
    subject: `The registry lists no nameservers for ${subjectOf(facts)}`,
    blocks: [
      paragraph(
        `The registry does not list nameservers for ${nameOf(facts)}, so nobody can find the domain. Deed last saw its record on ${lastSeen(facts)}.`,
      ),
      paragraph("Ask your registrar whether the domain has expired or is on hold."),
      ...keepWatching(facts, "Once it is back, this record should still be there:"),
    ],
  }),
} satisfies Record<string, NoticeLetter>;

/** What stays true of a watched proof, and what to do for it to be watched on. */
function keepWatching({ record, claimUrl }: NoticeFacts, add: string): Block[] {
  return [
    ...(record ? [paragraph(add), recordFacts(record)] : []),
    paragraph("Your proof keeps its date, and its links still work."),
    link("See what Deed found", claimUrl),
  ];
}

const lastSeen = ({ watch, now }: NoticeFacts) => formatTime(watch?.seenAt ?? now);
const missingSince = ({ watch, now }: NoticeFacts) => formatTime(watch?.missingSince ?? now);
