import type { EventStreams } from "./app.server.ts";
import type { Connection } from "./connection.server.ts";

const MAX_UNREAD = 64 * 1024;
const COMMENT_EVERY_MS = 20_000;
const encoder = new TextEncoder();
const OPEN = encoder.encode(": open\n\n");
const COMMENT = encoder.encode(": still here\n\n");

type Formatted = { event?: string; id?: string; data?: unknown };

/** Formats an event: `data` becomes one line of JSON; without it, only the id moves on. */
export function formatEvent({ event, id, data }: Formatted): string {
  const lines = data === undefined ? [] : [`data: ${JSON.stringify(data)}`];
  if (event !== undefined) lines.unshift(`event: ${event}`);
  if (id !== undefined) lines.unshift(`id: ${id}`);
  return `${lines.join("\n")}\n\n`;
}

type Options = {
  connection: Pick<Connection, "closed" | "buffered" | "drop">;
  /** `onEnd` is called once, however the stream ends; `onBeat` with every comment. */
  start(sink: EventStream): ReturnType<EventStreams["subscribe"]>;
};

export class EventStream implements UnderlyingDefaultSource<Uint8Array> {
  isClosed = false;
  readonly #connection: Options["connection"];
  readonly #beat: NodeJS.Timeout;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #callbacks: ReturnType<Options["start"]> | null = null;

  constructor({ connection }: Options) {
    this.#connection = connection;
    this.#beat = setInterval(() => this.#onBeat(), COMMENT_EVERY_MS).unref();
    connection.closed.addEventListener("abort", () => this.close(), { once: true });
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    controller.enqueue(OPEN);
  }

  cancel(): void {
    this.#stop();
  }

  notify(callbacks: ReturnType<Options["start"]>): void {
    this.#callbacks = callbacks;
    if (this.isClosed) callbacks.onEnd();
  }

  #onBeat(): void {
    this.send(COMMENT);
    if (!this.isClosed) this.#callbacks?.onBeat();
  }

  /** Bytes are not copied, so one encoding can be sent to many streams. */
  send(text: string | Uint8Array): void {
    if (this.isClosed) return;
    this.#controller?.enqueue(typeof text === "string" ? encoder.encode(text) : text);
    // What the stream still queues counts too: `desiredSize` is MAX_UNREAD less that.
    if (this.#connection.buffered() <= (this.#controller?.desiredSize ?? 0)) return;
    this.close();
    this.#connection.drop();
  }

  close(): void {
    if (this.isClosed) return;
    this.#controller?.close();
    this.#stop();
  }

  #stop(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.#beat);
    this.#callbacks?.onEnd();
  }
}

/** A reader with more than MAX_UNREAD bytes unread is cut off and may reconnect. */
export function eventStream(options: Options): ReadableStream<Uint8Array> {
  const stream = new EventStream(options);
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD });
  const body = new ReadableStream(stream, strategy);
  stream.notify(options.start(stream));
  return body;
}
