import { FairShare } from "../fair-share.ts";
import { MINUTE, SECOND } from "../time.ts";
import { NO_OFFER, type ProviderOffer } from "./discovery.server.ts";

/** Zones asked at once, and the fraction of the free places that one account may take. */
const PLACES = 32;
const PART = 1 / 4;
const MOST_KEPT = 1_000;
const SHORTEST_MS = MINUTE;
const LONGEST_MS = 60 * MINUTE;

type Ask = (zone: string) => Promise<{ offer: ProviderOffer; ttl: number }>;

/**
 * What the providers of zones offer, as this process learnt it: kept for the TTL, from a minute to an hour. Nothing
 * waits for it: what is not known yet is no offer.
 */
export class Offers {
  readonly #ask: Ask;
  readonly #clock: () => number;
  readonly #known = new Map<string, { offer: ProviderOffer; until: number }>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #places = new FairShare(PLACES, PART);

  constructor(ask: Ask, clock: () => number) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** What is known of a zone. Begins to ask in the background if that is nothing, or too old, on behalf of `accountId`. */
  of(zone: string, accountId: string): ProviderOffer {
    const known = this.#known.get(zone);
    if (!known || known.until <= this.#clock()) this.#begin(zone, accountId);
    return known?.offer ?? NO_OFFER;
  }

  /** Whether a zone is being asked for. */
  isAsked(zone: string | null): boolean {
    return zone !== null && this.#underWay.has(zone);
  }

  /** The same, once it is known. */
  async settled(zone: string, accountId: string): Promise<ProviderOffer> {
    this.of(zone, accountId);
    await this.#underWay.get(zone);
    return this.of(zone, accountId);
  }

  #begin(zone: string, accountId: string): void {
    if (this.#underWay.has(zone) || !this.#places.tryAcquire(accountId)) return;
    const asking = this.#ask(zone)
      .then(({ offer, ttl }) => this.#keep(zone, offer, ttl))
      .finally(() => {
        this.#underWay.delete(zone);
        this.#places.release(accountId);
      });
    this.#underWay.set(zone, asking);
  }

  #keep(zone: string, offer: ProviderOffer, ttl: number): void {
    const heldMs = Math.min(Math.max(ttl * SECOND, SHORTEST_MS), LONGEST_MS);
    this.#known.delete(zone);
    this.#known.set(zone, { offer, until: this.#clock() + heldMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
  }
}
