import { setTimeout as delay } from "node:timers/promises";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide, progressOf } from "@deed/dns/testing/verdicts.ts";
import { explain } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { NO_HISTORY } from "./case.ts";
import { describeLab } from "./lab.ts";
import { FARM_PROGRAMS, startFarm } from "./scenarios/farm.ts";
import { LABEL, SCENARIOS, TOKEN } from "./scenarios/scenario.ts";

describeLab(
  "zones on NSD, BIND and PowerDNS, and behind dnsdist",
  () => {
    let farm: Awaited<ReturnType<typeof startFarm>>;
    let reader: Reader;
    beforeAll(async () => {
      farm = await startFarm(SCENARIOS.map(({ zone }) => zone));
      reader = createReader(readerSettings(farm.lab.env));
    });
    afterAll(async () => {
      reader?.close();
      await farm?.stop();
    });

    /** Reads a domain and returns the read with the service's words. */
    async function read(domain: string, history = NO_HISTORY) {
      const question = { domain, label: LABEL, token: TOKEN };
      const seen = await reader.readChallenge(question, AbortSignal.timeout(30_000));
      const decision = decide(seen, history);
      const { zone, provider, ...progress } = progressOf(seen, history);
      const { diagnosis = null, wait = null } = decision.outcome === "absent" ? decision : {};
      const place = { label: LABEL, domain, zone, token: TOKEN, provider: provider ?? "other" };
      const { cause, fix } = diagnosis ? explain(diagnosis, place) : { cause: "", fix: "" };
      const verdict =
        decision.outcome === "absent" ? (diagnosis?.code ?? wait?.reason) : decision.outcome;
      return { verdict, diagnosis, words: `${cause} ${fix}`, history: { ...history, ...progress } };
    }

    it.for(SCENARIOS)("$id: $story", async ({ zone, domain = zone.name, again, ...expected }) => {
      let answer = await read(domain);
      if (again) {
        await delay(4_000);
        answer = await read(domain, answer.history);
      }
      const { verdict, diagnosis, words } = answer;
      expect(verdict, words).toBe(expected.verdict);
      if (expected.awaits) expect(diagnosis?.awaits).toBe(expected.awaits);
      if (expected.observed) expect(diagnosis?.observed).toMatchObject(expected.observed);
      for (const phrase of expected.says ?? []) expect(words).toMatch(phrase);
      for (const phrase of expected.never ?? []) expect(words).not.toMatch(phrase);
    });
  },
  FARM_PROGRAMS,
);
