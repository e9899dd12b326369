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

/** Streams that end with a signal. One listener for all: a signal goes through those it has at each that comes or goes. */
const endings = new WeakMap<AbortSignal, Set<OpenStream>>();

function endingWith(signal: AbortSignal): Set<OpenStream> {
  const known = endings.get(signal);
  if (known) return known;
  const streams = new Set<OpenStream>();
  endings.set(signal, streams);
  const endAll = () => {
    for (const stream of streams) stream.close();
  };
  signal.addEventListener("abort", endAll, { once: true });
  return streams;
}

/** Thousands stand at a time: it keeps the connection, and nothing else of the request it began with. */
class OpenStream implements EventSink {
  isClosed = false;
  readonly #connection: Connection;
  readonly #siblings: Set<OpenStream>;
  readonly #beat: NodeJS.Timeout;
  #flow: Flow | null = null;
  /** What was sent before the headers were out; null from then on. */
  #early: Uint8Array[] | null = [];
  #earlyBytes = 0;

  constructor({ connection, closing, start }: Options) {
    this.#connection = connection;
    this.#siblings = endingWith(closing).add(this);
    this.#beat = setInterval(beat, COMMENT_EVERY_MS, this).unref();
    connection.hold({ onOpen: () => this.#open(), onClose: () => this.#stop() });
    const flow = start(this);
    this.#flow = flow;
    if (this.isClosed) flow.onEnd();
  }

  #open(): void {
    for (const bytes of this.#early ?? []) this.#connection.write(bytes);
    this.#early = null;
    if (this.isClosed) this.#connection.end();
  }

  beat(): void {
    this.send(COMMENT);
    if (!this.isClosed) this.#flow?.onBeat();
  }

  send(text: string | Uint8Array): void {
    if (this.isClosed) return;
    const bytes = typeof text === "string" ? encoder.encode(text) : text;
    if (this.#early) {
      this.#early.push(bytes);
      this.#earlyBytes += bytes.byteLength;
    } else if (this.#connection.write(bytes)) return;
    const unread = this.#early ? this.#earlyBytes : this.#connection.buffered();
    if (unread <= MAX_BUFFERED) return;
    this.#stop();
    this.#connection.drop();
  }

  close(): void {
    if (this.isClosed) return;
    this.#stop();
    if (!this.#early) this.#connection.end();
  }

  #stop(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.#beat);
    this.#siblings.delete(this);
    this.#flow?.onEnd();
  }
}

const beat = (stream: OpenStream) => stream.beat();

/**
 * A stream of events that stays open until its reader leaves, is too slow, `close` is called or the service
 * stops. Bytes the reader has not taken are bounded: past the bound it is cut off and may reconnect.
 * Returns the body to answer with: the stream goes on after it.
 */
export function eventStream(options: Options): string {
  if (!options.closing.aborted) new OpenStream(options);
  return ": open\n\n";
}
