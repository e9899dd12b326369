import type { components } from "./api.ts";
import type { Deed } from "./deed.ts";
import { pauseAfter, sleep } from "./error.ts";

/** What changed, with its ids. After `reset`, read again what you store. A later `lastEventId` can be this `id`. */
export type DeedEvent = (components["schemas"]["AccountEvent"] | { type: "reset" }) & {
  id?: string;
};

export type EventsOptions = {
  lastEventId?: string | undefined;
  signal?: AbortSignal | undefined;
};

export async function* events(
  deed: Deed,
  { lastEventId, signal }: EventsOptions,
): AsyncGenerator<DeedEvent, never> {
  let lastId = lastEventId;
  for (let failures = 1; ; failures++) {
    let pauseMs = 1_000 + Math.random() * 1_000;
    try {
      const headers = lastId === undefined ? {} : { "Last-Event-ID": lastId };
      const response = await deed.send("GET", "/api/events", { headers, signal });
      failures = 0;
      if (lastId === undefined) yield { type: "reset" };
      for await (const { id, data } of serverSentEvents(response)) {
        if (id) lastId = id;
        if (data) yield { ...JSON.parse(data), ...(lastId === undefined ? {} : { id: lastId }) };
      }
    } catch (error) {
      signal?.throwIfAborted();
      const wait = pauseAfter(error, failures);
      if (wait === undefined) throw error;
      pauseMs = wait;
    }
    await sleep(pauseMs, signal);
  }
}

/** One block of an event stream. `id` is undefined if the block has none; `data` is empty if it has only an id. */
type ServerSentEvent = { id: string | undefined; data: string };

function parseBlock(block: string): ServerSentEvent {
  const valuesOf = (field: string) =>
    block
      .split("\n")
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ""));
  return { id: valuesOf("id").at(-1), data: valuesOf("data").join("\n") };
}

/** Yields events as they arrive, until the response ends. Leaving the loop closes the connection. */
export async function* serverSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + part.value).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield parseBlock(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

type Watcher = { id: string; wake: () => void };

/** One event stream for all waiting calls, open while there are any. */
export class Changes {
  readonly #watchers = new Set<Watcher>();
  #stream: AbortController | undefined;

  constructor(private readonly deed: Deed) {}

  /** Calls `wake` whenever `id` may have changed. Returns a function that ends the watch. */
  watch(id: string, wake: () => void): () => void {
    const watcher = { id, wake };
    this.#watchers.add(watcher);
    if (!this.#stream) {
      this.#stream = new AbortController();
      // Without a stream, callers poll when the service says that it will read DNS.
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
    for await (const event of this.deed.events({ signal })) {
      const ids = Object.values(event);
      for (const { id, wake } of this.#watchers)
        if (event.type === "reset" || ids.includes(id)) wake();
    }
  }
}
