import type { components } from "./api.ts";
import type { Deed } from "./deed.ts";
import { pauseAfter } from "./error.ts";
import { sleep } from "./sleep.ts";
import { serverSentEvents } from "./sse.ts";

/**
 * Something of the account moved: `type` and the ids it concerns. After `reset` what moved is not known: read again
 * what you keep. `id` goes into `lastEventId` of a later call.
 */
export type DeedEvent = (components["schemas"]["AccountEvent"] | { type: "reset" }) & {
  id?: string;
};

export type EventsOptions = {
  /** The id of the last event that an earlier call gave. */
  lastEventId?: string | undefined;
  signal?: AbortSignal | undefined;
};

/** See Deed.events. */
export async function* events(
  deed: Deed,
  { lastEventId, signal }: EventsOptions,
): AsyncGenerator<DeedEvent, never> {
  let last = lastEventId;
  for (let failures = 1; ; failures++) {
    let pause = 1_000 + Math.random() * 1_000;
    try {
      const headers = last === undefined ? {} : { "Last-Event-ID": last };
      const response = await deed.send("GET", "/api/events", { headers, signal });
      failures = 0;
      if (last === undefined) yield { type: "reset" };
      for await (const { id, data } of serverSentEvents(response)) {
        if (id) last = id;
        if (data) yield { ...JSON.parse(data), ...(last === undefined ? {} : { id: last }) };
      }
    } catch (error) {
      signal?.throwIfAborted();
      const wait = pauseAfter(error, failures);
      if (wait === undefined) throw error;
      pause = wait;
    }
    await sleep(pause, signal);
  }
}
