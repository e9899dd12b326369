import { foundAt, partialAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { claimed, testService } from "#app/core/testing/service.ts";
import { HOUR } from "#app/core/time.ts";
import { needsYou } from "./open-states.server.ts";

test("names the account's domains that need somebody, the oldest claim first", async () => {
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
  service.see = foundAt;
  await read("proved.example");
  service.see = partialAt;
  await read("waits.example");
  const { domains, more } = needsYou(service.ctx, account);
  expect(domains.map(({ name }) => name)).toEqual(["old.example", "older-than-an-hour.example"]);
  expect(more).toBe(false);
});
