import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type EventStream as EventSink, eventStream, formatEvent } from "./sse.server.ts";

/** A stream on its own connection, read like Remix reads a body. */
function open({ buffered = 0, start = (_: EventSink): void => {} } = {}) {
  const client = new AbortController();
  const drop = vi.fn();
  const callbacks = { onEnd: vi.fn(), onBeat: vi.fn(), onRoom: vi.fn() };
  const sinks: EventSink[] = [];
  let drain = () => {};
  const isDrained = new Promise<void>((resolve) => (drain = resolve));
  const drained = async () => buffered > 0 && isDrained;
  const connection = { closed: client.signal, bufferedBytes: () => buffered, drained, drop };
  const body = eventStream(connection, (sink) => {
    sinks.push(sink);
    start(sink);
    return callbacks;
  });
  const send = (text: string | Uint8Array) => sinks[0]?.send(text);
  const close = () => sinks[0]?.close();
  const text = () => new Response(body).text();
  const leave = () => client.abort();
  return { ...callbacks, drop, drain: () => drain(), body, send, close, leave, text };
}

it("formatEvent writes name, id and one line of JSON", () => {
  expect(formatEvent({ event: "delegation", id: "7", data: { text: "a\nb" } })).toBe(
    'id: 7\nevent: delegation\ndata: {"text":"a\\nb"}\n\n',
  );
});

describe("eventStream", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("sends text and bytes, and ends once", async () => {
    const { send, close, text, onEnd } = open();
    send("data: 1\n\n");
    send(new TextEncoder().encode("data: 2\n\n"));
    close();
    close();
    send("data: 3\n\n");
    expect(await text()).toBe(": open\n\ndata: 1\n\ndata: 2\n\n");
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("comments every 20 seconds", async () => {
    const { close, onBeat, text } = open();
    vi.advanceTimersByTime(60_000);
    expect(onBeat).toHaveBeenCalledTimes(3);
    close();
    vi.advanceTimersByTime(60_000);
    expect(onBeat).toHaveBeenCalledTimes(3);
    expect(await text()).toBe(`: open\n\n${": still here\n\n".repeat(3)}`);
  });

  it("ends when the reader leaves, and sends no more", async () => {
    const { send, close, leave, onEnd, onBeat, text } = open();
    leave();
    send("data: 1\n\n");
    close();
    vi.advanceTimersByTime(60_000);
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(onBeat).not.toHaveBeenCalled();
    expect(await text()).toBe(": open\n\n");
  });

  it("ends when its body is cancelled, and at once if its start closes it", async () => {
    const { body, send, onEnd } = open();
    await body.cancel();
    send("data: 1\n\n");
    expect(onEnd).toHaveBeenCalledTimes(1);
    const closed = open({ start: (sink) => sink.close() });
    expect(closed.onEnd).toHaveBeenCalledTimes(1);
    expect(await closed.text()).toBe(": open\n\n");
  });

  it("cuts off a reader whose connection does not drain", () => {
    const { send, drop, onEnd } = open({ buffered: 129 * 1024 });
    send("data: 1\n\n");
    expect(drop).toHaveBeenCalledTimes(1);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("C14.4: asks for more once all is read and sent, so that much may be missed", async () => {
    const { text, drain, onRoom, send, close, drop } = open({ buffered: 1 });
    const page = "x".repeat(20 * 1024);
    onRoom.mockImplementation(() => {
      if (onRoom.mock.calls.length === 20) close();
      else send(page);
    });
    const all = text();
    await vi.advanceTimersByTimeAsync(0);
    expect(onRoom).not.toHaveBeenCalled();
    drain();
    await vi.advanceTimersByTimeAsync(0);
    expect(onRoom).toHaveBeenCalledTimes(20);
    expect((await all).length).toBe(": open\n\n".length + 19 * page.length);
    expect(drop).not.toHaveBeenCalled();
  });

  it("bounds what is queued while nobody reads the body", () => {
    const { send, drop } = open();
    for (let i = 0; i < 200; i++) send("x".repeat(1024));
    expect(drop).toHaveBeenCalledTimes(1);
  });
});
