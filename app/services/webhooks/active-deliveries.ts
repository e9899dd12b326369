import { FairShare } from "../fair-share.ts";

/** Deliveries under way at once, and of one webhook while it takes them; a new one, or after a failure, gets one at a time. */
const PLACES = { all: 256, steady: 4, unsure: 1 };
/** How long a webhook rests after a failure: doubled by each further one. */
const REST_MS = { first: 500, longest: 60_000 };
/** Webhooks whose last outcome is remembered; of more, the one that was added first is forgotten. */
const MOST_REMEMBERED = 10_000;
/** Fraction of the free places that one account may hold. */
const PART = 1;

/** Which deliveries are under way in this process, and how many more may start. */
export class ActiveDeliveries {
  readonly #share = new FairShare(PLACES.all, PART);
  /** The lanes under way, by webhook. */
  readonly #lanes = new Map<string, Set<string>>();
  /** The webhooks that took their last delivery. */
  readonly #steady = new Set<string>();
  /** The others: how often in a row they failed, and until when they rest, by `performance.now`. */
  readonly #failing = new Map<string, { times: number; until: number }>();
  readonly #running = new Set<Promise<void>>();
  #ending = new AbortController();

  /** Ends the calls under way. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** How many deliveries of a webhook are under way, and how many may be. */
  of(webhookId: string): { underWay: number; most: number } {
    const underWay = this.#lanes.get(webhookId)?.size ?? 0;
    if ((this.#failing.get(webhookId)?.until ?? 0) > performance.now())
      return { underWay, most: 0 };
    return { underWay, most: this.#steady.has(webhookId) ? PLACES.steady : PLACES.unsure };
  }

  /** Whether a delivery of the lane is under way. */
  isUnderWay(webhookId: string, lane: string): boolean {
    return this.#lanes.get(webhookId)?.has(lane) ?? false;
  }

  /** Takes a place and runs `work`, which says whether the webhook took it. False if the account has its share. */
  start(
    { accountId, webhookId, lane }: { accountId: string; webhookId: string; lane: string },
    work: () => Promise<boolean>,
    then: () => void,
  ): boolean {
    if (!this.#share.tryAcquire(accountId)) return false;
    const lanes = this.#lanes.get(webhookId) ?? new Set();
    this.#lanes.set(webhookId, lanes.add(lane));
    const running = work()
      .then((wasTaken) => this.#learn(webhookId, wasTaken))
      .finally(() => {
        lanes.delete(lane);
        if (lanes.size === 0) this.#lanes.delete(webhookId);
        this.#share.release(accountId);
        this.#running.delete(running);
        then();
      });
    this.#running.add(running);
    return true;
  }

  #learn(webhookId: string, wasTaken: boolean): void {
    for (const memory of [this.#steady, this.#failing])
      if (memory.size >= MOST_REMEMBERED) memory.delete(memory.keys().next().value ?? "");
    if (wasTaken) {
      this.#steady.add(webhookId);
      this.#failing.delete(webhookId);
      return;
    }
    this.#steady.delete(webhookId);
    const times = (this.#failing.get(webhookId)?.times ?? 0) + 1;
    const restMs = Math.min(REST_MS.first * 2 ** (times - 1), REST_MS.longest);
    this.#failing.set(webhookId, { times, until: performance.now() + restMs });
  }

  /** Forgets a webhook's failures, because its holder asks for a try. */
  forgive(webhookId: string): void {
    this.#failing.delete(webhookId);
  }

  /** Waits for what is under way, at most `graceMs`, and ends the rest. */
  async drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), graceMs);
    while (this.#running.size > 0) await Promise.all(this.#running);
    clearTimeout(timer);
    this.#ending = new AbortController();
  }
}
