import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { NOON } from "#app/core/testing/service.ts";
import { DAY, HOUR, iso, MINUTE } from "#app/core/time.ts";
import { rescheduleAfterRollback } from "../claims/expiry.server.ts";
import { mayReturnTo } from "../handoffs/return-site.server.ts";
import { proofScreen, readProofWatch } from "../proofs/proofs.server.ts";
import { fixedList } from "../zones/registry/registries.server.ts";
import { live, proofWithMessages, registry } from "./testing.ts";
import { askRegistryOfWatched } from "./watch-reads.server.ts";
import { unwatchClaim } from "./watches.server.ts";

const LONG_AGO = "2019-03-04T09:00:00Z";

/** A watched proof of acme.com from NOON, and a registry that answers what `says` has. */
async function watched() {
  const mine = await proofWithMessages([
    "watch.registered_again",
    "watch.moved",
    "watch.published",
  ]);
  const registered = registry(mine.service);
  await mine.start();
  registered.says([LONG_AGO]);
  const pass = (ms: number, see = foundAt) => live(mine.service, ms / DAY, see);
  return { ...mine, ...registered, live: pass };
}

let mine: Awaited<ReturnType<typeof watched>>;
beforeEach(async () => {
  mine = await watched();
});

describe("C29.11: a watched domain", () => {
  it("is asked about when its watch begins and then once a week, and its date is shown", async () => {
    const { ctx, slug, watch, live, urls } = mine;
    expect(watch()).toMatchObject({ registration: null, registryAskedAt: null });
    await live(5 * MINUTE);
    const said = { registration: "registered", registeredAt: "2019-03-04T09:00:00.000Z" };
    expect(watch()).toMatchObject({ state: "published", ...said });
    const asked = { ...said, registryAskedAt: iso(NOON + MINUTE) };
    expect(readProofWatch(ctx, slug)).toMatchObject(asked);
    await live(7 * DAY - HOUR);
    expect(urls).toEqual(["https://rdap.example/domain/acme.com"]);
    await live(2 * HOUR);
    expect([urls.length, mine.notices()]).toEqual([2, ["proved"]]);
  });

  it("waits while a registry is to be asked about a claim", async () => {
    const { ctx } = mine;
    ctx.wantedNames.waiting.add("globex.com");
    await askRegistryOfWatched(ctx);
    expect([...ctx.wantedNames.waiting]).toEqual(["globex.com"]);
  });

  it("is asked about again an hour after a failure, which says nothing", async () => {
    const { said, live, urls, watch } = mine;
    const known = () => [urls.length, watch().registration];
    said.status = 500;
    await live(55 * MINUTE);
    expect(known()).toEqual([1, null]);
    said.status = 200;
    await live(10 * MINUTE);
    expect(known()).toEqual([2, "registered"]);
  });

  it("is asked about within a week after the clock went back", async () => {
    const { ctx, service, live, urls } = mine;
    service.now += 300 * DAY;
    await live(5 * MINUTE);
    service.now -= 300 * DAY;
    await rescheduleAfterRollback(ctx);
    await live(8 * DAY);
    expect(urls).toHaveLength(2);
  });

  it.each([
    ["whose registry has no RDAP", new Map([["org", "https://rdap.example/"]])],
    ["where RDAP is off", null],
  ])("is said not to be asked about, %s", async (_, list) => {
    const { ctx, live, urls, watch } = mine;
    ctx.registry = list && ctx.registry && { ...ctx.registry, list: fixedList(list) };
    await live(5 * MINUTE);
    await askRegistryOfWatched(ctx);
    expect(urls).toEqual([]);
    expect(watch()).toMatchObject({ registration: "no_rdap", registeredAt: null });
  });

  it("is asked again where watching stops and starts", async () => {
    const { ctx, account, claim, live, urls, watch, start } = mine;
    await live(5 * MINUTE);
    await unwatchClaim(ctx, account.id, claim.id);
    await live(8 * DAY);
    expect(urls).toHaveLength(1);
    await start();
    expect(watch().registration).toBe("registered");
    await live(5 * MINUTE);
    expect(urls).toHaveLength(2);
  });
});

describe("C29.12: registered again", () => {
  const AGAIN = iso(NOON + 10 * DAY);

  it("needs two answers a day apart: one notice, one email, one event, and both pages", async () => {
    const { ctx, service, account, claim, slug, live, says, watch, notices } = mine;
    await live(10 * DAY);
    says([AGAIN]);
    await live(4 * DAY + 12 * HOUR);
    expect(watch()).toMatchObject({ registration: "registered", registeredAt: AGAIN });
    expect(notices()).toEqual(["proved"]);
    await live(DAY + 2 * HOUR);
    expect(watch()).toMatchObject({ state: "registered_again", registeredAt: AGAIN });
    expect(proofScreen(ctx, slug).watch).toMatchObject({ state: "registered_again" });
    expect(mayReturnTo(ctx, account.id, new URL("https://acme.com/"))).toBe(false);
    await live(34 * DAY, absentAt);
    expect(watch()).toMatchObject({ state: "registered_again", missingSince: expect.any(String) });
    expect(notices()).toEqual(["registered_again", "proved"]);
    expect(mine.subjects()).toEqual(["acme.com was registered again"]);
    expect(service.mails.at(-1)?.text).toContain(`?claim=${claim.id}\n`);
    expect(mine.events()).toEqual(["watch.registered_again"]);
  });

  it("is not unsaid by silence, but by an older date", async () => {
    const { ctx, account, claim, live, says, watch, start } = mine;
    await live(10 * DAY);
    says([AGAIN]);
    await live(6 * DAY);
    await unwatchClaim(ctx, account.id, claim.id);
    await start();
    says([]);
    await live(15 * DAY);
    expect(watch()).toMatchObject({ state: "registered_again", registeredAt: AGAIN });
    says([LONG_AGO]);
    await live(8 * DAY);
    expect(watch()).toMatchObject({ state: "published", registration: "registered" });
  });

  const [registered, silent] = ["registered", "not_said"];
  it.each<[string, string, unknown[]]>([
    ["a date at the hour of the proof", registered, [iso(NOON)]],
    ["one the hour after", registered, [iso(NOON + HOUR)]],
    ["one on the day of the proof, by its date alone", registered, [iso(NOON).slice(0, 10)]],
    ["one on the next day, as far east of here", registered, [iso(NOON + DAY).slice(0, 10)]],
    ["one in another zone", registered, [iso(NOON + 8 * HOUR).replace("Z", "+08:00")]],
    ["none", silent, []],
    ["one that is not a date", silent, ["yesterday"]],
    ["one that is still to come", silent, [iso(NOON + 300 * DAY)]],
  ])("is not what is said by %s: %s", async (_, registration, dates) => {
    mine.says(dates);
    await mine.live(9 * DAY);
    expect(mine.watch()).toMatchObject({ state: "published", registration });
    expect(mine.notices()).toEqual(["proved"]);
  });
});
