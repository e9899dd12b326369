import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectionOf } from "./connection.server.ts";
import { type EventSink, eventStream, formatEvent } from "./sse.server.ts";

const decoder = new TextDecoder();

/** A stream on a connection of its own; `opened` says that the body is out. */
function begin({
  buffered = 0,
  closing = new AbortController().signal,
  start,
}: {
  buffered?: number;
  closing?: AbortSignal;
  start?: (sink: EventSink) => void;
} = {}) {
  let told = { onOpen: () => {}, onClose: () => {} };
  let sink: EventSink | null = null;
  const connection = {
    ...connectionOf(new Request("http://localhost/")),
    buffered: () => buffered,
    drop: vi.fn(),
    hold: (given: typeof told) => {
      told = given;
    },
    write: vi.fn(),
    end: vi.fn(),
  };
  const flow = { onEnd: vi.fn(), onBeat: vi.fn() };
  const body = eventStream({
    connection,
    closing,
    start(given) {
      sink = given;
      start?.(given);
      return flow;
    },
  });
  return {
    ...flow,
    ...connection,
    body,
    opened: () => told.onOpen(),
    leave: () => told.onClose(),
    written: () => connection.write.mock.calls.map(([bytes]) => decoder.decode(bytes)).join(""),
    held() {
      if (!sink) throw new Error("the stream did not start");
      return sink as EventSink;
    },
  };
}

function open(options: Parameters<typeof begin>[0] = {}) {
  const stream = begin(options);
  stream.opened();
  return stream;
}

describe("formatEvent", () => {
  it("writes name, id and one line of JSON", () => {
    expect(formatEvent({ event: "delegation", id: 7, data: { text: "a\nb" } })).toBe(
      'id: 7\nevent: delegation\ndata: {"text":"a\\nb"}\n\n',
    );
  });
});

describe("eventStream", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("sends what it is given, text or bytes, and ends once", () => {
    const { body, held, written, onEnd, end } = open();
    expect(body).toBe(": open\n\n");
    held().send("data: 1\n\n");
    held().send(new TextEncoder().encode("data: 2\n\n"));
    held().close();
    held().close();
    held().send("data: 3\n\n");
    expect(written()).toBe("data: 1\n\ndata: 2\n\n");
    expect(end).toHaveBeenCalledTimes(1);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("keeps what comes before its body is out until then", () => {
    const { held, opened, written, end } = begin();
    held().send("data: 1\n\n");
    held().close();
    expect(written()).toBe("");
    expect(end).not.toHaveBeenCalled();
    opened();
    expect(written()).toBe("data: 1\n\n");
    expect(end).toHaveBeenCalledTimes(1);
  });

  it("comments every 20 seconds", () => {
    const { held, onBeat, written } = open();
    vi.advanceTimersByTime(60_000);
    expect(onBeat).toHaveBeenCalledTimes(3);
    held().close();
    vi.advanceTimersByTime(60_000);
    expect(onBeat).toHaveBeenCalledTimes(3);
    expect(written()).toBe(": still here\n\n".repeat(3));
  });

  it("ends when the reader leaves, and writes no more", () => {
    const { held, leave, onEnd, write, end } = open();
    leave();
    held().send("data: 1\n\n");
    held().close();
    vi.advanceTimersByTime(60_000);
    expect(write).not.toHaveBeenCalled();
    expect(end).not.toHaveBeenCalled();
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("ends at once where its start ends it", () => {
    const { onEnd, end } = open({ start: (sink) => sink.close() });
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(end).toHaveBeenCalledTimes(1);
  });

  it("ends at shutdown with all the others, and none begins after it", () => {
    const closing = new AbortController();
    const streams = [1, 2, 3].map(() => open({ closing: closing.signal }));
    streams[1]?.held().close();
    closing.abort();
    for (const { end, onEnd } of streams) {
      expect(end).toHaveBeenCalledTimes(1);
      expect(onEnd).toHaveBeenCalledTimes(1);
    }
    expect(() => begin({ closing: closing.signal }).held()).toThrow("did not start");
  });

  it("cuts off a reader whose connection does not drain", () => {
    const { held, drop, onEnd } = open({ buffered: 65 * 1024 });
    held().send("data: 1\n\n");
    expect(drop).toHaveBeenCalledTimes(1);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("keeps no more than that before its body is out either", () => {
    const { held, drop } = begin();
    for (let i = 0; i < 100 && !held().isClosed; i++) held().send("x".repeat(1024));
    expect(drop).toHaveBeenCalledTimes(1);
  });
});
