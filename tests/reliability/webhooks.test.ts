import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPlayground } from "@deed/playground/playground.ts";
import { afterAll, expect, it } from "vitest";
import { Chance } from "../fuzz/chance.ts";
import { type Client, roomy, signIn } from "../support/deed.ts";
import { columnIn, countIn } from "../support/facts.ts";
import { Receiving } from "../support/receiving.ts";
import { freePort, newFolder, startService } from "../support/service.ts";
import { sized } from "../support/size.ts";
import { figure } from "./figures.ts";

const EVENTS = sized(60, 10_000);
const ACCOUNTS = 4;
/** A try that is later than this is brought forward. */
const SOON_MS = sized(500, 10_000);
const QUIET_MS = sized(240_000, 1_800_000);

const playground = await startPlayground({ witnesses: 0 });
const dataDir = newFolder();
const receiving = new Receiving(await freePort(), join(dataDir, "received.log"));
const starting = {
  dataDir,
  port: await freePort(),
  env: {
    ...playground.env,
    LOG_LEVEL: "error",
    WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8",
    LIMIT_OPEN_CLAIMS: "100000",
    ...roomy("API", "RUNS_VERIFICATION", "RUNS_ACCOUNT", "DNS_ADDRESS"),
  },
};
let service = await startService(starting);
afterAll(async () => {
  await service.kill();
  await receiving.kill();
  await playground.stop();
});

const ask = <T>(query: string): T[] =>
  columnIn(join(dataDir, "deed.db"), query).map((row) => JSON.parse(row));
const countOf = (what: string) => countIn(join(dataDir, "deed.db"), `select count(*) from ${what}`);

type Hooked = { client: Client; webhook: string };

async function hooked(path: string): Promise<Hooked> {
  const client = await signIn(service, `hooked${path.slice(1)}@events.example`);
  const url = receiving.url(path);
  const made = await client.expect(201, "POST", "/api/webhooks", { url });
  receiving.secrets[path] = String(made.secret);
  return { client, webhook: String(made.id) };
}

/** Seven events about one new domain. Ends early if a call is not answered. Returns how many were answered. */
async function sevenEvents({ client }: Hooked, name: string): Promise<number> {
  let acknowledged = 0;
  const post = async (path: string, json?: object) => {
    const { status, body } = await client.post(path, json);
    if (status >= 400) throw new Error(String(status));
    acknowledged += 1;
    return String((body as { id: unknown }).id);
  };
  try {
    const domainId = await post("/api/domains", { domain: name });
    const claim = async () => post(`/api/claims/${await post("/api/claims", { domainId })}/cancel`);
    await claim();
    await post(`/api/domains/${domainId}/archive`);
    await post(`/api/domains/${domainId}/unarchive`);
    await claim();
  } catch {}
  return acknowledged;
}

/** Sends what waits long for its next try now, as a holder can. */
async function hasten({ client, webhook }: Hooked): Promise<void> {
  const late = ask<string>(
    `select json_quote(id) from webhook_deliveries where webhook_id = '${webhook}' and due_at > ${Date.now() + SOON_MS}`,
  );
  for (const id of late) await client.post(`/api/webhooks/${webhook}/deliveries/${id}/resend`);
}

const timeout = QUIET_MS + EVENTS * 100 + 120_000;
it("kill -9 of either side: no event lost, none out of its order", { timeout }, async () => {
  const accounts: Hooked[] = [];
  for (let index = 0; index < ACCOUNTS; index++) accounts.push(await hooked(`/${index}`));
  await receiving.start();
  const chance = new Chance(11);
  const kills = { service: 0, receiver: 0 };
  let names = 0;
  let acknowledged = 0;
  const written = () => countOf("webhook_messages");
  while (written() < EVENTS || kills.receiver === 0) {
    let isOver = false;
    const writing = accounts.map(async (account) => {
      while (!isOver) acknowledged += await sevenEvents(account, `n${names++}.example`);
    });
    await sleep(sized(100, 700) + chance.below(sized(300, 700)));
    if (kills.service <= kills.receiver) {
      isOver = true;
      kills.service += 1;
      await service.kill();
      await Promise.all(writing);
      service = await startService(starting);
    } else {
      kills.receiver += 1;
      await receiving.kill();
      await receiving.start();
      isOver = true;
      await Promise.all(writing);
    }
  }
  const pending = async () => {
    for (const account of accounts) await hasten(account);
    return countOf("webhook_deliveries where state = 'pending'");
  };
  await expect.poll(pending, { timeout: QUIET_MS, interval: sized(100, 500) }).toBe(0);

  const noted = receiving.noted();
  const unverified = noted.filter(({ isVerified }) => !isVerified);
  const sent = ask<{ id: string; path: string; domain: string }>(
    `select json_object('id', m.id, 'path', w.url, 'domain', m.domain_id) from webhook_deliveries d
     join webhook_messages m on m.id = d.message_id join webhooks w on w.id = d.webhook_id
     order by d.number`,
  ).map((row) => ({ ...row, path: new URL(row.path).pathname }));
  const first = new Map(
    noted.map(({ path, id }, index): [string, number] => [`${path} ${id}`, index]).reverse(),
  );
  const lost = sent.filter(({ path, id }) => !first.has(`${path} ${id}`));
  const last = new Map<string, number>();
  const outOfOrder = sent.filter(({ path, id, domain }) => {
    const place = first.get(`${path} ${id}`) ?? -1;
    const isBehind = place < (last.get(domain) ?? -1);
    last.set(domain, Math.max(place, last.get(domain) ?? -1));
    return isBehind;
  });
  figure("webhooks: events", sent.length);
  figure("webhooks: kill -9 of the service", kills.service);
  figure("webhooks: kill -9 of the receiver", kills.receiver);
  figure("webhooks: posts that came twice", noted.length - first.size);
  figure("webhooks: events lost", lost.length);
  figure("webhooks: events out of the order of their domain", outOfOrder.length);
  figure("webhooks: posts that the specification's library refused", unverified.length);
  expect(sent.length).toBeGreaterThanOrEqual(EVENTS);
  expect(sent.length).toBeGreaterThanOrEqual(acknowledged);
  expect(lost).toEqual([]);
  expect(outOfOrder).toEqual([]);
  expect(unverified).toEqual([]);
});
