import { durationInWords } from "@deed/dns/words/wording.ts";
import { DAY, HOUR, iso } from "#app/core/time.ts";
import type { Tone } from "#app/ui/page.tsx";
import { dayText } from "#app/ui/time.tsx";
import type { Loss, WatchTrouble } from "#db/schema.ts";
import type { Watch } from "../claims/watch.ts";
import { LAPSE_MS, RENEWED_BY_REGISTRY, WARNINGS } from "./watch-states.ts";

/** The kinds of things that are wrong with a proof, or soon may be; they have the names of its notices. */
export type Trouble = WatchTrouble | "registration_expiring";

/** What the holder should do, and the case in which to do it, if it is not always right. */
type Advice = { when?: string; act: string };

const addAgain = (isWatched: boolean): Advice[] => [
  {
    act: isWatched
      ? "Add the record again, or prove the domain again with a new one."
      : "Prove the domain again with a new record.",
  },
];

/**
 * The words after a domain's name: a verb, now and once it is over, and `word`, which stands alone in the chip. `toDo` is
 * for the holder; about a change, first if they made it and then if they did not.
 */
type Words = { verbs: [string, string]; word: string; toDo: (isWatched: boolean) => Advice[] };

const WORDS: Record<Trouble, Words> = {
  missing: { verbs: [" is ", " was "], word: "missing its record", toDo: addAgain },
  lapsed: { verbs: [" has ", " had "], word: "lost its record", toDo: addAgain },
  moved: {
    verbs: [" has ", " had "],
    word: "moved to other nameservers",
    toDo: (isWatched) => [
      {
        when: "you moved it",
        act: `${isWatched ? "add the record at the new provider, or " : ""}prove it again.`,
      },
      {
        when: "you did not move it",
        act: "revoke the link. Then ask your registrar, or whoever runs the zone above it, who moved it.",
      },
    ],
  },
  gone: {
    verbs: [" has ", " had "],
    word: "no nameservers at the registry",
    toDo: () => [{ act: "Ask your registrar whether the domain has expired or is on hold." }],
  },
  registered_again: {
    verbs: [" was ", " was "],
    word: "registered again",
    toDo: (isWatched) => [
      { when: "you registered it again", act: "prove it again." },
      {
        when: "you did not register it again",
        act: `it is no longer yours: revoke the link${isWatched ? " and stop watching" : ""}.`,
      },
    ],
  },
  registration_expiring: {
    verbs: [": ", ": "],
    word: "registration ends soon",
    toDo: () => [{ act: "Check with your registrar that the renewal is set up and paid for." }],
  },
};

type WatchedDomain = { domain: string; loss: Loss | null; watch: Watch | null };

/** Returns what is wrong with a proof, as one state, by the watch of the proof and the loss of the domain. */
function kindOf({ domain, loss, watch }: WatchedDomain, left: number) {
  const state = watch?.state ?? "published";
  if (state === "registered_again") return state;
  // The domain is back at its nameservers, but the record is not.
  if (loss) return state === "missing" ? "lapsed" : loss;
  // The domain holds by a newer proof, so only this proof's record can be missing.
  if (state !== "published") return "missing";
  const isSoon =
    left > 0 && left <= Math.max(...WARNINGS) * DAY && !RENEWED_BY_REGISTRY.test(domain);
  return isSoon ? "registration_expiring" : null;
}

/** Whether the record was last seen too long ago to say anything about today: two reads are overdue. */
export const isStale = ({ every, seenAt }: Pick<Watch, "every" | "seenAt">, now: number) =>
  now - Date.parse(seenAt) > 2 * (every === "hour" ? HOUR : DAY);

function adviceOf(kind: Trouble, { word, says }: { word: string; says: string }, isOld: boolean) {
  if (kind === "registration_expiring")
    return `${isOld ? "Good when last seen" : "Still good"}, but its ${word}.`;
  if (kind === "missing") return `Be careful with this proof now: the domain${says}.`;
  const byWhom = kind === "registered_again" ? ", perhaps by someone else" : "";
  return `Do not rely on this proof now: the domain${says}${byWhom}.`;
}

/** Returns the words for a state. `when` is the date on which the registration ends. */
export function troubleWords(kind: Trouble, when = "soon") {
  const { verbs, word: defaultWord } = WORDS[kind];
  const tone: Tone = kind === "registration_expiring" ? "waiting" : "needs";
  const word = defaultWord.replace("soon", when);
  return { kind, tone, word, says: verbs[0] + word };
}

/** Writes the time until `end`: from two days on in calendar days, otherwise rounded down. */
function timeLeftInWords(end: number, now: number): string {
  const [left, days] = [end - now, Math.floor(end / DAY) - Math.floor(now / DAY)];
  const rounded = left < HOUR ? left : left < 2 * DAY ? left - (left % HOUR) : days * DAY;
  return `in ${durationInWords(rounded / 1000)}`;
}

/** Returns the words about a registration that ends, even if other things are wrong; null once it is over. */
export function registrationWords(watch: Watch | null | undefined, now: number) {
  const end = Date.parse(watch?.registrationExpiresAt ?? "");
  if (!(end > now)) return null;
  const kind = "registration_expiring";
  return { ...troubleWords(kind, timeLeftInWords(end, now)), toDo: WORDS[kind].toDo(true) };
}

export const adviceText = ({ when, act }: Advice): string => (when ? `If ${when}, ${act}` : act);

export function pastTroubleWords(kind: Trouble) {
  const { verbs, word } = WORDS[kind];
  return { tone: "ended" as const, says: verbs[1] + word.replace("ends", "was to end") };
}

/** Says what is wrong with a proof, or null. `worth` tells its readers how good it is; `isLost` means that it does not hold. */
export function troubleOf(seen: WatchedDomain, now: number) {
  const { watch } = seen;
  const ends = watch?.registrationExpiresAt;
  const msLeft = ends ? Date.parse(ends) - now : 0;
  const kind = kindOf(seen, msLeft);
  if (kind === null) return null;
  const since = kind === "missing" && watch?.state === kind && watch.missingSince;
  const lapseDay = since && dayText(iso(Date.parse(since) + LAPSE_MS));
  const words = troubleWords(kind, timeLeftInWords(now + msLeft, now));
  const toDo = WORDS[kind].toDo(watch !== null);
  const deadline = lapseDay ? ` If it is not back by ${lapseDay}, it counts as lost.` : "";
  return {
    ...words,
    toDo: toDo.map(({ act, ...one }) => ({ ...one, act: act + deadline })),
    isLost: kind !== "missing" && kind !== "registration_expiring",
    worth: adviceOf(kind, words, watch !== null && isStale(watch, now)),
  };
}
export type TroubleWords = NonNullable<ReturnType<typeof troubleOf>>;
