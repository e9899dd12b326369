import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { DeedError } from "#app/services/errors.server.ts";
import { FairShare } from "#app/services/fair-share.ts";
import { answerError } from "./answer-error.server.ts";
import type { App } from "./app.server.ts";
import type { Site } from "./connection.server.ts";
import { asDeedError } from "./errors.server.ts";
import { addressKey, consumeBudget } from "./limits.server.ts";

/** Requests served at once. */
const PLACES = 8;
/** Fraction of the free places that an address may have: two while it is alone. */
const PART_OF_FREE = 1 / 4;
/** How long a request waits for its turn. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 10;
/** Part of its time that the event loop of a process with enough to do is busy. */
const BUSY = 0.9;

/**
 * Shares the processor among addresses. A request has its place until its answer begins, or until the event loop has
 * time to spare: those being served then wait for DNS, a disk or their client, and hold up nobody.
 */
class Turns {
  readonly #places = new FairShare(PLACES, PART_OF_FREE);
  readonly #served = new Map<ServerResponse, () => void>();
  #watch: NodeJS.Timeout | null = null;
  #before = performance.eventLoopUtilization();

  /** Resolves once it is the request's turn; to false if it waited too long, or `closed` aborts. */
  async take(key: string, response: ServerResponse, closed: AbortSignal): Promise<boolean> {
    if (!(await this.#places.acquire(key, WAIT_MS, closed))) return false;
    const leave = () => {
      if (this.#served.delete(response)) this.#places.release(key);
    };
    this.#served.set(response, leave);
    response.once("close", leave);
    if (!this.#watch) {
      this.#before = performance.eventLoopUtilization();
      this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    }
    return true;
  }

  #look(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    for (const [response, leave] of this.#served)
      if (utilization < BUSY || response.headersSent) leave();
    if (this.#served.size > 0) return;
    clearInterval(this.#watch ?? undefined);
    this.#watch = null;
  }
}

const FULL = () =>
  new DeedError("unavailable", { message: "Too many requests wait here.", retryAfter: 5 });

/**
 * Runs in front of `site`: pages and files draw on the budget of their address, or of the account that is signed in, and
 * every request waits for its turn. `accountOf` finds the account of a Cookie header.
 */
export const withTurns = (
  app: App,
  accountOf: (cookies: string) => Promise<string | null>,
  site: Site,
): Site => {
  const turns = new Turns();
  const draw = async ({ headers: { cookie } }: IncomingMessage, address: string) => {
    const accountId = cookie ? await accountOf(cookie).catch(() => null) : null;
    await consumeBudget(app, "pages", accountId ?? address);
  };
  const serve = async (...[request, response, connection]: Parameters<Site>) => {
    const { address, api, closed } = connection;
    if (!api) await draw(request, address);
    if (!(await turns.take(addressKey(address), response, closed))) throw FULL();
    site(request, response, connection);
  };
  return (request, response, connection) =>
    void serve(request, response, connection).catch((error) => {
      const { url } = connection.sent;
      answerError(response, url, asDeedError(app, error), app.settings.docsUrl);
    });
};
