declare module "#app/core/context.server.ts" {
  interface Context {
    wantedNames: WantedNames;
  }
}
/** Names that wait; of more, none is added: the next read of its claim wants it again. */
const MOST_WAITING = 1_000;
/** Milliseconds between two questions to one RDAP server. */
const SERVER_REST_MS = 6_000;

/** The names that registries are to be asked about, and how long each server is left alone. In memory only. */
export class WantedNames {
  readonly #waiting = new Set<string>();
  /** The name that is being asked about. */
  #current: string | null = null;
  /** Since when and until when a server rests, by its base URL, epoch milliseconds. */
  readonly #rests = new Map<string, { since: number; until: number }>();

  /** Adds a name, unless it waits already. */
  want(name: string): void {
    if (this.#waiting.size < MOST_WAITING) this.#waiting.add(name);
  }

  /** The names that wait, first come first. */
  get waiting(): string[] {
    return [...this.#waiting];
  }

  /** Whether a name waits or is being asked about. */
  has(name: string): boolean {
    return this.#waiting.has(name) || this.#current === name;
  }

  drop(name: string): void {
    this.#waiting.delete(name);
  }

  isResting(server: string, now: number): boolean {
    const rest = this.#rests.get(server);
    // If the clock went back, nobody knows how long it has rested.
    return rest !== undefined && rest.since <= now && now < rest.until;
  }

  /** Takes a name off the list, to be asked about now. */
  take(name: string, server: string, now: number): void {
    this.#waiting.delete(name);
    this.#current = name;
    this.rest(server, now, SERVER_REST_MS);
  }

  /** The name that was taken has been asked about. */
  done(): void {
    this.#current = null;
  }

  /** Leaves a server alone for so many milliseconds. */
  rest(server: string, now: number, ms: number): void {
    this.#rests.set(server, { since: now, until: now + ms });
  }
}
