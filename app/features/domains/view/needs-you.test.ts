import { absentAt, foundAt, partialAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { claimed, proved, testService } from "#app/core/testing/service.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { live } from "../../watching/testing.ts";
import { unwatchClaim, watchClaim } from "../../watching/watches.server.ts";
import { insertDomains } from "../testing/rows.ts";
import { domainsNeedingAction } from "./open-states.server.ts";

test("names the account's domains that need somebody, the oldest claim first, and those that wait for a record last", async () => {
  const service = testService();
  const read = async (name: string, email = "maria@example.org") => {
    const { account, run } = await claimed(service, email, name);
    await run();
    return account.id;
  };
  const account = await read("old.example");
  service.now += 1;
  await read("older-than-an-hour.example");
  await read("theirs.example", "other@example.org");
  service.now += HOUR;
  await read("fresh.example");
  await claimed(service, "maria@example.org", "unread.example");
  service.see = foundAt;
  await read("proved.example");
  service.see = partialAt;
  await read("waits.example");
  const { domains, more } = await domainsNeedingAction(service.ctx, account);
  const names = ["old.example", "older-than-an-hour.example", "fresh.example", "unread.example"];
  expect(domains.map(({ name }) => name)).toEqual(names);
  const [missing, waiting] = ["no record yet", "Waiting for your record"];
  const words = [missing, missing, waiting, waiting];
  expect(domains.map(({ label }) => label.word)).toEqual(words);
  expect(more).toBe(false);
  service.now += 6 * DAY;
  const later = await domainsNeedingAction(service.ctx, account);
  const ending = later.domains.filter(({ isEnding }) => isEnding).map(({ name }) => name);
  expect(ending).toEqual(names.slice(0, 2));
});

test("names a proved domain whose record is missing, until it is back, before open claims, behind any number of newer domains", async () => {
  const { service, ctx, account, claim } = await proved();
  await watchClaim(ctx, account.id, claim.id);
  insertDomains(ctx, account.id, 2_500, () => ({ createdAt: service.now + 1 }));
  const names = async () => {
    const { domains, more } = await domainsNeedingAction(ctx, account.id);
    expect(more).toBe(false);
    return domains.map(({ name }) => name);
  };
  await live(service, 2, foundAt);
  expect(await names()).toEqual([]);
  await live(service, 3, absentAt);
  const { run } = await claimed(service, account.email, "open.example");
  await run();
  service.now += HOUR + 1;
  expect(await names()).toEqual(["acme.com", "open.example"]);
  await live(service, 8, absentAt);
  expect(await names()).toEqual(["acme.com"]);
  service.now += DAY;
  await live(service, 2, foundAt);
  expect(await names()).toEqual([]);
  await live(service, 10, absentAt);
  await unwatchClaim(ctx, account.id, claim.id);
  expect(await names()).toEqual(["acme.com"]);
});
