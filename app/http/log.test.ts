import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Connection, connections } from "./connection.server.ts";
import { createLog } from "./log.server.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function testLog() {
  const lines: { msg: string; repeated?: number; n?: number; requestId?: string }[] = [];
  const log = createLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}
const broken = new Error("disk I/O error");

describe("a repeated error", () => {
  it("is printed at once, and then once a minute with its count", () => {
    const { log, lines } = testLog();
    for (let n = 0; n < 58; n++) log.error({ err: broken, n }, "request failed");
    expect(lines).toMatchObject([{ n: 0, msg: "request failed" }]);
    vi.advanceTimersByTime(60_000);
    expect(lines.slice(1)).toMatchObject([{ n: 57, repeated: 57, msg: "request failed" }]);
    log.error({ err: broken }, "request failed");
    vi.advanceTimersByTime(59_000);
    expect(lines).toHaveLength(2);
    vi.advanceTimersByTime(1_000);
    expect(lines[2]).toMatchObject({ repeated: 1 });
    vi.advanceTimersByTime(60_000);
    log.error({ err: broken }, "request failed");
    expect(lines).toHaveLength(4);
    expect(lines[3]).not.toHaveProperty("repeated");
  });

  it("is another where its message or its cause is another", () => {
    const { log, lines } = testLog();
    log.error({ err: broken }, "request failed");
    log.error({ err: broken }, "job failed");
    log.error({ err: new Error("database is locked") }, "request failed");
    log.warn({ err: broken }, "request failed");
    expect(lines).toHaveLength(4);
  });

  it("is only remembered while few others come", () => {
    const { log, lines } = testLog();
    for (let n = 0; n < 2; n++) log.error({ err: broken }, "first");
    for (let n = 0; n < 100; n++) log.error({}, `another ${n}`);
    expect(lines[100]).toMatchObject({ msg: "first", repeated: 1 });
    expect(lines).toHaveLength(102);
    log.error({ err: broken }, "first");
    expect(lines[102]?.msg).toBe("first");
  });
});

it("prints every line that is no error, such as each refused sign-in", () => {
  const { log, lines } = testLog();
  for (let n = 0; n < 5; n++) log.warn({ client: "192.0.2.1" }, "sign-in refused");
  for (let n = 0; n < 5; n++) log.info({}, "request");
  expect(lines).toHaveLength(10);
});

it("C2.13: says which request a line is of, also where it is printed later", () => {
  const { log, lines } = testLog();
  const during = (requestId: string, work: () => void) =>
    connections.run({ requestId } as Connection, work);
  log.info({}, "by nobody");
  during("one", () => log.info({}, "plain"));
  during("one", () => log.error({ err: broken }, "request failed"));
  during("two", () => log.error({ err: broken }, "request failed"));
  during("three", () => vi.advanceTimersByTime(60_000));
  expect(lines.map(({ requestId }) => requestId)).toEqual([undefined, "one", "one", "two"]);
});
