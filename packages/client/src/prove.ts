import type { Deed } from "./deed.ts";
import { MAX_TIMER_MS, pauseAfter, sleep } from "./error.ts";
import type { Changes } from "./events.ts";
import type { Claim, Schemas, Verification } from "./index.ts";

type DomainAndClaim = Schemas["DomainAndClaim"];

/** How long after a planned read the client asks the service. It is also the shortest time between two calls. */
const AFTER_READ_MS = 5_000;

/** The last call may take LAST_CALL_MS. With `timeout: 0`, each call may take CALL_MS. */
const LAST_CALL_MS = 1_000;
const CALL_MS = 10_000;

/** How often the client tells the service that somebody waits. */
const TELL_EVERY_MS = 60_000;

/** `host` is the label. What to type in a DNS panel is `panel.host`, once the service has read the zone. */
export type RecordToAdd = Schemas["RecordToAdd"] & { zoneFileLine: string; claim: Claim };

export type ProveOptions = {
  /** Your own id for the customer. Each reference has its own claim of the same name. */
  reference?: string | undefined;
  /** Whether Deed watches the record from its proof on, or at once if it is proved already. */
  watch?: boolean | undefined;
  /** Called with the record as soon as it is known, unless the domain is proved already. `prove` awaits it. */
  onRecord?: (record: RecordToAdd) => unknown;
  /** Called after the service has read DNS, with the result: a diagnosis or a wait. */
  onChange?: (verification: Verification) => unknown;
  /** Ends the wait; `prove` rejects with its reason. The claim stays open. */
  signal?: AbortSignal | undefined;
  /** Milliseconds after which `prove` resolves with the present state, within a second. The claim stays open. */
  timeout?: number | undefined;
};

export type Outcome =
  | { status: "proved"; provedAt: string; claim: Claim }
  | { status: "needs_attention"; diagnosis: Schemas["Diagnosis"]; claim: Claim }
  /** The time is over, and nothing is wrong: DNS needs more time, or was not read yet. */
  | { status: "waiting"; waitEstimate: Schemas["WaitEstimate"] | null; claim: Claim }
  /** The claim's seven days are over. The next call opens a new claim, with another record. */
  | { status: "expired"; diagnosis: Schemas["Diagnosis"] | null; claim: Claim }
  | { status: "canceled"; claim: Claim };

/** `networkError` is set if the service did not answer before `giveUpAt`. */
type Limits = { signal: AbortSignal | undefined; giveUpAt: number; networkError?: TypeError };

/** Makes a call, and retries it while the service asks to wait or cannot be reached. */
async function callUntilAnswered<T>(call: () => Promise<T>, limits: Limits): Promise<T> {
  const { signal, giveUpAt } = limits;
  for (let failures = 1; ; failures++) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const pauseMs = pauseAfter(error, failures);
      const leftMs = giveUpAt - Date.now();
      const isUnreachable = error instanceof TypeError;
      // An unreachable service is tried until the time is over.
      const isOver = pauseMs !== undefined && (isUnreachable ? leftMs <= 0 : pauseMs > leftMs);
      if (isOver && isUnreachable) limits.networkError = error;
      if (isOver || pauseMs === undefined) throw error;
      await sleep(isUnreachable ? Math.min(pauseMs, leftMs) : pauseMs, signal);
    }
  }
}

/** Finds the proof, or finds or opens the claim. It fails at once if the service cannot be reached. */
async function findOrOpenClaim(
  deed: Deed,
  name: string,
  body: object,
  signal?: AbortSignal,
): Promise<DomainAndClaim> {
  try {
    const path = { name };
    const found = await deed.put("/api/domains/by-name/{name}", { path, body, signal });
    const { id, state } = found.claim;
    if (state === "pending" || (state === "proved" && found.holds !== false)) return found;
    return await findOrOpenClaim(deed, name, { ...body, again: id }, signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error("The service cannot be reached.", { cause: error });
  }
}

/** Reads a verification. For `untilReadMs`, by the service's own clock, another call would show nothing new. */
async function readVerification(deed: Deed, id: string, signal: AbortSignal) {
  const response = await deed.send("GET", `/api/verifications/${id}`, { signal });
  const verification = (await response.json()) as Verification;
  const now = Date.parse(response.headers.get("Date") ?? "") || Date.now();
  const next = verification.nextRunAt === null ? now : Date.parse(verification.nextRunAt);
  return { verification, untilReadMs: Math.max(next - now, 0) + AFTER_READ_MS };
}

const OPEN_STATUSES: readonly string[] = ["checking", "propagating", "needs_attention"];

const provedOutcome = (claim: Claim) =>
  ({ status: "proved", provedAt: claim.endedAt ?? "", claim }) as const;

function outcomeOf({ status, diagnosis, waitEstimate }: Verification, claim: Claim): Outcome {
  switch (status) {
    case "proved":
      return provedOutcome(claim);
    case "exhausted":
      return { status: "expired", diagnosis, claim };
    case "stopped":
      return { status: "canceled", claim };
    default:
      return diagnosis
        ? { status: "needs_attention", diagnosis, claim }
        : { status: "waiting", waitEstimate, claim };
  }
}

export async function prove(
  deed: Deed,
  changes: Changes,
  domain: string,
  options: ProveOptions,
): Promise<Outcome> {
  const { reference, watch, onRecord, onChange, signal } = options;
  const timeout = options.timeout ?? Number.POSITIVE_INFINITY;
  const limits: Limits = { signal, giveUpAt: Date.now() + timeout };
  const timeLimit = () => {
    const leftMs =
      Math.max(limits.giveUpAt - Date.now(), 0) + (timeout > 0 ? LAST_CALL_MS : CALL_MS);
    const timeoutSignal = AbortSignal.timeout(Math.min(leftMs, MAX_TIMER_MS));
    return signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal;
  };
  const open = () => findOrOpenClaim(deed, domain, { reference, watch }, timeLimit());
  const { claim, record } = await callUntilAnswered(open, limits);
  if (!record) return provedOutcome(claim);
  const zoneFileLine = `${record.name}. 300 IN TXT "${record.value}"`;
  await onRecord?.({ ...record, zoneFileLine, claim });

  let wake = () => {};
  let lastSeen: Verification | undefined;
  const stopWatching = changes.watch(claim.verificationId, () => wake());
  const path = { id: claim.id };
  // If this fails, the service only reads DNS less often.
  const tellWaiting = () =>
    deed.post("/api/claims/{id}/waiting", { path, signal: timeLimit() }).catch(() => {});
  if (timeout > 0) tellWaiting();
  const readState = () => readVerification(deed, claim.verificationId, timeLimit());
  const tellTimer = setInterval(tellWaiting, TELL_EVERY_MS);
  try {
    for (;;) {
      // This precedes the read, so that no change between the two is missed.
      const changed = new AbortController();
      wake = () => changed.abort();
      const { verification, untilReadMs } = await callUntilAnswered(readState, limits);
      if (verification.lastRunAt !== (lastSeen?.lastRunAt ?? null)) await onChange?.(verification);
      lastSeen = verification;
      const leftMs = limits.giveUpAt - Date.now();
      if (!OPEN_STATUSES.includes(verification.status) || leftMs <= 0) {
        const read = () => deed.get("/api/claims/{id}", { path, signal: timeLimit() });
        return outcomeOf(verification, await callUntilAnswered(read, limits));
      }
      const wakeSignal = signal ? AbortSignal.any([signal, changed.signal]) : changed.signal;
      await sleep(Math.min(untilReadMs, leftMs), wakeSignal).catch(() => signal?.throwIfAborted());
    }
  } catch (error) {
    const isTimedOut = Date.now() >= limits.giveUpAt && (error as Error)?.name === "TimeoutError";
    const isLate = isTimedOut || error === limits.networkError;
    if (signal?.aborted || !isLate || (lastSeen && !OPEN_STATUSES.includes(lastSeen.status)))
      throw error;
    return lastSeen ? outcomeOf(lastSeen, claim) : { status: "waiting", waitEstimate: null, claim };
  } finally {
    clearInterval(tellTimer);
    stopWatching();
  }
}
