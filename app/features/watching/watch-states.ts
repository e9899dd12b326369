import type { RecordFinding } from "@deed/dns/verdict/proof.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { type WATCH_FINDINGS, WATCH_STATES, type watches } from "#db/schema.ts";

export type WatchRow = typeof watches.$inferSelect;
export type WatchState = WatchRow["state"];
/** The states that a holder is told of. */
export type Trouble = Exclude<WatchState, "published">;
/** Whether a notice of this kind is about a watched record. */
export const isTrouble = (kind: string): kind is Trouble =>
  kind !== "published" && WATCH_STATES.some((state) => state === kind);

export const CONFIRM_MS = 6 * HOUR;
export const LAPSE_MS = 7 * DAY;

/** What reads have shown so far. Instants are epoch milliseconds. */
export type Watched = Pick<
  WatchRow,
  "state" | "seenAt" | "checkedAt" | "missingSince" | "finding" | "findingSince" | "told"
>;

export type WatchMove = {
  after: Watched;
  /** The state to tell the holder of; null if there is none, or they know. */
  tell: WatchState | null;
  /** Whether a second read must confirm what this one saw. */
  isUnconfirmed: boolean;
};

type NotSeen = (typeof WATCH_FINDINGS)[number];

function stateAfter(before: WatchState, finding: NotSeen, times: Times, at: number): WatchState {
  const isMissing = at - times.missingSince >= CONFIRM_MS;
  if (finding !== "absent") {
    if (at - times.findingSince >= CONFIRM_MS) return finding;
    if (before === "moved" || before === "gone") return before;
  }
  if (!isMissing) return before;
  // Time in which nothing could be read does not lapse a record: it was seen to be missing before.
  return before !== "published" && at - times.missingSince >= LAPSE_MS ? "lapsed" : "missing";
}

type Times = { missingSince: number; findingSince: number };

/** What a read that began `at` changes. A read that found nothing certain changes nothing. */
export function afterRead(before: Watched, finding: RecordFinding, at: number): WatchMove {
  if (finding === "unread") {
    const isUnconfirmed = before.missingSince !== null && before.state === "published";
    return { after: before, tell: null, isUnconfirmed };
  }
  if (finding === "seen")
    return {
      after: {
        state: "published",
        seenAt: Math.max(before.seenAt, at),
        checkedAt: at,
        missingSince: null,
        finding: null,
        findingSince: null,
        told: [],
      },
      tell: before.state === "published" ? null : "published",
      isUnconfirmed: false,
    };
  const times = {
    missingSince: before.missingSince ?? at,
    findingSince: before.finding === finding ? (before.findingSince ?? at) : at,
  };
  const state = stateAfter(before.state, finding, times, at);
  const tell = state !== "published" && !before.told.includes(state) ? state : null;
  return {
    after: {
      ...before,
      ...times,
      state,
      finding,
      checkedAt: at,
      told: tell ? [...before.told, tell] : before.told,
    },
    tell,
    isUnconfirmed: state === "published" || (finding !== "absent" && state !== finding),
  };
}
