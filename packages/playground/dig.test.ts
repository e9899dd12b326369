import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DIAGNOSIS_CODES, type DiagnosisCode } from "@deed/dns/verdict/diagnosis.ts";
import { digLessons } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacks } from "../../tests/support/lacks.ts";
import { SITUATIONS } from "./panel/situations.ts";
import { Stage } from "./panel/stage.ts";
import { type Playground, startPlayground } from "./playground.ts";
import { hostsOf, WITNESSES } from "./samples.ts";

const run = promisify(execFile);

const LABEL = "_service-challenge";
const TOKEN = `service_v1_${"5e".repeat(20)}`;
const EARLIER = `service_v1_${"0d".repeat(20)}`;

/** The nameservers a lesson asks, where they are not the two of the provider in their order. */
const ASKED: Partial<Record<DiagnosisCode, [string | undefined, string | undefined]>> = {
  not_published: [hostsOf("godaddy")[0], hostsOf("other")[0]],
  lame_delegation: [hostsOf("other")[1], hostsOf("other")[0]],
};

let playground: Playground;
let stage: Stage;
beforeAll(async () => {
  const now = Date.now();
  playground = await startPlayground({ clock: () => now });
  stage = new Stage(playground, LABEL);
});
afterAll(() => playground.stop());

/** Lines without what differs in every answer. */
const plain = (text: string) =>
  text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").replace(/id: \d+/, "id: 4711"))
    .filter((line) => line !== "");

/** The output of dig for a lesson, asked in the playground. */
async function outputOf(ask: string): Promise<string[]> {
  const [witness] = WITNESSES;
  const args = ask.split(" ").map((word) => {
    const host = /^@(?=.*[a-z])(.*)$/.exec(word)?.[1];
    return host ? `@${playground.world.addressOf(host)}` : word;
  });
  const server = args.some((word) => word.startsWith("@")) ? [] : [`@${witness?.address}`];
  const settings = ["-p", String(playground.port), ...server];
  const { stdout } = await run("dig", [...settings, ...args]).catch((failure) => failure);
  return plain(stdout);
}

describe.skipIf(lacks("dig"))("what the documentation says of dig", () => {
  it.concurrent.for([...DIAGNOSIS_CODES])("is what it prints for %s", async (code) => {
    const situation = SITUATIONS.find((each) => each.code === code);
    if (!situation) throw new Error(`no situation comes to ${code}`);
    await stage.setUp(situation);
    const value = ["expired_token", "foreign_token"].includes(code) ? EARLIER : TOKEN;
    await stage.goWrong(situation, value);
    const { zone, provider } = situation;
    const held = playground.world
      .copy(zone)
      .records.flatMap((each) => (each.name === `${LABEL}.${zone}` ? [each.data] : []));
    const [nameserver = "", otherNameserver = ""] = ASKED[code] ?? hostsOf(provider);
    const lessons = digLessons(code, {
      label: LABEL,
      domain: zone,
      zone,
      token: TOKEN,
      otherToken: String(held[0] ?? ""),
      nameserver,
      otherNameserver,
      resolver: WITNESSES[0]?.address ?? "",
    });
    for (const { ask, answer } of lessons) {
      const output = await outputOf(ask);
      if (ask.startsWith("+short")) expect([ask, output.sort()]).toEqual([ask, answer.sort()]);
      else expect([ask, output]).toEqual([ask, expect.arrayContaining(answer)]);
    }
    expect(lessons.length).toBeGreaterThan(0);
  });
});
