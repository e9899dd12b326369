import { createHash } from "node:crypto";
import type { RecordFinding } from "@deed/dns/verdict/standing.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { type Loss, WATCH_STATES, type WatchTrouble } from "#db/schema.ts";
import type { WatchRow } from "../claims/watch.ts";

/** Tells whether a kind of notice is about a watched record or its domain. */
export const isTrouble = (kind: string): kind is WatchTrouble | "registration_expiring" =>
  kind === "registration_expiring" ||
  (kind !== "published" && WATCH_STATES.some((state) => state === kind));

/** The holder gets a warning this many days before a registration expires. */
export const WARNINGS = [1, 7, 30];
/** AFNIC renews names under these suffixes unless the registrar deletes them. Other such registries give no date or no RDAP. */
export const RENEWED_BY_REGISTRY = /\.(fr|pm|re|tf|wf|yt)$/;

const ASK_MS = 7 * DAY;
/** A registration this much later is newer than a proof: a date without time or zone may be a day off. */
const NEWER_MS = 2 * DAY;

/** Two reads at least this far apart must agree before the record counts as missing. */
const CONFIRM_MS = 6 * HOUR;
export const LAPSE_MS = 7 * DAY;
/** How long Deed looks for the deletion of a record that nobody watches. */
const REMOVAL_MS = 30 * DAY;

/** Returns when a claim is next read after `after`: daily or hourly at a time that is its own, so that reads are spread. */
export function nextTimeOfClaim(claimId: string, after: number, every: WatchRow["every"] = "day") {
  const interval = every === "hour" ? HOUR : DAY;
  const hash = createHash("sha256").update(claimId).digest().readUInt32BE();
  const dueAt = Math.floor(after / interval) * interval + Math.floor((hash / 2 ** 32) * interval);
  return dueAt > after ? dueAt : dueAt + interval;
}

export const RECORD_IN_PLACE = {
  state: "published",
  missingSince: null,
  finding: null,
  findingSince: null,
  movedTo: null,
  told: [],
  runId: null,
  runUntil: null,
} satisfies Partial<WatchRow>;

function changeOf(before: WatchRow, finding: RecordFinding, at: number): Partial<WatchRow> {
  if (finding === "unread") return {};
  if (finding === "seen")
    return { ...RECORD_IN_PLACE, seenAt: Math.max(before.seenAt, at), checkedAt: at };
  const missingSince = before.missingSince ?? at;
  const findingSince = before.finding === finding ? (before.findingSince ?? at) : at;
  const newState = () => {
    if (finding !== "absent") {
      if (at - findingSince >= CONFIRM_MS) return finding;
      if (before.state === "moved" || before.state === "gone") return before.state;
    }
    if (at - missingSince < CONFIRM_MS) return before.state;
    // Time without a successful read does not make a record lapse: it must have been missing before.
    const isLapsed = before.state !== "published" && at - missingSince >= LAPSE_MS;
    return isLapsed ? "lapsed" : "missing";
  };
  return { state: newState(), missingSince, finding, findingSince, checkedAt: at };
}

/** Returns the watch after a read that began `at`. `news` is the state to tell the holder now, null if there is none. */
export function afterRead(before: WatchRow, finding: RecordFinding, at: number) {
  const after = { ...before, ...changeOf(before, finding, at), runId: null, runUntil: null };
  const { state, told, purpose, claimId, every } = after;
  const isSeen = state === "published";
  const isNewState = isSeen ? before.state !== "published" : !told.includes(state);
  const isUnconfirmed =
    every === "day" &&
    after.missingSince !== null &&
    (isSeen || (isTrouble(finding) && finding !== state));
  const isOver = purpose === "removal" && (!isSeen || at - after.startedAt >= REMOVAL_MS);
  const nextReadAt = isUnconfirmed ? at + CONFIRM_MS : nextTimeOfClaim(claimId, at, every);
  return {
    after: {
      ...after,
      told: isNewState && !isSeen && purpose === "watch" ? [...told, state] : told,
      // No read follows once an unwatched record is seen to be deleted, or Deed has waited long enough.
      nextReadAt: isOver ? null : nextReadAt,
    },
    news: isNewState ? state : null,
  };
}

/** Returns the loss that a domain's watches show, unless one has seen the record since or a proof is newer; else null. */
export function lossOf(lastProvedAt: number, rows: readonly WatchRow[]): Loss | null {
  const isRegisteredAgain = (row: WatchRow) =>
    row.registry === "registered_again" && Number(row.registeredAt) > lastProvedAt;
  if (rows.some(isRegisteredAgain)) return "registered_again";
  const seenAt = Math.max(lastProvedAt, ...rows.map((row) => row.seenAt));
  for (const { state, missingSince, findingSince } of rows)
    if (state !== "published" && state !== "missing")
      if (Number(state === "lapsed" ? missingSince : findingSince) >= seenAt) return state;
  return null;
}

/** Returns the watch after a registry's answer; a date newer than the proof counts if two answers a day apart have it. */
export function afterAnswer(
  before: WatchRow,
  provedAt: number,
  { at, date }: { at: number; date: number | "not_said" | "no_rdap" },
): Partial<WatchRow> {
  const isNewer = (at: number | null) => at !== null && at >= provedAt + NEWER_MS;
  const wasNewer = isNewer(before.registeredAt);
  const nextAskAt = at + ASK_MS;
  const next = { registryAt: at, registeredAt: null, nextAskAt };
  if (typeof date === "string") return wasNewer ? { nextAskAt } : { ...next, registry: date };
  const known = { ...next, registry: "registered", registeredAt: date } as const;
  if (!isNewer(date)) return known;
  return wasNewer ? { ...known, registry: "registered_again" } : { ...known, nextAskAt: at + DAY };
}

/** Returns the watch after a date of expiry. Each warning needs an answer of that day, since the date may move. */
export function afterExpiry(before: WatchRow, name: string, expiresAt: number | null, now: number) {
  const left = expiresAt === null || RENEWED_BY_REGISTRY.test(name) ? 0 : expiresAt - now;
  const due = WARNINGS.find((days) => left <= days * DAY) ?? null;
  const expiryTold = left > 0 ? due : before.expiryTold;
  const waits = WARNINGS.map((days) => left - days * DAY).filter((ms) => ms > 0);
  const nextAskAt = now + Math.min(...waits, expiryTold === null ? ASK_MS : DAY);
  return { expiresAt, expiryTold, nextAskAt };
}

/** Returns what to tell the holder about a registration's end, by the warnings given before and due now. */
export function expiryNote(toldDays: number | null, dueDays: number | null) {
  if (dueDays === null) return toldDays === null ? null : "renewed";
  return toldDays === null || dueDays < toldDays ? "expiring" : null;
}
