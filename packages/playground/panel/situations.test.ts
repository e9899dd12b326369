import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide } from "@deed/dns/testing/verdicts.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { DIAGNOSIS_CODES } from "@deed/dns/verdict/diagnosis.ts";
import { UNREAD } from "@deed/dns/verdict/history.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readerSettings } from "../../../tests/support/reader-settings.ts";
import { type Playground, startPlayground } from "../playground.ts";
import { SITUATIONS } from "./situations.ts";
import { Stage } from "./stage.ts";

const LABEL = "_service-challenge";
const TOKEN = `service_v1_${"5e".repeat(20)}`;
const CANCELED = `service_v1_${"0d".repeat(20)}`;

let playground: Playground;
let stage: Stage;
let reader: Reader;
beforeAll(async () => {
  playground = await startPlayground();
  stage = new Stage(playground, LABEL);
  reader = createReader(readerSettings(playground.env));
});
afterAll(async () => {
  reader.close();
  await playground.stop();
});

async function read(zone: string): Promise<Decision> {
  const question = { domain: zone, label: LABEL, token: TOKEN };
  const observation = await reader.readChallenge(question, new AbortController().signal);
  return decide(observation, {
    ...UNREAD,
    endedTokens: [{ token: CANCELED, endedAt: 0 }],
    domainOf: () => null,
    tokenPrefix: "service_v1_",
  });
}

/** What the service shows for a read: the wait if there is one, otherwise the diagnosis. */
const shown = (decision: Decision) =>
  decision.outcome === "absent"
    ? (decision.wait?.reason ?? decision.diagnosis?.code)
    : decision.outcome;

/** Visible in the schedule rather than in a read: a first read still to come, and one that failed. */
const OUTCOMES: Record<string, string> = { first_check: "found", retry: "unresolvable" };

describe("a situation of the panel", () => {
  it("exists for each of the thirteen mistakes and four waits", () => {
    const codes = SITUATIONS.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.toSorted()).toEqual(
      [...DIAGNOSIS_CODES, "first_check", "nameserver_sync", "retry"].toSorted(),
    );
  });

  it.for(SITUATIONS.map((situation) => [situation.code, situation] as const))(
    "comes to %s and is proved once put right",
    async ([code, situation]) => {
      await stage.setUp(situation);
      const value = situation.asks === "the value of the claim you canceled" ? CANCELED : TOKEN;
      await stage.goWrong(situation, situation.asks ? value : "");
      expect(shown(await read(situation.zone))).toBe(OUTCOMES[code] ?? code);
      stage.putRight(situation, TOKEN);
      playground.flushWitnesses(situation.zone);
      expect(shown(await read(situation.zone))).toBe("found");
    },
  );

  it("leaves a DS record behind for servfail", async () => {
    const situation = stage.find("servfail");
    if (!situation) throw new Error("no such situation");
    await stage.setUp(situation);
    await stage.goWrong(situation, TOKEN);
    expect(await read(situation.zone)).toMatchObject({
      diagnosis: { observed: { fault: { type: "ds_without_keys", dsKeyTags: [60485] } } },
    });
  });
});
