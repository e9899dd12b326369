import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { HISTORY } from "@deed/dns/testing/observations.ts";
import { decide } from "@deed/dns/testing/verdicts.ts";
import { DIAGNOSIS_CODES, type DiagnosisCode } from "@deed/dns/verdict/diagnosis.ts";
import { digLessons } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacks } from "../../../tests/support/lacks.ts";
import { readerSettings } from "../../../tests/support/reader-settings.ts";
import { type Playground, startPlayground } from "../playground.ts";
import { hostsOf, WITNESSES } from "../samples.ts";
import { SITUATIONS, type Situation } from "./situations.ts";
import { Stage } from "./stage.ts";

const run = promisify(execFile);

const LABEL = "_service-challenge";
const TOKEN = `service_v1_${"5e".repeat(20)}`;
const CANCELED = `service_v1_${"0d".repeat(20)}`;

let playground: Playground;
let stage: Stage;
let reader: Reader;
/** Waits less for the servers of these situations, which never answer, and reads again if a busy machine is late. */
let hasty: Reader;
const SILENT = ["retry", "lame_delegation"];
beforeAll(async () => {
  const now = Date.now();
  playground = await startPlayground({ clock: () => now });
  stage = new Stage(playground, LABEL);
  reader = createReader(readerSettings(playground.env));
  hasty = createReader({ ...readerSettings(playground.env), patience: 0.2 });
});
afterAll(async () => {
  for (const one of [reader, hasty]) one.close();
  await playground.stop();
});

const observe = (domain: string, by = reader) =>
  by.readChallenge({ domain, label: LABEL, token: TOKEN }, new AbortController().signal);

const history = { ...HISTORY, endedTokens: [{ token: CANCELED, endedAt: 0 }] };
/** What the service shows for a read: the wait, if any, otherwise the diagnosis. */
async function shown({ code, zone }: Situation) {
  const decision = decide(await observe(zone, SILENT.includes(code) ? hasty : reader), history);
  if (decision.outcome !== "absent") return decision.outcome;
  return decision.wait?.reason ?? decision.diagnosis?.code;
}

/** The nameservers in a dig lesson, if they are not the provider's two in order. */
const ASKED: Record<string, (string | undefined)[]> = {
  not_published: [hostsOf("godaddy")[0], hostsOf("other")[0]],
  lame_delegation: [hostsOf("other")[1], hostsOf("other")[0]],
};

/** The documentation's dig commands for a situation. */
function lessonsOf({ code, zone, provider }: Situation) {
  const { records } = playground.world.copy(zone);
  const held = records.find(({ name }) => name === `${LABEL}.${zone}`);
  const [nameserver = "", otherNameserver = ""] = ASKED[code] ?? hostsOf(provider);
  const [{ address: resolver } = { address: "" }] = WITNESSES;
  const names = { label: LABEL, domain: zone, zone, token: TOKEN, nameserver, otherNameserver };
  const otherToken = String(held?.data ?? "");
  return digLessons(code as DiagnosisCode, { ...names, otherToken, resolver });
}

/** The lines that dig prints in the playground, without parts that always differ. */
async function outputOf(ask: string): Promise<string[]> {
  const args = ask.replace(/@(\S*[a-z]\S*)/, (_, host) => `@${playground.world.addressOf(host)}`);
  const server = ask.includes("@") ? [] : [`@${WITNESSES[0]?.address}`];
  const all = ["-p", String(playground.port), ...server, ...args.split(" ")];
  const { stdout } = await run("dig", all).catch((failure) => failure);
  const plain = stdout
    .replace(/[ \t]+/g, " ")
    .replace(/id: \d+/, "id: 4711")
    .replace(/20260101\d\d/, "2026010101");
  return plain.split("\n").filter((line: string) => line !== "");
}

/** Only the schedule shows these: a first read still to come, and a failed read. */
const OUTCOMES: Record<string, string> = { first_check: "found", retry: "unresolvable" };

describe("a situation of the panel", () => {
  it("exists for each of the thirteen mistakes and four waits", () => {
    const codes = SITUATIONS.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.toSorted()).toEqual(
      [...DIAGNOSIS_CODES, "first_check", "nameserver_sync", "retry"].toSorted(),
    );
  });

  it.concurrent.for(SITUATIONS)(
    "comes to $code and is proved once put right",
    async (situation, { expect }) => {
      const { code } = situation;
      await stage.setUp(situation);
      const value = situation.asks === "the value of the claim you canceled" ? CANCELED : TOKEN;
      await stage.goWrong(situation, situation.asks ? value : "");
      await expect.poll(() => shown(situation)).toBe(OUTCOMES[code] ?? code);
      stage.putRight(situation, TOKEN);
      playground.flushWitnesses(situation.zone);
      await expect.poll(() => shown(situation)).toBe("found");
    },
  );

  it.skipIf(lacks("dig")).for([...DIAGNOSIS_CODES])("is what dig shows for %s", async (code) => {
    const situation = stage.find(code) as Situation;
    await stage.setUp(situation);
    playground.flushWitnesses(situation.zone);
    const isOther = code === "expired_token" || code === "foreign_token";
    await stage.goWrong(situation, isOther ? CANCELED : TOKEN);
    const lessons = lessonsOf(situation);
    for (const { ask, answer } of lessons) {
      const output = await outputOf(ask);
      if (ask.startsWith("+short")) expect([ask, output.sort()]).toEqual([ask, answer.sort()]);
      else expect([ask, output]).toEqual([ask, expect.arrayContaining(answer)]);
    }
    expect(lessons.length).toBeGreaterThan(0);
  });

  it("answers every name that a read asks for, also with a line break", async () => {
    const situation = stage.find("not_published") as Situation;
    await stage.setUp(situation);
    const unanswered = async () => {
      const { exchanges } = await observe(situation.zone);
      const answered = exchanges.flatMap(({ rcode, question }) => (rcode ? question.name : []));
      return exchanges.filter(({ question }) => !answered.includes(question.name));
    };
    await expect.poll(unanswered).toEqual([]);
  });
});
