import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectionOf } from "./connection.server.ts";
import { type EventSink, eventStream, formatEvent } from "./sse.server.ts";

function open({
  buffered = 0,
  closing = new AbortController().signal,
}: {
  buffered?: number;
  closing?: AbortSignal;
} = {}) {
  const leaving = new AbortController();
  const drop = vi.fn();
  const onEnd = vi.fn();
  const onBeat = vi.fn();
  let sink: EventSink | null = null;
  const stream = eventStream({
    connection: {
      ...connectionOf(new Request("http://localhost/")),
      closed: leaving.signal,
      buffered: () => buffered,
      drop,
    },
    closing,
    start(given) {
      sink = given;
      return { onEnd, onBeat };
    },
  });
  const held = () => {
    if (!sink) throw new Error("the stream did not start");
    return sink as EventSink;
  };
  return { stream, held, leaving, drop, onEnd, onBeat };
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

  it("sends what it is given, and ends once", async () => {
    const { stream, held, onEnd } = open();
    held().send("data: 1\n\n");
    held().close();
    held().close();
    held().send("data: 2\n\n");
    expect(await new Response(stream).text()).toBe("data: 1\n\n");
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("comments every 20 seconds", () => {
    const { held, onBeat } = open();
    vi.advanceTimersByTime(60_000);
    expect(onBeat).toHaveBeenCalledTimes(3);
    held().close();
    vi.advanceTimersByTime(60_000);
    expect(onBeat).toHaveBeenCalledTimes(3);
  });

  it("ends when the reader leaves", async () => {
    const { stream, leaving, onEnd } = open();
    leaving.abort();
    expect(await new Response(stream).text()).toBe("");
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("ends when its reader cancels", async () => {
    const { stream, onEnd, held } = open();
    await stream.cancel();
    held().send("data: 1\n\n");
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("ends at shutdown, also one that only now begins", async () => {
    const closing = new AbortController();
    const { stream, onEnd } = open({ closing: closing.signal });
    closing.abort();
    expect(await new Response(stream).text()).toBe("");
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(() => open({ closing: closing.signal }).held()).toThrow("did not start");
  });

  it("cuts off a reader whose connection does not drain", () => {
    const { held, drop, onEnd } = open({ buffered: 65 * 1024 });
    held().send("data: 1\n\n");
    expect(drop).toHaveBeenCalledTimes(1);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("cuts off a reader that does not read", () => {
    const { held, drop } = open();
    for (let i = 0; i < 100 && !held().isClosed; i++) held().send("x".repeat(1024));
    expect(drop).toHaveBeenCalledTimes(1);
  });
});
