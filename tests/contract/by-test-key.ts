import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, afterEach, beforeEach, expect, type RunnerTask as Task } from "vitest";
import type { Client } from "../support/deed.ts";
import { KeyClient } from "../support/key-client.ts";
import { WITHOUT_KEY } from "./by-key.ts";
import { SENTENCES } from "./sentences.ts";

export const isByTestKey = process.env.DEED_BY === "test-key";

/** Cases that cannot hold in test mode, by the reason: file and name, with the ids of sentences in place of them. */
const LEFT_OUT: Record<string, string[]> = {
  "other names than the reserved ones, which are `invalid_domain` (C32.2)": [
    "claims: C5.6",
    "domains: adding > C3.7",
    "domains: listing > C4.17",
    "domains: references > C27.9 / C27.10",
    "zones: the stream > C11.8: a name below the cut reads its zone",
    "zones: the stream > C3.2",
    "zones: the stream > C3.7, for a suffix",
  ],
  "what other accounts have proved, of which test mode does not know (C32.7)": [
    "claims: coexistence > C5.11 / C1.6 / C15.4",
    "proofs: the public read > C10.12",
  ],
  "pages of people, who do not see test mode (C32.1)": [
    "watches: switches on and off on the claim's page, and off at a notice, without script",
    "handoff: its mail > C16.12",
    "limits: per account > C16.13",
    "handoff: its mail > C16.14",
    "shapes: in public > C1.7: the claim's page",
  ],
  "budgets, of which test mode has its own (C32.7)": [
    "limits: per address > C16.5 / C16.9 / C19.2 / C19.12 / C23.2 / C28.1",
  ],
  "people, of whom a test world has one": ["webhooks: C13.12 / C26.21"],
  "a database that the test opens itself": ["proofs: a receipt > C23.4 / C23.11"],
  "receipts, which no verifier accepts (C32.6)": [
    "proofs: a receipt > C23.1 / C23.3 / C23.5 / C23.6 / C23.12 / C24.1",
  ],
  "servers, resolvers and registries, of which test mode asks none": [
    "verifications: a forced run > C6.12: a canceled one",
    "limits: per account > C6.11",
    "domains: references > C27.3 / C27.4 / C27.6 / C27.7",
    "proofs: the public read > C10.17",
    "zones: failing > C11.6: unresolvable",
    "zones: sharing > C11.12",
    "zones: sharing > C11.7",
    "verifications: where the registry's delegation is at fault > C30.1 / C30.2 / C30.3 / C30.4",
  ],
};

const CLOCK = "/api/test/clock";

/** The reserved name that shows what tests make of a zone of the playground. */
const ALIKE: Record<string, string> = {
  "acme.com": "domain-appended.test",
  "globex.com": "proved.test",
  "hooli.com": "gone.test",
  "initech.com": "record-absent.test",
  "lantern.example": "moved.test",
};

/** A zone of the playground, or by test key the reserved name in its place. */
export const known = (zone: string): string => (isByTestKey && ALIKE[zone]) || zone;

const PAGE = readFileSync("docs/pages/test-mode.md", "utf8");
/** Those that are wrong at first and come to a proof, and are in no zone's place. */
const RESERVED = [...PAGE.matchAll(/^\| `(\S+\.test)` \|.*\| `proved` after/gm)]
  .map(([, name = ""]) => name)
  .filter((name) => !Object.values(ALIKE).includes(name));

/** Each in turn, so that those of one test are different. */
export const reservedName = (turn: number): string => RESERVED[turn % RESERVED.length] ?? "";

/** The last move of each client's clock: one call at a time is allowed. */
const moves = new WeakMap<Client, Promise<void>>();

/** By test key, moves the clock of the client's world, which also posts what its calls did: as far as it takes. */
export function passTime(client: Client, seconds = 0): Promise<void> {
  const next = (moves.get(client) ?? Promise.resolve()).then(() => moveClock(client, seconds));
  moves.set(
    client,
    next.catch(() => {}),
  );
  return next;
}

async function moveClock(client: Client, seconds: number): Promise<void> {
  if (!isByTestKey) return;
  const move = async (by: number) => {
    const json = { seconds: Math.ceil(by / 1_000) };
    return Date.parse((await client.expect<{ now: string }>(200, "POST", CLOCK, json)).now);
  };
  let now = await move(0);
  for (const target = now + seconds * 1_000; now < target; ) now = await move(target - now);
}

export const SLUG = isByTestKey
  ? /^test_[0-9a-f]{24}_[0-9a-hjkmnp-tv-z]{26}$/
  : /^[0-9a-hjkmnp-tv-z]{26,}$/;

const cases = (reasons: Record<string, string[]>) => new Set(Object.values(reasons).flat());
const leftOut = cases(LEFT_OUT);
const withoutKey = cases(WITHOUT_KEY);

/** Such as "claims: ending > C5.14 / C5.5", and the ids in it. */
function caseOf(task: Task) {
  const names = [task.name];
  for (let { suite } = task; suite?.name; suite = suite.suite) names.unshift(suite.name);
  let name = `${basename(task.file.name, ".test.ts")}: ${names.join(" > ")}`;
  const ids: string[] = [];
  for (const { id, text } of SENTENCES) {
    const said = `${id}: ${text.replace(/\.$/, "")}`;
    if (name.includes(said)) ids.push(id);
    name = name.replaceAll(said, id);
  }
  return { name, ids };
}

const tasksIn = (task: Task): Task[] =>
  task.type === "suite" ? task.tasks.flatMap(tasksIn) : [task];

/**
 * With DEED_BY=test-key: a case that is left out must fail, and every other must not. Passed over are cases of which
 * no key can tell.
 */
export function checkByTestKey(): void {
  if (!isByTestKey) return;
  const count = { "by test key": 0, "left out": 0, "without a key": 0 };
  let before = 0;
  let all: Task[] = [];
  beforeEach(({ task, skip }) => {
    all = tasksIn(task.file);
    const { name, ids } = caseOf(task);
    if (ids.length > 0 && ids.every((id) => withoutKey.has(id))) {
      count["without a key"] += 1;
      skip();
    }
    before = KeyClient.calls;
    Object.assign(task, { fails: leftOut.has(name) });
  });
  afterEach(({ task }) => {
    if (task.result?.state === "skip") return;
    const isCalled = KeyClient.calls > before;
    count[task.fails ? "left out" : isCalled ? "by test key" : "without a key"] += 1;
  });
  afterAll(() => {
    console.log(
      Object.entries(count)
        .map(([what, cases]) => `${cases} cases ${what}`)
        .join(", "),
    );
    const there = new Set(all.map((task) => caseOf(task).name));
    const files = new Set(all.map(({ file }) => `${basename(file.name, ".test.ts")}:`));
    const ofFile = [...leftOut].filter((name) => files.has(name.split(" ")[0] ?? ""));
    expect(
      ofFile.filter((name) => !there.has(name)),
      "left out, but no case",
    ).toEqual([]);
  });
}
