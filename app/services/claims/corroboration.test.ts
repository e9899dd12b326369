import { expect, it } from "vitest";
import type { ChallengeQuestion } from "#app/dns/resolve/reader.ts";
import { disagreementIn } from "#app/dns/verdict/corroborate.ts";
import { evidenceOf, summaryOf } from "#app/dns/verdict/evidence.ts";
import type { Evidence, Observation } from "#app/dns/verdict/observation.ts";
import { attemptEvidence, verifications } from "#db/schema.ts";
import { says } from "../../../tests/contract/sentences.ts";
import { absentAt, foundAt } from "../testing/observations.ts";
import { claimed, NOON, testService } from "../testing/service.ts";
import { readClaim } from "./claims.server.ts";
import { startDueReads } from "./runs.server.ts";
import { READ_TIMEOUT_MS } from "./schedule.ts";
import { runVerification } from "./verifications.server.ts";

const stay = new AbortController().signal;
const unread = (question: ChallengeQuestion, at: number): Observation => ({
  ...absentAt(question, at),
  delegation: { type: "unreachable", zone: "com" },
  servers: [],
});

type Other = [
  region: string,
  see: ((question: ChallengeQuestion, at: number) => Observation) | null,
];

/** A forced read that finds the record, with these nodes elsewhere. */
async function readWith(...others: Other[]) {
  const service = testService();
  const asked: string[] = [];
  service.see = foundAt;
  service.ctx.vantages = {
    region: "fra",
    for: (domain) =>
      others.map(([region, see]) => ({
        region,
        read: async (question): Promise<Evidence | null> => {
          asked.push(`${region} ${domain}`);
          expect(Object.keys(question)).toEqual(["domain", "label", "token"]);
          return see && evidenceOf(see(question, service.now));
        },
      })),
  };
  const { account, claim } = await claimed(service);
  const run = () => runVerification(service.ctx, account.id, claim.verificationId, stay);
  const shown = await run();
  const { state } = await readClaim(service.ctx, account.id, claim.id);
  const row = service.ctx.db.select().from(attemptEvidence).get();
  const evidence: Evidence = JSON.parse(row?.evidence ?? "null");
  return { service, shown, state, evidence, asked, run };
}

it.each<[string, Other[], string, string[]]>([
  ["is one, without another node", [], "proved", []],
  ["is one, with another that found it", [["ams", foundAt]], "proved", ["found"]],
  ["is none, with another that did not", [["ams", absentAt]], "pending", ["absent"]],
  ["is none, with another that could not read", [["ams", unread]], "pending", ["unresolvable"]],
  ["is none, with another that did not answer", [["ams", null]], "pending", ["unreachable"]],
  [
    "is one by the next that can read",
    [
      ["ams", unread],
      ["sin", null],
      ["iad", foundAt],
    ],
    "proved",
    ["unresolvable", "unreachable", "found"],
  ],
  [
    "is none by the first that did not find it",
    [
      ["ams", absentAt],
      ["sin", foundAt],
    ],
    "pending",
    ["absent"],
  ],
])(`${says("C31.3")}: a proof %s`, async (_, others, state, outcomes) => {
  const read = await readWith(...others);
  expect(read.state).toBe(state);
  expect(read.shown.lastOutcome).toBe(state === "proved" ? "found" : "unresolvable");
  expect(read.asked).toEqual(outcomes.map((_, index) => `${others[index]?.[0]} acme.com`));
  expect(read.evidence.vantages?.region).toBe("fra");
  expect(read.evidence.vantages?.others.map(({ outcome }) => outcome)).toEqual(outcomes);
});

it(says("C31.2"), async () => {
  const { service, shown, evidence, run } = await readWith(["ams", absentAt]);
  expect(shown).toMatchObject({ status: "checking", diagnosis: null });
  expect(shown.waitEstimate?.reason).toBe("retry");
  const [other] = evidence.vantages?.others ?? [];
  expect(evidence.confirmation?.confirmed).toBe(true);
  expect(other?.evidence?.confirmation).toBeNull();
  expect(disagreementIn(evidence.vantages)).toEqual({ found: "fra", absent: "ams" });
  expect(disagreementIn(summaryOf(evidence).vantages)).toEqual({ found: "fra", absent: "ams" });
  service.ctx.vantages = undefined as never;
  service.now += 60_000;
  expect(await run()).toMatchObject({ status: "proved" });
});

it(says("C31.1"), async () => {
  const service = testService();
  service.ctx.vantages = {
    region: "fra",
    for: () => {
      throw new Error("must not be asked");
    },
  };
  const { account, claim } = await claimed(service);
  await runVerification(service.ctx, account.id, claim.verificationId, stay);
  expect(service.complaints).toEqual([]);
});

it("holds the verification while another node reads, and writes nothing if it lost it", async () => {
  const service = testService();
  const { ctx } = service;
  service.see = async (question, at) => {
    service.now += READ_TIMEOUT_MS;
    return foundAt(question, at);
  };
  let until = 0;
  ctx.vantages = {
    region: "fra",
    for: () => [
      {
        region: "ams",
        read: async (question) => {
          until = ctx.db.select().from(verifications).get()?.runUntil ?? 0;
          ctx.db.update(verifications).set({ runId: "att_another" }).run();
          return evidenceOf(foundAt(question, service.now));
        },
      },
    ],
  };
  await claimed(service);
  service.now = NOON + 31_000;
  await startDueReads(ctx, 1);
  await Promise.all([...ctx.runs.byVerification.values()].map(({ done }) => done));
  expect(until - service.now).toBe(15_000);
  expect(ctx.db.select().from(attemptEvidence).all()).toEqual([]);
  expect(ctx.db.select().from(verifications).get()).toMatchObject({
    status: "checking",
    lastOutcome: null,
  });
});

it("leaves no trace of a read that was cut off while another node read", async () => {
  const service = testService();
  const { ctx } = service;
  service.see = foundAt;
  ctx.vantages = {
    region: "fra",
    for: () => [
      {
        region: "ams",
        read: async () => {
          for (const { abort } of ctx.runs.byVerification.values()) abort.abort();
          return null;
        },
      },
    ],
  };
  const { account, claim } = await claimed(service);
  await runVerification(ctx, account.id, claim.verificationId, stay).catch(() => {});
  expect(ctx.db.select().from(attemptEvidence).all()).toEqual([]);
  expect(ctx.db.select().from(verifications).get()).toMatchObject({
    runId: null,
    lastOutcome: null,
  });
});
