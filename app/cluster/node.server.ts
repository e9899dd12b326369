import { setTimeout as sleep } from "node:timers/promises";
import type { NodeFacts } from "#app/http/app.server.ts";
import type { Log } from "#app/services/context.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { followEvents, type LeaseView, readInfo, readLag, readPosition } from "./litefs.server.ts";

/** `orphan`: a replica that has lost its primary. Reads go on; nothing can be written anywhere from here. */
export type Role = NodeFacts["role"];

type Options = {
  litefsUrl: string;
  databasePath: string;
  log: Log;
  /** LiteFS has ended, and the mount with it. */
  onGone: () => void;
};

const POLL_MS = 1_000;
/** Polls further apart than this mean that the process stood still. */
const FRESH_MS = 3_000;
/** After a pause of the whole machine: the time LiteFS is given to notice that its lease has gone. */
const SETTLE_MS = 1_500;
/** LiteFS names the primary before it has reached it: only a name that stays for so long counts. */
const CONNECTED_MS = 400;
/** The primary's LiteFS beats every second. One that is frozen or unplugged leaves its connection open, and is silent. */
const SILENT_MS = 5_000;
const BEAT_MARGIN_MS = 200;
/** LiteFS refuses connections for so long: it has ended. */
const GONE_MS = 5_000;
const RECENT_MS = 10;
const RETRY_AFTER_S = 5;

/** Why a write is refused; nothing was written. */
export const notWritable = () =>
  new DeedError("unavailable", {
    message: "Nothing can be written just now: this node has no primary to write to.",
    retryAfter: RETRY_AFTER_S,
  });

/** A write was sent off and nothing vouches for it: it may stand, or not. */
export const outcomeUnknown = () =>
  new DeedError("unavailable", {
    message:
      "Outcome unknown: the primary was lost while it took this write. Read before you repeat it.",
    retryAfter: RETRY_AFTER_S,
  });

const isRefused = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ECONNREFUSED";

/**
 * This node of the cluster: its role as LiteFS tells it, followed while the process runs.
 * The events of LiteFS are believed at once; a poll of `/info` every second confirms them.
 */
export class ClusterNode {
  readonly #options: Options;
  readonly #ending = new AbortController();
  readonly #onRole = new Set<(role: Role) => void>();
  readonly #onTransaction = new Set<() => void>();
  #view: LeaseView = { isPrimary: false, hostname: "" };
  #role: Role = "orphan";
  #namedAt = 0;
  /** When a pause was last looked for: no more than FRESH_MS ago, while the process runs. */
  #checkedAt = Date.now();
  /** Until when the role is not believed for writing. */
  #suspectUntil = 0;
  #written = 0n;
  #recent = { at: Number.NEGATIVE_INFINITY, position: 0n };
  /** By the primary's clock, when it last beat; and by this one's, when that was heard. */
  #beatAt = 0;
  #heardAt = Date.now();
  #refusedSince: number | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Follows LiteFS until `stop`; resolves once it has answered for the first time. */
  async start(): Promise<void> {
    while (!(await this.#confirm()) && !this.#ending.signal.aborted) await this.#pause(100);
    void this.#poll();
    void this.#follow();
  }

  stop(): void {
    this.#ending.abort();
  }

  get role(): Role {
    return this.#role;
  }

  /** `host:port` where the primary takes forwarded requests; null on the primary and without one. */
  get primary(): string | null {
    return this.#role === "replica" ? this.#view.hostname : null;
  }

  /** The newest transaction of this node's copy of the database. */
  position(): bigint {
    return readPosition(this.#options.databasePath);
  }

  /** The position as it was a moment ago: many may wait on it, and one look serves them all. */
  recentPosition(): bigint {
    const now = performance.now();
    if (now - this.#recent.at >= RECENT_MS) this.#recent = { at: now, position: this.position() };
    return this.#recent.position;
  }

  facts(): NodeFacts {
    return {
      role: this.#role,
      position: this.position().toString(16),
      lagMs: this.#role === "primary" ? 0 : readLag(this.#options.databasePath),
    };
  }

  /** Calls `listener` at every change of role, not with the present one. */
  onRole(listener: (role: Role) => void): void {
    this.#onRole.add(listener);
  }

  /** Calls `listener` when a transaction has arrived, its own included. */
  onTransaction(listener: () => void): void {
    this.#onTransaction.add(listener);
  }

  /** The newest transaction this process has written and seen committed; 0 before the first. */
  get written(): bigint {
    return this.#written;
  }

  /**
   * The receipt of a commit: the position has moved past `before`, or nobody knows what became of it.
   * Throws unavailable.
   */
  receipt(before: bigint): void {
    const position = this.position();
    if (position <= before) throw outcomeUnknown();
    this.#written = position;
  }

  refused = notWritable;
  lost = outcomeUnknown;

  /** Whether this copy of the database takes writes, as far as was known a moment ago. */
  isWritable(): boolean {
    return this.#role === "primary";
  }

  /**
   * Resolves where this node may write. After a pause (a frozen process, a suspended machine) the lease may
   * have gone to another node in the meantime, so LiteFS is asked again first. Throws unavailable.
   */
  async admit(): Promise<void> {
    if (!this.isWritable()) throw notWritable();
    this.#noticePause();
    if (Date.now() >= this.#suspectUntil) return;
    await this.#pause(this.#suspectUntil - Date.now());
    if (!(await this.#confirm()) || !this.isWritable()) throw notWritable();
  }

  #noticePause(): void {
    const now = Date.now();
    if (now - this.#checkedAt > FRESH_MS) this.#suspectUntil = now + SETTLE_MS;
    this.#checkedAt = now;
  }

  #noticeBeat(): void {
    const now = Date.now();
    const lag = readLag(this.#options.databasePath);
    const beatAt = lag === null ? this.#beatAt : now - lag;
    // What is left of the difference between two readings of one beat is the time a reading takes.
    if (Math.abs(beatAt - this.#beatAt) > BEAT_MARGIN_MS || this.#role === "primary") {
      this.#beatAt = beatAt;
      this.#heardAt = now;
    }
  }

  async #confirm(): Promise<boolean> {
    try {
      const view = await readInfo(this.#options.litefsUrl);
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
      await this.#pause(POLL_MS);
      this.#noticePause();
      if ((await this.#confirm()) || this.#ending.signal.aborted) continue;
      if (this.#refusedSince !== null && Date.now() - this.#refusedSince > GONE_MS)
        this.#options.onGone();
    }
  }

  async #follow(): Promise<void> {
    const { litefsUrl } = this.#options;
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
        // The poll says what became of LiteFS.
      }
      await this.#pause(POLL_MS);
    }
  }

  #see(view: LeaseView): void {
    if (view.hostname !== this.#view.hostname) this.#namedAt = Date.now();
    this.#view = view;
    if (view.isPrimary) this.#become("primary");
    else if (view.hostname === "" || Date.now() - this.#heardAt > SILENT_MS) this.#become("orphan");
    else if (this.#role !== "orphan" || Date.now() - this.#namedAt >= CONNECTED_MS)
      this.#become("replica");
    else setTimeout(() => this.#see(this.#view), CONNECTED_MS).unref();
  }

  #become(role: Role): void {
    if (role === this.#role) return;
    this.#role = role;
    this.#options.log.info({ role, primary: this.#view.hostname || null }, "role in the cluster");
    for (const listener of this.#onRole) listener(role);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => {});
  }
}
