import * as readings from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { claimed, type TestService, testService } from "#app/core/testing/service.ts";
import { MINUTE } from "#app/core/time.ts";
import { cancelClaim } from "./claims.server.ts";
import { historyOf } from "./history.server.ts";

const { absentAt, foundAt, holdingAt, rememberedAt, serialAt, unreachableAt } = readings;

test("the tokens of an account's other claims are told by their domain, open and ended, and those of nobody else", async () => {
  const { service, ctx, claim: mine } = await claimed();
  const { claim: other } = await claimed(service, "maria@example.org", "other.com");
  const { account, claim: ended } = await claimed(service, "maria@example.org", "ended.com");
  await cancelClaim(ctx, account.id, ended.id);
  const { claim: theirs } = await claimed(service, "stranger@example.org", "theirs.com");
  const { domainOf } = historyOf(ctx, { accountId: account.id, domainId: mine.domainId });
  const names = [other, ended, theirs, mine].map(({ token }) => domainOf(token));
  expect(names).toEqual(["other.com", "ended.com", null, null]);
});

describe("the nameservers that a read is told of", () => {
  const hostedAt =
    (host: string): TestService["see"] =>
    (question, at) => {
      const seen = absentAt(question, at);
      return { ...seen, servers: seen.servers.map((server) => ({ ...server, host })) };
    };
  const told = (service: TestService) => service.asked.at(-1)?.formerNameservers?.();

  test("are those of the first reads of the newest claims on the name, newest first", async () => {
    const service = testService();
    for (const host of ["ns.a.test", "ns.b.test", "ns.c.test", "ns.d.test"]) {
      const { ctx, account, claim, run } = await claimed(service);
      await run(hostedAt(host));
      if (host < "ns.d") await cancelClaim(ctx, account.id, claim.id);
      service.now += 1_000;
    }
    const hosts = ["ns.d.test", "ns.c.test", "ns.b.test"];
    expect(told(service)).toEqual(hosts.flatMap((host) => [host, host]));
  });

  test("are none at the first read, and after one that saw no zone", async () => {
    const { service, run } = await claimed();
    const seen: unknown[] = [];
    service.see = (question, at) => {
      seen.push(question.formerNameservers?.());
      return unreachableAt(question, at);
    };
    await run();
    expect([...seen, told(service)]).toEqual([[], []]);
  });
});

test("a read is told of the delegation as the one before it left it", async () => {
  const { service, run } = await claimed();
  const known = { listing: ["ns1.old.test"], ttl: 60, until: 7 };
  service.see = (question, at) => ({ ...absentAt(question, at), known });
  await run();
  await run(unreachableAt);
  service.now += MINUTE;
  await run();
  expect(service.asked.map((question) => question.known)).toEqual([null, known, null]);
});

async function readAs(mine: Awaited<ReturnType<typeof claimed>>, ...sights: TestService["see"][]) {
  const codes: (string | undefined)[] = [];
  for (const see of sights) {
    Object.assign(mine.service, { see, now: mine.service.now + MINUTE });
    const run = await mine.run();
    codes.push(run.diagnosis?.code ?? run.waitEstimate?.reason ?? run.status);
  }
  return codes.join(" ");
}

test.each([
  [
    "is told from the second read on",
    [serialAt(7), serialAt(7), unreachableAt, serialAt(7)],
    "record_absent not_published not_published not_published",
  ],
  [
    "is not told once a record came and went under it",
    [serialAt(7), holdingAt("other"), serialAt(7), serialAt(7)],
    "record_absent no_matching_record record_absent record_absent",
  ],
])("the serial of a zone %s", async (_, sights, codes) => {
  expect(await readAs(await claimed(), ...sights)).toBe(codes);
});

test("resolvers that never get the record are waited for twice as long as they may remember, and diagnosed from then on", async () => {
  const mine = await claimed();
  const wait = await readAs(mine, rememberedAt, rememberedAt);
  expect(wait).toBe("negative_cache negative_cache");
  // The zone's negative TTL is ten minutes.
  mine.service.now += 20 * MINUTE;
  const over = await readAs(mine, rememberedAt, unreachableAt, rememberedAt);
  expect(over).toBe("not_published not_published not_published");
  const anew = await readAs(mine, absentAt, rememberedAt, foundAt);
  expect(anew).toBe("record_absent negative_cache proved");
});
