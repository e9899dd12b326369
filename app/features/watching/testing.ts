import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import { absentAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import type { TestService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { firstDue } from "#worker/index.ts";
import { sendDueMails } from "../notices/notice-mails.server.ts";
import { startDueWatchReads } from "./watch-reads.server.ts";

const { signal } = new AbortController();
export type ObserveQuestion = (question: ChallengeQuestion, at: number) => Observation;

const OTHERS = ["ns1.elsewhere.example", "ns2.elsewhere.example"];
export const movedAt: ObserveQuestion = (question, at) => {
  const seen = absentAt(question, at);
  const servers = seen.servers.map((one, index) => ({ ...one, host: OTHERS[index] ?? "" }));
  const delegation = { type: "delegated", zone: question.domain, parent: "test" } as const;
  return { ...seen, servers, delegation: { ...delegation, nameservers: OTHERS, ttl: 60 } };
};
export const goneAt: ObserveQuestion = (question, at) => ({
  ...unreachableAt(question, at),
  delegation: { type: "none", parent: "com", rcode: "NXDOMAIN" },
});
/** Every nameserver is silent. */
export const silentAt: ObserveQuestion = (question, at) => {
  const seen = absentAt(question, at);
  const silent = { result: "timeout", answer: null } as const;
  return { ...seen, servers: seen.servers.map((one) => ({ ...one, ...silent })) };
};

export async function turn(service: TestService) {
  await startDueWatchReads(service.ctx, 100);
  await service.ctx.watchReads.drain(10_000);
  while (await sendDueMails(service.ctx, signal));
}

/** Turns the clock to the next moment that something is planned for, at most to `until`, and does it. */
export async function next(service: TestService, until: number) {
  service.now = Math.min(until, firstDue(service.ctx.db).get({ after: service.now }) ?? until);
  await turn(service);
}

/** Runs the schedule for these days, with the sky as `see` has it. */
export async function live(service: TestService, days: number, see: ObserveQuestion) {
  service.see = see;
  await turn(service);
  for (const until = service.now + days * DAY; service.now < until; ) await next(service, until);
}
