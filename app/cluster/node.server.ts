import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { NodeFacts } from "#app/http/app.server.ts";
import { followEvents, type LeaseView, readInfo, readLag, readPosition } from "./litefs.server.ts";
import type { Successor, Terms } from "./terms.server.ts";

/** `orphan`: a replica that has lost its primary; it serves reads only. */
export type Role = NodeFacts["role"];

type Options = {
  litefsUrl: string;
  databasePath: string;
  terms: Pick<Terms, "ask" | "successor">;
  log: Log;
  /** Called when LiteFS has exited and its mount is gone. */
  onGone: () => void;
  times?: typeof NODE_TIMES;
};

/** In milliseconds. */
export const NODE_TIMES = {
  poll: 1_000,
  /** A longer gap between polls means the process was paused. */
  fresh: 3_000,
  /** How long LiteFS needs after a pause of the whole machine to notice that its lease has expired. */
  settle: 1_500,
  /** LiteFS names a primary before connecting to it, so the name only counts after this long. */
  connected: 400,
  /** A primary sends a heartbeat every second; if it is frozen or unplugged, its connection stays open and silent. */
  silent: 5_000,
  /** If LiteFS refuses connections for this long, it has exited. */
  gone: 5_000,
  terms: 5_000,
};
const BEAT_MARGIN_MS = 200;
const RECENT_MS = 10;

const unavailable = (message: string) => new DeedError("unavailable", { message, retryAfter: 5 });

export const notWritable = () =>
  unavailable("Nothing can be saved right now: this node has no primary.");

export const outcomeUnknown = () =>
  unavailable(
    "Outcome unknown: the primary was lost during this write. Check before you repeat it.",
  );

const isRefused = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ECONNREFUSED";

/** LiteFS events take effect at once; a poll of `/info` every second confirms them. */
export class ClusterNode {
  readonly #times: typeof NODE_TIMES;
  readonly #ending = new AbortController();
  readonly #onRole = new Set<(role: Role) => void>();
  readonly #onTransaction = new Set<() => void>();
  #view: LeaseView = { isPrimary: false, hostname: "" };
  #role: Role = "orphan";
  #namedAt = 0;
  /** When the process last checked for pauses: at most `fresh` ago while it runs. */
  #checkedAt = Date.now();
  #suspectUntil = 0;
  #written = 0n;
  #recent = { at: Number.NEGATIVE_INFINITY, position: 0n };
  /** The primary's last heartbeat, by the primary's clock, and when this node noticed it, by its own clock. */
  #beatAt = 0;
  #heardAt = Date.now();
  #refusedSince: number | null = null;
  #leading: AbortController | null = null;
  #admission: Promise<void> = Promise.resolve();
  #successor: Successor | null = null;

  constructor(private readonly options: Options) {
    this.#times = options.times ?? NODE_TIMES;
  }

  async start(): Promise<void> {
    while (!(await this.#confirm()) && !this.#ending.signal.aborted) await this.#pause(100);
    await this.#admission;
    void this.#poll();
    void this.#follow();
  }

  stop(): void {
    this.#ending.abort();
  }

  get role(): Role {
    return this.#role;
  }

  /** `host:port` for forwarded requests; null on the primary, and if there is no primary. */
  get primary(): string | null {
    return this.#role === "replica" ? this.#view.hostname : null;
  }

  position(path = this.options.databasePath): bigint {
    return readPosition(path);
  }

  /** At most RECENT_MS old, so that many waiting requests share one file read. */
  recentPosition(): bigint {
    const now = performance.now();
    if (now - this.#recent.at >= RECENT_MS) this.#recent = { at: now, position: this.position() };
    return this.#recent.position;
  }

  facts(): Omit<NodeFacts, "term"> {
    return {
      role: this.#role,
      isSuperseded: this.#successor !== null,
      position: this.position().toString(16),
      lagMs: this.#role === "primary" ? 0 : readLag(this.options.databasePath),
    };
  }

  onRole(listener: (role: Role) => void): void {
    this.#onRole.add(listener);
  }

  onTransaction(listener: () => void): void {
    this.#onTransaction.add(listener);
  }

  get written(): bigint {
    return this.#written;
  }

  /** Throws unavailable if the position has not moved past `before`: nobody knows then whether the commit worked. */
  confirmCommit(before: bigint, path = this.options.databasePath): void {
    const position = this.position(path);
    if (position <= before) throw outcomeUnknown();
    if (path === this.options.databasePath) this.#written = position;
  }

  readOnlyError = notWritable;
  outcomeUnknownError = outcomeUnknown;

  isWritable(): boolean {
    return this.#role === "primary";
  }

  /** Asks LiteFS and the other nodes again after a pause, when the lease may have moved. Throws unavailable. */
  async waitUntilWritable(): Promise<void> {
    if (!this.isWritable()) throw notWritable();
    this.#noticePause();
    if (Date.now() >= this.#suspectUntil) return;
    await this.#pause(this.#suspectUntil - Date.now());
    if (!(await this.#confirm())) throw notWritable();
    await this.#admit();
    if (!this.isWritable()) throw notWritable();
  }

  #noticePause(): void {
    const now = Date.now();
    if (now - this.#checkedAt > this.#times.fresh) this.#suspectUntil = now + this.#times.settle;
    this.#checkedAt = now;
  }

  #noticeBeat(): void {
    const now = Date.now();
    const lag = readLag(this.options.databasePath);
    const beatAt = lag === null ? this.#beatAt : now - lag;
    // Two readings of one heartbeat differ only by the time that reading takes.
    if (Math.abs(beatAt - this.#beatAt) > BEAT_MARGIN_MS || this.#role === "primary") {
      this.#beatAt = beatAt;
      this.#heardAt = now;
    }
  }

  async #confirm(): Promise<boolean> {
    try {
      const view = await readInfo(this.options.litefsUrl);
      this.#checkedAt = Date.now();
      this.#noticeBeat();
      this.#refusedSince = null;
      this.#see(view);
      return true;
    } catch (error) {
      if (isRefused(error)) this.#refusedSince ??= Date.now();
      return false;
    }
  }

  async #poll(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#pause(this.#times.poll);
      this.#noticePause();
      if ((await this.#confirm()) || this.#ending.signal.aborted) continue;
      if (this.#refusedSince !== null && Date.now() - this.#refusedSince > this.#times.gone)
        this.options.onGone();
    }
  }

  async #follow(): Promise<void> {
    const { litefsUrl } = this.options;
    while (!this.#ending.signal.aborted) {
      try {
        await followEvents(
          litefsUrl,
          (event) => {
            if (event.type === "lease") this.#see(event.view);
            else for (const listener of this.#onTransaction) listener();
          },
          this.#ending.signal,
        );
      } catch {
        // The poll notices if LiteFS has exited.
      }
      await this.#pause(this.#times.poll);
    }
  }

  #see(view: LeaseView) {
    if (view.hostname !== this.#view.hostname) this.#namedAt = Date.now();
    this.#view = view;
    if (view.isPrimary) return this.#lead();
    this.#leading?.abort();
    this.#leading = null;
    this.#successor = null;
    if (view.hostname === "" || Date.now() - this.#heardAt > this.#times.silent)
      this.#become("orphan");
    else if (this.#role !== "orphan" || Date.now() - this.#namedAt >= this.#times.connected)
      this.#become("replica");
    else setTimeout(() => this.#see(this.#view), this.#times.connected).unref();
  }

  #lead(): void {
    if (this.#leading) return;
    this.#leading = new AbortController();
    const { signal } = this.#leading;
    this.#become("orphan");
    this.#admission = this.#admit();
    void this.#admission.then(async () => {
      while (!signal.aborted && !this.#ending.signal.aborted) {
        await this.#pause(this.#times.terms);
        if (!signal.aborted) await this.#admit();
      }
    });
  }

  async #admit(): Promise<void> {
    const { terms, log } = this.options;
    await terms.ask();
    if (!this.#leading || this.#ending.signal.aborted) return;
    let successor: Successor | null;
    try {
      successor = terms.successor();
    } catch (error) {
      return log.warn({ err: error }, "the term of this node could not be read");
    }
    if (successor && !this.#successor) this.#alarm(successor);
    this.#successor = successor;
    this.#become(successor ? "orphan" : "primary");
  }

  #alarm({ node, term }: Successor): void {
    this.options.log.error(
      { node, promotedAt: new Date(term).toISOString() },
      `${node} was made the primary after this node, so nothing is written here: set LITEFS_PRIMARY to the primary's address and restart (docs/cluster.md, "An old primary")`,
    );
  }

  #become(role: Role): void {
    if (role === this.#role) return;
    this.#role = role;
    this.options.log.info({ role, primary: this.#view.hostname || null }, "role in the cluster");
    for (const listener of this.#onRole) listener(role);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => {});
  }
}
