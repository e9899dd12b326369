import type { Glance } from "@deed/dns/resolve/reader.ts";
import { sayingOf } from "@deed/dns/verdict/evidence.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { hasToken } from "@deed/dns/verdict/publication-status.ts";
import { FairShare } from "#app/core/fair-share.ts";
import { MINUTE, SECOND } from "#app/core/time.ts";
import { FAST_FOR_MS, type VerificationRow } from "./transition.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    glances: Glances;
  }
}

export const GLANCE_EVERY_MS = 2 * SECOND;
/** A round so often; thirty glances in each are 300 a second. */
export const ROUND_MS = 100;
export const GLANCES_PER_ROUND = 30;
/** With more, the pause between two glances at a claim would exceed four seconds. */
const MAX_WATCHED = 1_200;
const MAX_SILENCES = 3;
const READ_KNOWN_FOR_MS = 10 * MINUTE;
/** What a read that a glance starts costs, of which so much may be owed: a record comes to one server after another. */
const COST_MS = { withToken: 20 * SECOND, without: MINUTE };
const MAX_OWED_MS = MINUTE;

/** What a nameserver said to the last read; `silences`: how many glances in a row it left unanswered since. */
type Server = { host: string; address: string; said: string; hasToken: boolean; silences: number };

/** A claim that somebody waits for. Times are epoch milliseconds. */
export class Watched {
  signAt = 0;
  glancedAt = 0;
  isRefused = false;
  zone = "";
  servers: Server[] = [];
  #readAt = 0;
  #paidAt = 0;

  constructor(readonly accountId: string) {}

  learn({ delegation, servers, token }: Observation, now: number): void {
    if (delegation.type !== "delegated") return;
    this.zone = delegation.zone;
    this.#readAt = now;
    this.servers = servers.flatMap(({ host, address, answer }) =>
      address !== null && answer && delegation.nameservers.includes(host)
        ? { host, address, said: sayingOf(answer), hasToken: hasToken(answer, token), silences: 0 }
        : [],
    );
  }

  isAwaited(now: number): boolean {
    return Math.abs(now - this.signAt) < FAST_FOR_MS;
  }

  /** Whether glances show what happens at its nameservers. */
  isGlanced(now: number): boolean {
    const isKnown = Math.abs(now - this.#readAt) < READ_KNOWN_FOR_MS;
    const isAnswering = this.servers.some(({ silences }) => silences < MAX_SILENCES);
    return this.isAwaited(now) && isKnown && !this.isRefused && isAnswering;
  }

  /** Those that lack the token, the one whose turn it is first. */
  turn(now: number): readonly Server[] {
    this.servers.push(...this.servers.splice(0, 1));
    const isLacking = (one: Server) => !one.hasToken && one.silences < MAX_SILENCES;
    return this.isGlanced(now) ? this.servers.filter(isLacking) : [];
  }

  /** Whether what a server says is worth a read now. */
  isNews(server: Server, glance: Glance, now: number): boolean {
    if (glance.type === "refused") this.isRefused = true;
    server.silences = glance.type === "silent" ? server.silences + 1 : 0;
    if (glance.type !== "answered" || glance.said === server.said) return false;
    return this.#paidAt - now <= (glance.hasToken ? MAX_OWED_MS : 0);
  }

  pay(withToken: boolean, now: number): void {
    this.#paidAt = Math.max(this.#paidAt, now) + COST_MS[withToken ? "withToken" : "without"];
  }
}

/** In memory: after a restart the next signs begin anew. The claim that was glanced at longest ago comes first. */
export class Glances {
  readonly #places = new FairShare(MAX_WATCHED, 1);
  readonly #byId = new Map<string, Watched>();

  /** Somebody waits for it. Nothing happens if its account has its share of the places. */
  sign({ id, accountId }: Pick<VerificationRow, "id" | "accountId">, now: number): void {
    const known = this.#byId.get(id);
    if (!known && !this.#places.tryAcquire(accountId)) return;
    const watched = known ?? new Watched(accountId);
    watched.signAt = now;
    this.#byId.set(id, watched);
  }

  learn(id: string, observation: Observation, now: number): void {
    this.#byId.get(id)?.learn(observation, now);
  }

  isGlanced = (id: string, now: number): boolean => this.#byId.get(id)?.isGlanced(now) ?? false;

  drop(id: string): void {
    const watched = this.#byId.get(id);
    if (watched && this.#byId.delete(id)) this.#places.release(watched.accountId);
  }

  /** Those whose next glance is due, as many as a round may make. */
  round(now: number): [id: string, watched: Watched][] {
    const due: [string, Watched][] = [];
    for (const [id, watched] of this.#byId) {
      const isResting = Math.abs(now - watched.glancedAt) < GLANCE_EVERY_MS;
      if (isResting || due.length === GLANCES_PER_ROUND) break;
      if (!watched.isAwaited(now)) {
        this.drop(id);
        continue;
      }
      watched.glancedAt = now;
      this.#byId.delete(id);
      this.#byId.set(id, watched);
      if (watched.isGlanced(now)) due.push([id, watched]);
    }
    return due;
  }
}
