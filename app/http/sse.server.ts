import type { Connection } from "./connection.server.ts";

/** A stream's unread bytes past which its reader is dropped. */
const MAX_BUFFERED = 64 * 1024;
const COMMENT_EVERY_MS = 20_000;

/** One event as text/event-stream has it. `data` is written as one line of JSON. */
export function formatEvent({
  event,
  id,
  data,
}: {
  event?: string;
  id?: number;
  data: unknown;
}): string {
  const lines = [`data: ${JSON.stringify(data)}`];
  if (event !== undefined) lines.unshift(`event: ${event}`);
  if (id !== undefined) lines.unshift(`id: ${id}`);
  return `${lines.join("\n")}\n\n`;
}

export type EventSink = {
  send(text: string): void;
  /** Ends the stream. Safe to call again. */
  close(): void;
  readonly isClosed: boolean;
};

type Flow = { onEnd(): void; onBeat(): void };

type Options = {
  connection: Connection;
  /** Aborts at shutdown. */
  closing: AbortSignal;
  /** Starts the flow. `onEnd` is called once, when the stream ends for whatever reason; `onBeat` at every comment. */
  start(sink: EventSink): Flow;
};

/**
 * A stream of events that stays open until its reader leaves, is too slow, `close` is called or the service
 * stops. Bytes the reader has not taken are bounded: past the bound it is cut off and may reconnect.
 */
export function eventStream({ connection, closing, start }: Options): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let release = () => false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isClosed = false;
        let flow: Flow | null = null;
        const beat = setInterval(() => {
          sink.send(": still here\n\n");
          if (!isClosed) flow?.onBeat();
        }, COMMENT_EVERY_MS);
        beat.unref();

        release = () => {
          if (isClosed) return false;
          isClosed = true;
          clearInterval(beat);
          connection.closed.removeEventListener("abort", end);
          closing.removeEventListener("abort", end);
          flow?.onEnd();
          return true;
        };
        // A second close of the controller would throw.
        const end = () => {
          if (release()) controller.close();
        };
        const sink: EventSink = {
          send(text) {
            if (isClosed) return;
            controller.enqueue(encoder.encode(text));
            // Remix writes on without waiting for the client: what piles up does so in the response.
            if (connection.buffered() <= MAX_BUFFERED && (controller.desiredSize ?? 0) > 0) return;
            end();
            connection.drop();
          },
          close: end,
          get isClosed() {
            return isClosed;
          },
        };
        connection.closed.addEventListener("abort", end);
        closing.addEventListener("abort", end);
        if (connection.closed.aborted || closing.aborted) return end();
        flow = start(sink);
        if (isClosed) flow.onEnd();
      },
      cancel() {
        release();
      },
    },
    { highWaterMark: MAX_BUFFERED, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
