import { capital } from "@deed/dns/words/wording.ts";
import { claimPath } from "#app/core/names/prove-path.ts";
import { iso } from "#app/core/time.ts";
import { type Trouble, troubleWords } from "#app/features/watching/trouble.ts";
import { isTrouble } from "#app/features/watching/watch-states.ts";
import type { StateLabel, Tone } from "#app/ui/page.tsx";
import type { Attempt } from "../claims/resources.ts";
import type { ReadGroup } from "./claim-screen-reads.ts";

/** One line of a timeline. `until` is when it was last true, `to` a link to more about it. */
export type Entry = {
  at: string;
  tone: Tone;
  mark?: Tone | undefined;
  says: string;
  more?: string | undefined;
  until?: string;
  to?: string | undefined;
};

const KINDS = {
  opened: { tone: "ended", word: "Claim opened" },
  proved: { tone: "proved", word: "Proved" },
  expired: { tone: "ended", word: "Expired" },
  canceled: { tone: "ended", word: "Canceled" },
  handed_off: { tone: "ended", word: "Handed off" },
  taken_back: { tone: "ended", word: "Hand-off link revoked" },
  published: { tone: "proved", word: "Proof link published" },
  revoked: { tone: "ended", word: "Proof link revoked" },
  watched: { tone: "proved", word: "Watched" },
  coexistence: { tone: "ended", word: "Proved by another account too" },
  back: { tone: "proved", word: "Record there again, last seen" },
  deleted: { tone: "ended", word: "Record deleted" },
} as const satisfies Record<string, StateLabel>;

/** `what` is the end of a value, or the slug of a link. */
export type DomainEvent = {
  kind: keyof typeof KINDS | Trouble;
  claimId: string;
  at: number;
  what: string | null;
};

const TRIGGERS: Record<Attempt["trigger"], string> = {
  first_check: "first check",
  scheduled: "on schedule",
  requested: "by hand",
  deadline: "last check",
};

/** Makes one entry of the checks with the same result, at the time of the first. `path` is the page's, without its query. */
export const checkEntries = (groups: readonly ReadGroup[], path: string): Entry[] =>
  groups.map(({ id, at, since, trigger, results }) => {
    const count = results.reduce((sum, one) => sum + one.count, 0);
    const says = results.map(({ says, count }) =>
      results.length > 1 ? `${says} (${count})` : says,
    );
    return {
      ...{ at: since, tone: results[0]?.tone ?? "ended", mark: results[0]?.mark },
      says: says.join(", "),
      ...(count > 1 ? { more: `${count} checks`, until: at } : { more: TRIGGERS[trigger] }),
      to: `${path}read=${id}#evidence`,
    };
  });

/** Lists a domain's events and the checks of one of its claims, newest first, like `events` and `groups`. */
export function timelineOf(
  events: readonly DomainEvent[],
  groups: readonly ReadGroup[],
  { domainId, claimId: shown }: { domainId: string; claimId: string },
): Entry[] {
  const checks = checkEntries(groups, `${claimPath(domainId, shown)}&`);
  const provedIndex = groups.findIndex(({ results }) => results[0]?.tone === "proved");
  const firstProof = events.findLast(({ kind }) => kind === "proved");
  const entries = events.map((event): Entry => {
    const { kind, claimId, what } = event;
    const { tone, word } = isTrouble(kind) ? troubleWords(kind) : KINDS[kind];
    const isAgain = kind === "proved" && event !== firstProof;
    const dateNote = kind === "missing" ? "confirmed by another check" : "when you were notified";
    const troubleNote = isTrouble(kind) ? dateNote : undefined;
    const more = what === null ? troubleNote : kind === "opened" ? `value …${what}` : `/p/${what}`;
    const proof = kind === "proved" && claimId === shown ? checks[provedIndex]?.to : undefined;
    return {
      ...{ at: iso(event.at), tone, says: isAgain ? `${word} again` : capital(word), more },
      to: kind === "opened" ? claimPath(domainId, claimId) : proof,
    };
  });
  const failedChecks = checks.filter((_, index) => index !== provedIndex);
  // A stable sort: events of the same moment keep their order.
  return [...entries, ...failedChecks].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
