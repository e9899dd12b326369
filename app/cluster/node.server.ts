import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { NodeFacts } from "#app/http/app.server.ts";
import { followEvents, type LeaseView, readInfo, readLag, readPosition } from "./litefs.server.ts";
import type { Successor, Terms } from "./terms.server.ts";

/** An `orphan` is a replica that has lost its primary; it serves reads only. */
export type Role = NodeFacts["role"];

type Options = {
  litefsUrl: string;
  databasePath: string;
  terms: Pick<Terms, "ask" | "successor">;
  log: Log;
  /** The node calls this when LiteFS has exited and its mount is gone. */
  onGone: () => void;
  times?: typeof NODE_TIMES;
};

export const NODE_TIMES = {
  pollMs: 1_000,
  /** A longer gap between polls means the process was paused. */
  maxGapMs: 3_000,
  /** How long LiteFS needs after a pause of the whole machine to notice that its lease has expired. */
  leaseCheckMs: 1_500,
  /** LiteFS names a primary before connecting to it, so the name only counts after this long. */
  connectMs: 400,
  /** A primary sends a heartbeat every second; if it is frozen or unplugged, its connection stays open and silent. */
  maxSilenceMs: 5_000,
  /** If LiteFS refuses connections for this long, it has exited. */
  maxRefusalMs: 5_000,
  termPollMs: 5_000,
};
const BEAT_MARGIN_MS = 200;
const POSITION_CACHE_MS = 10;

const unavailableError = (message: string) =>
  new DeedError("unavailable", { message, retryAfter: 5 });

export const notWritableError = () =>
  unavailableError("Nothing can be saved right now: this node has no primary.");

export const outcomeUnknownError = () =>
  unavailableError(
    "Outcome unknown: the primary was lost during this write. Check before you repeat it.",
  );

const isRefused = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ECONNREFUSED";

/** Emits "role" after each change of role, and "transaction" after each transaction. Polls confirm LiteFS's events. */
export class ClusterNode extends EventEmitter<{ role: [Role]; transaction: [] }> {
  readonly #times: typeof NODE_TIMES;
  readonly #stopping = new AbortController();
  #view: LeaseView = { isPrimary: false, hostname: "" };
  #role: Role = "orphan";
  #primaryNamedAt = 0;
  /** When the process last checked for pauses: at most `maxGapMs` ago while it runs. */
  #checkedAt = Date.now();
  #doubtedUntil = 0;
  #writtenPosition = 0n;
  #cached = { at: Number.NEGATIVE_INFINITY, position: 0n };
  /** The primary's last heartbeat, by the primary's clock, and when this node noticed it, by its own clock. */
  #beatAt = 0;
  #heardAt = Date.now();
  #refusedSince: number | null = null;
  #leadership: AbortController | null = null;
  #successorCheck: Promise<void> = Promise.resolve();
  #successor: Successor | null = null;

  constructor(private readonly options: Options) {
    super();
    this.#times = options.times ?? NODE_TIMES;
  }

  async start(): Promise<void> {
    while (!(await this.#confirm()) && !this.#stopping.signal.aborted) await this.#pause(100);
    await this.#successorCheck;
    void this.#poll();
    void this.#follow();
  }

  stop(): void {
    this.#stopping.abort();
  }

  get role(): Role {
    return this.#role;
  }

  /** The `host:port` to forward requests to; null on the primary, and if there is no primary. */
  get primary(): string | null {
    return this.#role === "replica" ? this.#view.hostname : null;
  }

  position(path = this.options.databasePath): bigint {
    return readPosition(path);
  }

  /** Returns a position that is a few milliseconds old at most, so that many waiting requests share one file read. */
  recentPosition(): bigint {
    const now = performance.now();
    if (now - this.#cached.at >= POSITION_CACHE_MS)
      this.#cached = { at: now, position: this.position() };
    return this.#cached.position;
  }

  facts(): Omit<NodeFacts, "term"> {
    return {
      role: this.#role,
      isSuperseded: this.#successor !== null,
      position: this.position().toString(16),
      lagMs: this.#role === "primary" ? 0 : readLag(this.options.databasePath),
    };
  }

  get writtenPosition(): bigint {
    return this.#writtenPosition;
  }

  /** Throws unavailable if the position has not moved past `before`: nobody knows then whether the commit worked. */
  confirmCommit(before: bigint, path = this.options.databasePath): void {
    const position = this.position(path);
    if (position <= before) throw outcomeUnknownError();
    if (path === this.options.databasePath) this.#writtenPosition = position;
  }

  readOnlyError = notWritableError;
  outcomeUnknownError = outcomeUnknownError;

  isWritable(): boolean {
    return this.#role === "primary";
  }

  /** Asks LiteFS and the other nodes again after a pause, when the lease may have moved. Throws unavailable. */
  async waitUntilWritable(): Promise<void> {
    if (!this.isWritable()) throw notWritableError();
    this.#noticePause();
    if (Date.now() >= this.#doubtedUntil) return;
    await this.#pause(this.#doubtedUntil - Date.now());
    if (!(await this.#confirm())) throw notWritableError();
    await this.#checkSuccessor();
    if (!this.isWritable()) throw notWritableError();
  }

  #noticePause(): void {
    const now = Date.now();
    if (now - this.#checkedAt > this.#times.maxGapMs)
      this.#doubtedUntil = now + this.#times.leaseCheckMs;
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
      this.#applyView(view);
      return true;
    } catch (error) {
      if (isRefused(error)) this.#refusedSince ??= Date.now();
      return false;
    }
  }

  async #poll(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#pause(this.#times.pollMs);
      this.#noticePause();
      if ((await this.#confirm()) || this.#stopping.signal.aborted) continue;
      if (this.#refusedSince !== null && Date.now() - this.#refusedSince > this.#times.maxRefusalMs)
        this.options.onGone();
    }
  }

  async #follow(): Promise<void> {
    const listeners = {
      onLease: (view: LeaseView) => this.#applyView(view),
      onTransaction: () => void this.emit("transaction"),
    };
    while (!this.#stopping.signal.aborted) {
      try {
        await followEvents(this.options.litefsUrl, listeners, this.#stopping.signal);
      } catch {
        // The poll notices if LiteFS has exited.
      }
      await this.#pause(this.#times.pollMs);
    }
  }

  #applyView(view: LeaseView) {
    if (view.hostname !== this.#view.hostname) this.#primaryNamedAt = Date.now();
    this.#view = view;
    if (view.isPrimary) return this.#startLeading();
    this.#leadership?.abort();
    this.#leadership = null;
    this.#successor = null;
    if (view.hostname === "" || Date.now() - this.#heardAt > this.#times.maxSilenceMs)
      this.#setRole("orphan");
    else if (this.#role !== "orphan" || Date.now() - this.#primaryNamedAt >= this.#times.connectMs)
      this.#setRole("replica");
    else setTimeout(() => this.#applyView(this.#view), this.#times.connectMs).unref();
  }

  #startLeading(): void {
    if (this.#leadership) return;
    this.#leadership = new AbortController();
    const { signal } = this.#leadership;
    this.#setRole("orphan");
    this.#successorCheck = this.#checkSuccessor();
    void this.#successorCheck.then(async () => {
      while (!signal.aborted && !this.#stopping.signal.aborted) {
        await this.#pause(this.#times.termPollMs);
        if (!signal.aborted) await this.#checkSuccessor();
      }
    });
  }

  async #checkSuccessor(): Promise<void> {
    const { terms, log } = this.options;
    await terms.ask();
    if (!this.#leadership || this.#stopping.signal.aborted) return;
    let successor: Successor | null;
    try {
      successor = terms.successor();
    } catch (error) {
      return log.warn({ err: error }, "the term of this node could not be read");
    }
    if (successor && !this.#successor) this.#logSuccessor(successor);
    this.#successor = successor;
    this.#setRole(successor ? "orphan" : "primary");
  }

  #logSuccessor({ node, term }: Successor): void {
    this.options.log.error(
      { node, promotedAt: new Date(term).toISOString() },
      `${node} was made the primary after this node, so nothing is written here: set LITEFS_PRIMARY to the primary's address and restart (docs/cluster.md, "An old primary")`,
    );
  }

  #setRole(role: Role): void {
    if (role === this.#role) return;
    this.#role = role;
    this.options.log.info({ role, primary: this.#view.hostname || null }, "role in the cluster");
    this.emit("role", role);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
