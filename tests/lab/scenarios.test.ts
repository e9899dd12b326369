import { setTimeout as delay } from "node:timers/promises";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide, progressOf } from "@deed/dns/verdict/decide.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import type { History } from "@deed/dns/verdict/history.ts";
import { explain } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { NO_HISTORY } from "./case.ts";
import { describeLab } from "./lab.ts";
import { FARM_PROGRAMS, type Farm, startFarm } from "./scenarios/farm.ts";
import { ON_BIND } from "./scenarios/on-bind.ts";
import { ON_DNSDIST } from "./scenarios/on-dnsdist.ts";
import { ON_KNOT } from "./scenarios/on-knot.ts";
import { ON_NSD } from "./scenarios/on-nsd.ts";
import { ON_PDNS } from "./scenarios/on-pdns.ts";
import { LABEL, type Scenario, TOKEN } from "./scenarios/scenario.ts";

/** Thirty zones, each with the diagnosis a DNS expert would give, written down before any was read. */
const SCENARIOS: Scenario[] = [...ON_KNOT, ...ON_NSD, ...ON_BIND, ...ON_PDNS, ...ON_DNSDIST];

const verdictOf = (decision: Decision) =>
  decision.outcome === "absent"
    ? (decision.diagnosis?.code ?? decision.wait?.reason)
    : decision.outcome;

describeLab(
  "thirty zones on five server programs",
  () => {
    let farm: Farm;
    let reader: Reader;
    beforeAll(async () => {
      const remembered = SCENARIOS.filter(({ staged }) => staged === "remembered");
      farm = await startFarm(
        SCENARIOS.flatMap(({ zones }) => zones),
        remembered.flatMap(({ zones }) => zones),
      );
      reader = createReader(readerSettings(farm.lab.env));
    });
    afterAll(async () => {
      reader?.close();
      await farm?.stop();
    });

    /** Reads a scenario's domain and returns the read with the service's wording. */
    async function read({ history: given, ...scenario }: Scenario, before?: History) {
      const domain = scenario.domain ?? scenario.zones[0]?.name ?? "";
      const history = before ?? { ...NO_HISTORY, ...given };
      const question = { domain, label: LABEL, token: TOKEN };
      const seen = await reader.readChallenge(question, AbortSignal.timeout(30_000));
      const decision = decide(seen, history);
      const { zone, provider, ...progress } = progressOf(seen, history);
      const diagnosis = decision.outcome === "absent" ? decision.diagnosis : null;
      const place = { label: LABEL, domain, zone, token: TOKEN, provider: provider ?? "other" };
      const { cause, fix, pastes } = diagnosis
        ? explain(diagnosis, place)
        : { cause: "", fix: "", pastes: [] };
      return {
        verdict: verdictOf(decision),
        diagnosis,
        words: `${cause} ${fix}`,
        pastes,
        history: { ...history, ...progress },
      };
    }

    it.for(SCENARIOS)("$id: $story", async (scenario) => {
      const { staged, zones, expected } = scenario;
      if (staged === "remembered") for (const zone of zones) await farm.remember(zone);
      let answer = await read(scenario);
      if (staged === "again") {
        await delay(4_000);
        answer = await read(scenario, answer.history);
      }
      const { verdict, diagnosis, words, pastes } = answer;
      if (process.env.SHOW_WORDS)
        console.log(JSON.stringify({ id: scenario.id, verdict, words, pastes, diagnosis }));
      expect([expected.verdict].flat(), words).toContain(verdict);
      if (expected.awaits) expect(diagnosis?.awaits).toBe(expected.awaits);
      if (expected.observed) expect(diagnosis?.observed).toMatchObject(expected.observed);
      for (const phrase of expected.says ?? []) expect(words).toMatch(phrase);
      for (const phrase of expected.never ?? []) expect(words).not.toMatch(phrase);
      const all = `${words} ${JSON.stringify([pastes, diagnosis?.observed])}`;
      for (const phrase of expected.shows ?? []) expect(all).toMatch(phrase);
    });
  },
  FARM_PROGRAMS,
);
