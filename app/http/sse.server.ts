import type { EventStreams, Subscriber } from "./app.server.ts";
import type { Connection } from "./connection.server.ts";

const MAX_UNREAD = 128 * 1024;
const COMMENT_EVERY_MS = 20_000;
const encoder = new TextEncoder();
const OPENING_COMMENT = encoder.encode(": open\n\n");
const BEAT_COMMENT = encoder.encode(": still here\n\n");

/** Formats an event: `data` becomes one line of JSON; without it, only the id advances. */
export function formatEvent({ event, id, data }: { event?: string; id?: string; data?: unknown }) {
  const lines = data === undefined ? [] : [`data: ${JSON.stringify(data)}`];
  if (event !== undefined) lines.unshift(`event: ${event}`);
  if (id !== undefined) lines.unshift(`id: ${id}`);
  return `${lines.join("\n")}\n\n`;
}

export type EventStream = Subscriber["sink"];

/** `onEnd` is called once, whatever ends the stream; `onBeat` with every comment, `onRoom` when the reader can take more. */
type Start = (sink: EventStream) => ReturnType<EventStreams["subscribe"]>;

/** Streams events to a client. One with more than MAX_UNREAD bytes unread is cut off and may reconnect. */
export function eventStream(
  connection: Pick<Connection, "closed" | "bufferedBytes" | "drained" | "drop">,
  start: Start,
): ReadableStream<Uint8Array> {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let callbacks: ReturnType<typeof start> | undefined;
  let isClosed = false;
  const stop = () => {
    if (isClosed) return;
    isClosed = true;
    clearInterval(timer);
    callbacks?.onEnd();
  };
  const sink: EventStream = {
    /** Sends text, or bytes, which are not copied, so that one encoded text can go to many streams. */
    send(text) {
      if (isClosed) return;
      controller?.enqueue(typeof text === "string" ? encoder.encode(text) : text);
      // The stream's own queue counts too: its size is minus `desiredSize`.
      if (connection.bufferedBytes() - (controller?.desiredSize ?? 0) <= MAX_UNREAD) return;
      sink.close();
      connection.drop();
    },
    close() {
      if (!isClosed) controller?.close();
      stop();
    },
  };
  const timer = setInterval(() => {
    sink.send(BEAT_COMMENT);
    if (!isClosed) callbacks?.onBeat();
  }, COMMENT_EVERY_MS).unref();
  connection.closed.addEventListener("abort", sink.close, { once: true });
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(streamController) {
      controller = streamController;
      streamController.enqueue(OPENING_COMMENT);
    },
    async pull() {
      await connection.drained();
      if (!isClosed) callbacks?.onRoom();
    },
    cancel: stop,
  };
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 0 });
  const body = new ReadableStream(source, strategy);
  callbacks = start(sink);
  if (isClosed) callbacks.onEnd();
  return body;
}
