import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import { absentAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { personOf } from "#app/core/testing/accounts.ts";
import { published, stay, type TestService } from "#app/core/testing/service.ts";
import { DAY, iso } from "#app/core/time.ts";
import { firstDue } from "#worker/index.ts";
import { sendDueMails } from "../notices/notice-mails.server.ts";
import { listNotices } from "../notices/notices.server.ts";
import { listDeliveries } from "../webhooks/deliveries.server.ts";
import type { WebhookEvent } from "../webhooks/events.ts";
import { addWebhook } from "../webhooks/webhooks.server.ts";
import { askNext } from "../zones/registry/registrations.server.ts";
import { fixedList } from "../zones/registry/registries.server.ts";
import { askRegistryOfWatched, startDueWatchReads } from "./watch-reads.server.ts";
import { readWatch, watchClaim } from "./watches.server.ts";

export type ObserveQuestion = (question: ChallengeQuestion, at: number) => Observation;

export const OTHERS = ["ns1.elsewhere.example", "ns2.elsewhere.example"];
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
export const silentAt: ObserveQuestion = (question, at) => {
  const seen = absentAt(question, at);
  const silent = { result: "timeout", answer: null } as const;
  return { ...seen, servers: seen.servers.map((one) => ({ ...one, ...silent })) };
};

/** A proof with a link, made at NOON, and the mails and webhook posts (for `events`) of its watch since. */
export async function proofWithMessages(events: WebhookEvent[] = [], name?: string) {
  const mine = await published(undefined, undefined, name);
  const { service, ctx, account, claim } = mine;
  const wanted = { url: "https://hooks.example.org/", events };
  const { id } = await addWebhook(ctx, personOf(account), wanted);
  while (await sendDueMails(ctx, stay));
  const before = service.mails.length;
  return {
    ...{ ...mine, slug: mine.link.slug },
    start: () => watchClaim(ctx, account.id, claim.id),
    watch: () => readWatch(ctx, account.id, claim.id),
    notices: () => listNotices(ctx, account.id, {}).notices.map(({ kind }) => kind),
    subjects: () => service.mails.slice(before).map(({ subject }) => subject),
    events: () => {
      const { deliveries } = listDeliveries(ctx, account.id, id, { limit: 100 });
      return deliveries.map(({ type }) => type);
    },
  };
}

/** The registry of .com and .fr: what it was asked, and what it says of any domain. */
export function registry({ ctx }: TestService) {
  const urls: string[] = [];
  const said = { status: 200, object: {} as object };
  const call = async ({ url }: { url: string }) => {
    urls.push(url);
    const domain = { objectClassName: "domain", ldhName: url.split("/").at(-1), ...said.object };
    const headers = { "content-type": "application/rdap+json" };
    return { status: said.status, headers, body: Buffer.from(JSON.stringify(domain)) };
  };
  const list = fixedList(new Map(["com", "fr"].map((end) => [end, "https://rdap.example/"])));
  ctx.registry = { list, outbound: { problem: () => null, call } };
  const says = (registered: unknown[], expires: number | null = null) => {
    const events = registered.map((eventDate) => ({ eventAction: "registration", eventDate }));
    const end = { eventAction: "expiration", eventDate: expires && iso(expires) };
    said.object = { events: expires === null ? events : [...events, end] };
  };
  return { urls, said, says };
}

export async function turn(service: TestService) {
  const { ctx } = service;
  await startDueWatchReads(ctx, 100);
  await ctx.watchReads.drain(10_000);
  if (ctx.registry) {
    await askNext(ctx, stay);
    await askRegistryOfWatched(ctx);
  }
  while (await sendDueMails(ctx, stay));
}

/** Sets the clock to the next planned event, at most to `until`, and runs it. */
export async function next(service: TestService, until: number) {
  service.now = Math.min(until, firstDue(service.ctx.db).get({ after: service.now }) ?? until);
  await turn(service);
}

/** Runs the schedule for these days, with what `see` set. Returns how often something was due. */
export async function live(service: TestService, days: number, see: ObserveQuestion) {
  service.see = see;
  await turn(service);
  let turns = 0;
  const until = service.now + Math.round(days * DAY);
  for (; service.now < until; turns++) await next(service, until);
  return turns;
}
