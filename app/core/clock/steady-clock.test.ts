import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../time.ts";
import { steadyClock } from "./timekeeper.server.ts";

const UNITS: Record<string, number> = { d: DAY, h: HOUR, m: MINUTE, s: SECOND, ms: 1 };
/** "1h-4m" in milliseconds. */
const ms = (text: string) =>
  [...text.matchAll(/([+-]?)([\d.]+)(ms|[dhms])/g)].reduce(
    (sum, [, sign, count, unit = ""]) => sum + Number(`${sign}${count}`) * (UNITS[unit] ?? 0),
    0,
  );

/**
 * A clock that follows a line of steps. `wait`: time passes; `set`: the system clock is moved by so much; `sleep`: the
 * machine sleeps; `resume`: the newest time in the database; `vouch`. All instants count from the start.
 */
function clockThat(isTrusted = false) {
  let [passed, setBy, slept] = [0, 0, 0];
  const told: [by: number, isFollowed: boolean][] = [];
  const wall = () => passed + setBy + slept;
  const steady = steadyClock({
    wall,
    elapsed: () => passed,
    uptime: () => (passed + slept) / 1000,
    isTrusted,
    onStep: (...step) => told.push(step),
  });
  const steps: Record<string, (by: number) => void> = {
    wait: (by) => (passed += by),
    set: (by) => (setBy += by),
    sleep: (by) => (slept += by),
    resume: (by) => steady.resume(wall() + by),
    vouch: () => steady.acceptWall(),
    says: (time) => expect(steady.now()).toBe(time),
    doubts: () =>
      expect(steady.doubtedGap()).toMatchObject({ wall: wall(), expected: steady.now() }),
    believes: () => expect(steady.doubtedGap()).toBeNull(),
  };
  return {
    told,
    does(line: string) {
      for (const step of line.split(/; */)) {
        const [name = "", by = ""] = step.split(" ");
        if (!steps[name]) throw new Error(`no step: ${name}`);
        steps[name](ms(by));
      }
    },
  };
}

/** What the clock shows, by steps. */
const LINES: Record<string, string> = {
  "is followed, small corrections among it":
    "wait 30s; says 30s; set -0.5s; says 29.5s; wait 1h; set 40s; says 1h+69.5s",
  "is followed at once where the machine slept": "sleep 1d; says 1d; believes",
  "begins the wait anew with another step":
    "set 1h; says 0s; wait 4m; set 1h; says 4m; wait 4m; says 8m; wait 1m; says 9m+2h",
  "is in doubt for a far step, whichever other step comes":
    "set -400d; resume 400d; doubts; set 300d; says 0s; doubts",
  "is in doubt at once for a far step after sleep": "sleep 3d; says 0s; doubts",
  "is followed at the start up to two days after the newest time of the database":
    "resume -2d; says 0s; believes",
  "goes on from that time, more than two days after it":
    "resume -2d-1ms; wait 1m; says -2d-1ms+1m; doubts; vouch; says 1m",
  "stands at that time, a little before it, until it is caught up":
    "resume 4m; says 4m; believes; wait 3m; says 4m; wait 2m; says 5m",
  "is believed once it has caught up with it, further before it":
    "resume 1h; says 1h; doubts; wait 56m; says 1h; believes; wait 1h; says 1h+56m",
  "is believed once it is set right, since it would have been at the start":
    "set -400d; resume 400d; doubts; wait 1m; set 401d; says 1d+1m; believes",
};

describe("the system's clock", () => {
  test.each(Object.entries(LINES))("%s", (_, line) => clockThat().does(line));

  test("tells of no step of which the cause is known", () => {
    for (const line of ["sleep 1d", "resume -2d", "wait 1h; set 40s"]) {
      const clock = clockThat();
      clock.does(`${line}; believes`);
      expect(clock.told).toEqual([]);
    }
  });

  test("never runs backwards by itself", () => {
    const clock = clockThat();
    for (let passed = 700; passed <= 700_000; passed += 700)
      clock.does(`wait 700ms; says ${passed}ms`);
  });
});

describe("a step", () => {
  test.each(["1d", "-4m", "8d", "-8d"])("of %s that is taken back is never seen", (by) => {
    const clock = clockThat();
    clock.does(`set ${by}; says 0s; wait 4m; says 4m`);
    clock.does(`set ${by.startsWith("-") ? by.slice(1) : `-${by}`}; wait 1m; says 5m; believes`);
    expect(clock.told).toEqual([[ms(by), false]]);
  });

  test.each(["1d", "-4m"])("of %s that stands for five minutes is followed", (by) => {
    const clock = clockThat();
    const then = `${by}+5m`;
    clock.does(`set ${by}; says 0s; believes; wait 5m; says ${then}; says ${then}`);
    expect(clock.told).toEqual([
      [ms(by), false],
      [ms(by), true],
    ]);
  });

  test.each(["2d+1m", "30d", "-400d"])(
    "of %s is not followed, however long it stands, until somebody vouches for it",
    (by) => {
      const clock = clockThat();
      clock.does(`set ${by}; says 0s; wait 5m-1ms; believes; wait 25m+1ms; says 30m; doubts`);
      expect(clock.told).toEqual([[ms(by), false]]);
      clock.does(`vouch; says ${by}+30m; believes`);
    },
  );
});

test.each([
  "set 30d; says 0s; wait 5m; says 30d+5m; believes",
  "resume -30d; says 0s; believes",
  "resume 400d; says 0s; believes",
])("where the operator vouches for the clock: %s", (line) => clockThat(true).does(line));
