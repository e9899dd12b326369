import type { Connection } from "./connection.server.ts";

/** A stream's unread bytes past which its reader is dropped. */
const MAX_BUFFERED = 64 * 1024;
const COMMENT_EVERY_MS = 20_000;
const COMMENT = new TextEncoder().encode(": still here\n\n");
const encoder = new TextEncoder();

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
  /** Bytes are not copied: what many streams are sent is encoded once. */
  send(text: string | Uint8Array): void;
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

/** What ends with a signal. One listener for all: a signal goes through every one it has at each that comes or goes. */
const endings = new WeakMap<AbortSignal, Set<OpenStream>>();

function endingWith(signal: AbortSignal): Set<OpenStream> {
  const known = endings.get(signal);
  if (known) return known;
  const streams = new Set<OpenStream>();
  endings.set(signal, streams);
  signal.addEventListener("abort", () => streams.forEach((stream) => void stream.close()), {
    once: true,
  });
  return streams;
}

/** A stream that stays open: thousands stand at a time, so it keeps nothing of the request it began with. */
class OpenStream implements EventSink {
  isClosed = false;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #connection: Connection;
  readonly #others: Set<OpenStream>;
  readonly #beat: NodeJS.Timeout;
  #flow: Flow | null = null;

  constructor(
    controller: ReadableStreamDefaultController<Uint8Array>,
    { connection, closing, start }: Options,
  ) {
    this.#controller = controller;
    this.#connection = connection;
    this.#others = endingWith(closing).add(this);
    this.#beat = setInterval(beat, COMMENT_EVERY_MS, this).unref();
    connection.closed.addEventListener("abort", this);
    if (connection.closed.aborted || closing.aborted) {
      this.close();
      return;
    }
    const flow = start(this);
    this.#flow = flow;
    if (this.isClosed) flow.onEnd();
  }

  /** The connection has closed. */
  handleEvent(): void {
    this.close();
  }

  beat(): void {
    this.send(COMMENT);
    if (!this.isClosed) this.#flow?.onBeat();
  }

  send(text: string | Uint8Array): void {
    if (this.isClosed) return;
    this.#controller.enqueue(typeof text === "string" ? encoder.encode(text) : text);
    // Remix writes on without waiting for the client: what piles up does so in the response.
    const { desiredSize } = this.#controller;
    if (this.#connection.buffered() <= MAX_BUFFERED && (desiredSize ?? 0) > 0) return;
    this.close();
    this.#connection.drop();
  }

  close(): void {
    // A second close of the controller would throw.
    if (this.release()) this.#controller.close();
  }

  /** Ends what keeps the stream going; false where it had ended. */
  release(): boolean {
    if (this.isClosed) return false;
    this.isClosed = true;
    clearInterval(this.#beat);
    this.#connection.closed.removeEventListener("abort", this);
    this.#others.delete(this);
    this.#flow?.onEnd();
    return true;
  }
}

const beat = (stream: OpenStream) => stream.beat();

const STRATEGY: QueuingStrategy<Uint8Array> = {
  highWaterMark: MAX_BUFFERED,
  size: (chunk) => chunk?.byteLength ?? 0,
};

/**
 * A stream of events that stays open until its reader leaves, is too slow, `close` is called or the service
 * stops. Bytes the reader has not taken are bounded: past the bound it is cut off and may reconnect.
 */
export function eventStream(options: Options): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(new Source(options), STRATEGY);
}

class Source implements UnderlyingDefaultSource<Uint8Array> {
  #options: Options | null;
  #stream: OpenStream | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#options) this.#stream = new OpenStream(controller, this.#options);
    this.#options = null;
  }

  cancel(): void {
    this.#stream?.release();
  }
}
