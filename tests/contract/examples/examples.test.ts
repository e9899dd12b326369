import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import recorded from "#app/features/docs/examples.json";
import { says } from "../sentences.ts";
import { examplesOf } from "./examples.ts";
import { Stable } from "./stable.ts";
import { Walk } from "./walk.ts";

const FILE = "app/features/docs/examples.json";
const walk = new Walk();
beforeAll(() => walk.open());
afterAll(() => walk.close());

/** Fields in their order and sentences; of other values, which differ between recordings, only the type. */
function saidIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(saidIn);
  if (typeof value === "string" && / /.test(value)) return value.replace(/\d+/g, "0");
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.entries(value).map(([name, one]) => [name, saidIn(one)]);
}

it("are of the version, whichever build they were recorded with", () => {
  for (const end of ["", ".changed"])
    expect(new Stable([], new Map()).of(`0.3.0-dev.1438+7d9740b25a${end}`, 0)).toBe("0.3.0");
  expect(JSON.stringify(recorded)).not.toMatch(/\d-dev[.+]/);
});

it(`${says("C20.2")}: recorded here; C14.8 among them`, async () => {
  await walk.make();
  const { recording, hooks, events, origins, testedFrom } = walk;
  const { exchanges } = recording;
  const made = examplesOf({ exchanges, posts: hooks.posts, events, origins, testedFrom });
  if (process.env.RECORD) writeFileSync(FILE, `${JSON.stringify(made, null, 2)}\n`);
  else expect(saidIn(JSON.parse(JSON.stringify(made)))).toEqual(saidIn(recorded));
});
