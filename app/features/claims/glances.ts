import type { Glance } from "@deed/dns/resolve/reader.ts";
import { replyHash } from "@deed/dns/verdict/evidence.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { hasToken } from "@deed/dns/verdict/publication-status.ts";
import { FairShare } from "#app/core/fair-share.ts";
import { MINUTE, SECOND } from "#app/core/time.ts";
import { FAST_FOR_MS, type VerificationRow } from "./transition.ts";

export const GLANCE_EVERY_MS = 2 * SECOND;
/** The time between two rounds; with three glances in each, that is 300 glances a second. */
export const ROUND_MS = 10;
export const GLANCES_PER_ROUND = 3;
/** The time after which a wait without glances is checked again. */
export const RECHECK_MS = 10 * SECOND;
/** The most claims to glance at: with more, the pause between two glances at a claim would exceed four seconds. */
const MAX_AWAITED = 1_200;
const MAX_SILENCES = 3;
const READ_USABLE_MS = 10 * MINUTE;
/** A read that a glance starts delays the next one by this, less MAX_OWED_MS: servers get a record one by one. */
const COST_MS = { withToken: 20 * SECOND, without: MINUTE };
const MAX_OWED_MS = MINUTE;

/** A nameserver's answer to the last read; `silences` counts the glances in a row that it has not answered since. */
type Server = { host: string; address: string; hash: string; hasToken: boolean; silences: number };

export type GlanceTarget = { zone: string; servers: Server[] };

/** Returns the nameservers to glance at; null if the read saw none. */
export function glanceTarget({ delegation, servers, token }: Observation): GlanceTarget | null {
  if (delegation.type !== "delegated") return null;
  const knownServers = servers.flatMap(({ host, address, answer }) =>
    address !== null && answer && delegation.nameservers.includes(host)
      ? { host, address, hash: replyHash(answer), hasToken: hasToken(answer, token), silences: 0 }
      : [],
  );
  return { zone: delegation.zone, servers: knownServers };
}

/** A record that somebody waits for. Times are epoch milliseconds. */
export class Awaited {
  waitingNotedAt = 0;
  nextAt = 0;
  isRefused = false;
  zone = "";
  servers: Server[] = [];
  #readAt = 0;
  #paidAt = 0;

  constructor(readonly accountId: string) {}

  noteRead(target: GlanceTarget | null, now: number): void {
    if (target === null) return;
    this.#readAt = now;
    this.zone = target.zone;
    this.servers = target.servers.map((server) => ({ ...server }));
  }

  isAwaited(now: number): boolean {
    return Math.abs(now - this.waitingNotedAt) < FAST_FOR_MS;
  }

  /** Whether glances can show a change at its nameservers. */
  isGlanced(now: number): boolean {
    const isKnown = Math.abs(now - this.#readAt) < READ_USABLE_MS;
    const isAnswering = this.servers.some(({ silences }) => silences < MAX_SILENCES);
    return this.isAwaited(now) && isKnown && !this.isRefused && isAnswering;
  }

  /** Returns the next server that lacks the token and has room; null if there is none. */
  nextServer(isFree: (address: string) => boolean): Server | null {
    const isNext = (server: Server) =>
      !server.hasToken && server.silences < MAX_SILENCES && isFree(server.address);
    const index = this.servers.findIndex(isNext);
    const [server] = index < 0 ? [] : this.servers.splice(index, 1);
    if (server) this.servers.push(server);
    return server ?? null;
  }

  deservesRead(server: Server, glance: Glance, now: number): boolean {
    if (glance.type === "refused") this.isRefused = true;
    server.silences = glance.type === "silent" ? server.silences + 1 : 0;
    if (glance.type !== "answered" || glance.digest === server.hash) return false;
    return this.#paidAt - now <= (glance.hasToken ? MAX_OWED_MS : 0);
  }

  countRead(withToken: boolean, now: number): void {
    this.#paidAt = Math.max(this.#paidAt, now) + COST_MS[withToken ? "withToken" : "without"];
  }
}

export type GlanceTurn = { id: string; awaited: Awaited; server: Server };

/** The claims that somebody waits for, in memory: after a restart, somebody must say again that they wait. */
export class Glances {
  readonly #places = new FairShare(MAX_AWAITED, 1);
  readonly #awaitedById = new Map<string, Awaited>();

  /** Notes that somebody waits for a claim. Does nothing if its account already has its share of the places. */
  noteWaiting({ id, accountId }: Pick<VerificationRow, "id" | "accountId">, now: number): void {
    const earlier = this.#awaitedById.get(id);
    if (!earlier && !this.#places.tryAcquire(accountId)) return;
    const awaited = earlier ?? new Awaited(accountId);
    awaited.waitingNotedAt = now;
    this.#awaitedById.set(id, awaited);
  }

  /** `observation` is null if the read failed. Returns whether glances show changes from now on. */
  noteRead(id: string, observation: Observation | null, now: number): boolean {
    const awaited = this.#awaitedById.get(id);
    if (observation) awaited?.noteRead(glanceTarget(observation), now);
    return awaited?.isGlanced(now) ?? false;
  }

  drop(id: string): void {
    const awaited = this.#awaitedById.get(id);
    if (awaited && this.#awaitedById.delete(id)) this.#places.release(awaited.accountId);
  }

  get size(): number {
    return this.#awaitedById.size;
  }

  /** Returns a round of glances, longest wait first, one per address. `hasRoom` is for packets of the lowest priority. */
  nextRound(now: number, hasRoom: (address: string) => boolean): GlanceTurn[] {
    const roomByAddress = new Map<string, boolean>();
    const isFree = (address: string) => {
      const hasSpace = roomByAddress.get(address) ?? hasRoom(address);
      roomByAddress.set(address, hasSpace);
      return hasSpace;
    };
    const turns: GlanceTurn[] = [];
    for (const [id, awaited] of this.#awaitedById) {
      if (turns.length === GLANCES_PER_ROUND) break;
      // If the clock went back, do not wait until the earlier time.
      if (awaited.nextAt > now && awaited.nextAt - now <= RECHECK_MS) continue;
      if (!awaited.isAwaited(now)) this.drop(id);
      const server = awaited.isGlanced(now) && awaited.nextServer(isFree);
      if (!server) continue;
      roomByAddress.set(server.address, false);
      turns.push({ id, awaited, server });
    }
    for (const { id, awaited } of turns) {
      awaited.nextAt = now + GLANCE_EVERY_MS;
      this.#awaitedById.delete(id);
      this.#awaitedById.set(id, awaited);
    }
    return turns;
  }
}
