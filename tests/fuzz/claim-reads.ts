import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide, progressOf } from "@deed/dns/testing/verdicts.ts";
import { LABEL, TOKEN } from "@deed/dns/testing/world.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { type History, NO_READS } from "@deed/dns/verdict/history.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { getTableColumns } from "drizzle-orm";
import {
  afterRead,
  FIRST_READ_AFTER_MS,
  type VerificationRow,
  WINDOW_MS,
} from "#app/features/claims/transition.ts";
import { verifications } from "#db/schema.ts";
import type { Chance } from "./chance.ts";

export type ClaimRead = { at: number; seen: Observation; decision: Decision };

/** The place of the reads. Time is epoch milliseconds. */
export type Place = {
  reader: Reader;
  now(): number;
  skip(ms: number): void;
  begin(round: number): void;
};

const MAX_READS = 3;
/** A second read comes within five minutes. */
const MOST_READS = 60;
const columns = Object.keys(getTableColumns(verifications));

const historyOf = (row: VerificationRow, chance: Chance): History => {
  const kept = Object.keys(NO_READS).filter((field) => field in row);
  const earlier = Object.fromEntries(kept.map((field) => [field, row[field as keyof typeof row]]));
  return {
    ...NO_READS,
    ...earlier,
    chance: chance.next(),
    endedTokens: [],
    domainOf: () => null,
    tokenPrefix: "service_v1_",
  };
};

/** Makes up to three reads by the service's schedule, some forced; more if the claim waits for a second read. */
export async function readClaim(
  place: Place,
  domain: string,
  chance: Chance,
): Promise<ClaimRead[]> {
  const createdAt = place.now() - FIRST_READ_AFTER_MS;
  const deadline = createdAt + WINDOW_MS;
  let row = {
    ...Object.fromEntries(columns.map((column) => [column, null])),
    ...{ status: "checking", waitReason: "first_check", failures: 0, fastMs: 0 },
    ...{ createdAt, deadline },
  } as VerificationRow;
  const question = { domain, label: LABEL, token: TOKEN };
  const reads: ClaimRead[] = [];
  const first = place.now();
  for (let forced = false; ; ) {
    const startedAt = place.now();
    place.begin(reads.length);
    const seen = await place.reader.readChallenge(question, new AbortController().signal);
    const history = historyOf(row, chance);
    const decision = decide(seen, history);
    reads.push({ at: startedAt - first, seen, decision });
    const endedAt = place.now();
    const progress = progressOf(seen, history);
    const read = { decision, progress, startedAt, endedAt, forced };
    row = { ...row, ...afterRead(row, read, chance.next()).verification };
    const { nextRunAt, secondReadAt } = row;
    if (nextRunAt === null || !isWorthwhile(reads, decision, chance)) return reads;
    forced = chance.holds(0.2);
    // Skips scheduled reads before the second read of C8.10.
    const due = secondReadAt !== null && secondReadAt > startedAt ? secondReadAt : nextRunAt;
    place.skip(forced ? chance.below(20_000) : Math.max(due - endedAt, 0));
  }
}

/** Only a wait for nameservers can end with the next read; other claims are read again at random. */
function isWorthwhile({ length }: readonly ClaimRead[], decision: Decision, chance: Chance) {
  const wait = decision.outcome === "absent" ? decision.wait : null;
  const isSync = wait?.reason === "nameserver_sync";
  if (isSync && wait.observed?.secondRead) return length < MOST_READS;
  return length < MAX_READS && (isSync || chance.holds(0.2));
}
