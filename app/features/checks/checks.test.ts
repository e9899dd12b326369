import { AddressFull } from "@deed/dns/resolve/reader.ts";
import { absentAt, foundAt, holdingAt } from "@deed/dns/testing/readings.ts";
import { replyHash } from "@deed/dns/verdict/evidence.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NOON, stay, testService } from "#app/core/testing/service.ts";
import { MINUTE, SECOND } from "#app/core/time.ts";
import { checkScreen } from "./check-screen.server.ts";
import { recordQuery } from "./checks.server.ts";
import { FOLLOW_FOR_MS, MAX_FOLLOWED, PAUSE_MS } from "./checks.ts";

const asked = (value = "abc-123", name = "_vendor.acme.test") => recordQuery({ name, value });

/** A service with the same clock as its timers. */
function checking() {
  const service = testService();
  Object.defineProperty(service, "now", { get: () => Date.now() });
  const { checks } = service.ctx;
  const read = (record = asked(), client = "client") => checks.read(record, client, stay);
  return { service, checks, read };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

describe("C19.17, C33.4: one read of a name in ten seconds", () => {
  it("C1.2: is everybody's who asks for the same value, and stores nothing", async () => {
    const { service, read } = checking();
    const changes = () => service.ctx.db.$client.prepare("select total_changes()").pluck().get();
    const before = changes();
    const all = Array.from({ length: 1_000 }, (_, i) => read(asked(), `client ${i}`));
    await pass(0);
    const [first] = await Promise.all(all);
    await pass(PAUSE_MS - 1);
    expect(await read()).toBe(first);
    expect(service.asked).toHaveLength(1);
    await pass(1);
    expect(await read()).not.toBe(first);
    expect(service.asked).toHaveLength(2);
    expect(changes()).toBe(before);
  });

  it("has the next value wait its turn, and refuses those after it", async () => {
    const { service, read } = checking();
    await read(asked("one"));
    const second = read(asked("two"));
    await pass(0);
    const message = expect.stringContaining("Nobody can raise this limit.");
    const details = { retryAfter: 20, budget: "publicReads", message };
    const refused = { code: "rate_limited", details };
    await expect(read(asked("three"))).rejects.toMatchObject(refused);
    expect(service.asked.map(({ token }) => token)).toEqual(["one"]);
    await pass(PAUSE_MS);
    expect(await second).toMatchObject({ value: "two", outcome: "absent" });
    expect(service.asked.map(({ token }) => token)).toEqual(["one", "two"]);
  });

  it("shows all values of a name, or the nearest one and how many others there are", async () => {
    const { service } = checking();
    const shown = async (value: string) => {
      service.see = holdingAt("v=spf1 -all");
      const screen = await checkScreen(service.ctx, asked(value, `${value.length}.test`), "", stay);
      return [screen.nearest?.value, screen.others];
    };
    expect(await shown("abc-123")).toEqual([undefined, 0]);
    expect(await shown("v=spf1 -all.")).toEqual(["v=spf1 -all", 0]);
  });

  it("waits up to four seconds while other reads fill an address", async () => {
    const { service, read } = checking();
    service.see = () => Promise.reject(new AddressFull("192.0.2.53"));
    const never = expect(read()).rejects.toMatchObject({ code: "unresolvable" });
    await pass(4 * SECOND);
    await never;
    const later = read(asked("abc-123", "acme.test"));
    await pass(3 * SECOND);
    service.see = absentAt;
    await pass(SECOND);
    expect(await later).toMatchObject({ outcome: "absent" });
  });
});

function looking({ checks }: ReturnType<typeof checking>, client = "client", record = asked()) {
  const seen: string[] = [];
  const onEnd = vi.fn();
  const end = checks.follow(record, client, ({ outcome }) => void seen.push(outcome), onEnd);
  ends.push(end);
  return { seen, onEnd, end };
}

describe("C33.5: a look", () => {
  it("glances every two seconds, and reads once a nameserver says something else", async () => {
    const one = checking();
    const { service } = one;
    const glances: number[] = [];
    const first = absentAt({ domain: "acme.test", label: "_vendor", token: "abc-123" }, NOON);
    const said = replyHash(first.servers[0]?.answer);
    service.glance = async () => {
      glances.push(service.now);
      return { type: "answered", digest: said, hasToken: false };
    };
    const { seen, onEnd } = looking(one);
    await pass(30 * SECOND);
    expect([glances.length, seen]).toEqual([15, ["absent"]]);
    service.see = foundAt;
    service.glance = async () => ({ type: "answered", digest: "new", hasToken: true });
    await pass(2 * SECOND);
    expect(seen).toEqual(["absent", "found"]);
    expect(onEnd).toHaveBeenCalledOnce();
    await pass(MINUTE);
    expect(service.asked).toHaveLength(2);
  });

  it("ends after ten minutes, or with the last who follows it, and then asks nothing", async () => {
    const one = checking();
    const first = looking(one);
    const second = looking(one, "another");
    await pass(FOLLOW_FOR_MS / 2);
    second.end();
    expect(second.onEnd).toHaveBeenCalledOnce();
    expect(first.onEnd).not.toHaveBeenCalled();
    await pass(FOLLOW_FOR_MS / 2);
    expect(first.onEnd).toHaveBeenCalledOnce();
    const { length } = one.service.asked;
    await pass(FOLLOW_FOR_MS);
    expect([one.service.asked.length, vi.getTimerCount()]).toEqual([length, 0]);
  });

  it("is one a client: a further one ends the first", async () => {
    const one = checking();
    const first = looking(one);
    const second = looking(one, "client", asked("abc-123", "other.test"));
    expect(first.onEnd).toHaveBeenCalledOnce();
    await pass(MINUTE);
    expect([first.seen, second.seen[0]]).toEqual([[], "absent"]);
  });

  it("is refused beyond two hundred records, but not of a record that is looked at", async () => {
    const one = checking();
    for (let i = 0; i < MAX_FOLLOWED; i++) looking(one, `client ${i}`, asked("abc", `n${i}.test`));
    const further = (name: string) => () => looking(one, "further", asked("abc", name));
    expect(further("further.test")).toThrow(expect.objectContaining({ code: "rate_limited" }));
    expect(further("n1.test")).not.toThrow();
  });

  it("goes on after a read that found no room", async () => {
    const one = checking();
    one.service.see = () => Promise.reject(new AddressFull("192.0.2.53"));
    const { seen } = looking(one);
    await pass(PAUSE_MS);
    one.service.see = absentAt;
    await pass(2 * PAUSE_MS);
    expect(seen[0]).toBe("absent");
  });
});
