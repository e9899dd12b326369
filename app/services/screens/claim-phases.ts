import type { Claim } from "../resources.ts";
import type { ReadEntry } from "./claim-screen-reads.ts";

/** A time in which checks of a claim saw the same. `from` and `width` are parts of the claim's life, 0 to 1. */
export type Phase = {
  says: string;
  tone: "proved" | "waiting" | "needs" | "ended";
  seconds: number;
  from: number;
  width: number;
};

/** A claim's life: its phases, oldest first, and when it closes or closed. */
export type ClaimLife = {
  phases: Phase[];
  opensAt: string;
  end: { says: "closes" | "found" | "expired" | "canceled"; at: string };
};

type Seen = Pick<Phase, "says" | "tone">;

/** Older phases are drawn as one. */
const MOST_PHASES = 5;
/** A phase is drawn at least this wide, so that it can be seen. */
const NARROWEST = 0.02;

const CODES: Record<NonNullable<ReadEntry["code"]>, Seen> = {
  domain_appended: { says: "on the wrong name", tone: "needs" },
  record_at_apex: { says: "on the wrong name", tone: "needs" },
  record_on_www: { says: "on the wrong name", tone: "needs" },
  value_formatted: { says: "altered", tone: "needs" },
  expired_token: { says: "old value", tone: "needs" },
  foreign_token: { says: "another value", tone: "needs" },
  no_matching_record: { says: "other records", tone: "needs" },
  cname_conflict: { says: "a CNAME instead", tone: "needs" },
  record_absent: { says: "no record", tone: "waiting" },
  not_published: { says: "not published", tone: "waiting" },
  negative_cache: { says: "old answer cached", tone: "waiting" },
  servfail: { says: "resolvers fail", tone: "needs" },
  lame_delegation: { says: "nameservers silent", tone: "needs" },
};
const UNCHECKED: Seen = { says: "not checked yet", tone: "ended" };
const FOUND: Seen = { says: "found", tone: "proved" };

/** Null for a check that could not reach DNS: it says nothing new of the record. */
function seenBy({ outcome, code }: Pick<ReadEntry, "outcome" | "code">): Seen | null {
  if (outcome === "found") return FOUND;
  if (outcome === "unresolvable") return null;
  return code === null ? { says: "on some nameservers", tone: "waiting" } : CODES[code];
}

type Start = Seen & { at: number };

/** When each phase began, oldest first; what the first check saw is taken to hold from the opening on. */
function startsOf(reads: readonly ReadEntry[], opened: number): Start[] {
  const starts: Start[] = [];
  for (const read of [...reads].reverse()) {
    const seen = seenBy(read);
    if (!seen || seen.says === starts.at(-1)?.says) continue;
    const isFirst = starts.length === 0;
    if (isFirst && seen === FOUND) starts.push({ ...UNCHECKED, at: opened });
    starts.push({ ...seen, at: isFirst && seen !== FOUND ? opened : Date.parse(read.at) });
  }
  if (starts.length === 0) return [{ ...UNCHECKED, at: opened }];
  const [first] = starts;
  if (!first || starts.length <= MOST_PHASES) return starts;
  const changing: Start = { says: "changing", tone: "waiting", at: first.at };
  return [changing, ...starts.slice(1 - MOST_PHASES)];
}

/**
 * The life of a claim from its checks, newest first: the phases fill it up to `now`, or to its end. Phases too short to
 * be seen are drawn wider, and all are scaled if they then no longer fit.
 */
export function claimLife(
  claim: Pick<Claim, "createdAt" | "expiresAt" | "endedAt" | "state">,
  reads: readonly ReadEntry[],
  now: string,
): ClaimLife {
  const { createdAt, expiresAt, endedAt, state } = claim;
  const opened = Date.parse(createdAt);
  const end = endedAt ?? expiresAt;
  const whole = Math.max(1, Date.parse(end) - opened);
  const until = endedAt ? Date.parse(endedAt) : Math.min(Date.parse(now), Date.parse(end));
  const starts = startsOf(reads, opened);
  const lengths = starts.map(({ at }, index) => Math.max(0, (starts[index + 1]?.at ?? until) - at));
  const widths = lengths.map((length) => Math.max(NARROWEST, length / whole));
  const sum = widths.reduce((total, width) => total + width, 0);
  const scale = sum > 1 || endedAt !== null ? 1 / sum : 1;
  let from = 0;
  const phases = starts.map(({ says, tone }, index): Phase => {
    const width = (widths[index] ?? 0) * scale;
    const phase = { says, tone, seconds: Math.round((lengths[index] ?? 0) / 1000), from, width };
    from += width;
    return phase;
  });
  const says = { pending: "closes", proved: "found", expired: "expired", canceled: "canceled" }[
    state
  ] as ClaimLife["end"]["says"];
  return { phases, opensAt: createdAt, end: { says, at: end } };
}
