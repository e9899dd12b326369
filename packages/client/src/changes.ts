import type { Deed } from "./deed.ts";

type Watcher = { id: string; wake: () => void };

/** One event stream for all that wait, open while anybody does. */
export class Changes {
  readonly #deed: Deed;
  readonly #watchers = new Set<Watcher>();
  #stream: AbortController | undefined;

  constructor(deed: Deed) {
    this.#deed = deed;
  }

  /** Calls `wake` whenever something about `id` may have moved. Returns what ends it. */
  watch(id: string, wake: () => void): () => void {
    const watcher = { id, wake };
    this.#watchers.add(watcher);
    if (!this.#stream) {
      this.#stream = new AbortController();
      // Without a stream, those who wait read when the service says that it has read DNS.
      this.#listen(this.#stream.signal).catch(() => {});
    }
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      this.#stream?.abort();
      this.#stream = undefined;
    };
  }

  async #listen(signal: AbortSignal): Promise<void> {
    for await (const event of this.#deed.events({ signal })) {
      const ids = Object.values(event);
      for (const { id, wake } of this.#watchers)
        if (event.type === "reset" || ids.includes(id)) wake();
    }
  }
}
