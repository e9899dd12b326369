import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { readFeed } from "#app/core/feed/feed.server.ts";
import { proved, stay } from "#app/core/testing/service.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import type { watches } from "#db/schema.ts";
import { findByName } from "../by-name/by-name.server.ts";
import { cancelClaim, openClaim, readClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import {
  addDomain,
  archiveDomain,
  type DomainQuery,
  listDomains,
  unarchiveDomain,
} from "../domains/domains.server.ts";
import { goneAt, live, movedAt, type ObserveQuestion, silentAt } from "./testing.ts";
import { lossOf } from "./watch-states.ts";
import { unwatchClaim, watchClaim } from "./watches.server.ts";

/** A proof at NOON, a way to let time pass, and what all answers and subscribers say. */
async function held() {
  const mine = await proved();
  const { service, ctx, account, claim } = mine;
  const shown = async () => {
    const named = await findByName(ctx, account.id, { name: "acme.com" });
    const [listed] = (await listDomains(ctx, account.id, { name: "acme.com" })).domains;
    const own = await readClaim(ctx, account.id, claim.id);
    expect(named).toMatchObject({ domain: { holds: named.holds }, claim: { holds: named.holds } });
    expect([own.holds, listed?.holds]).toEqual([named.holds, named.holds]);
    expect(listed?.watch).toEqual(named.watch);
    return { holds: named.holds, watch: named.watch?.state ?? null };
  };
  return {
    ...mine,
    shown,
    told: () =>
      readFeed(ctx, account.id, 0, 1_000).flatMap(({ type }) => /holds$/.exec(type)?.input ?? []),
    watch: (id = claim.id) => watchClaim(ctx, account.id, id),
    unwatch: (id = claim.id) => unwatchClaim(ctx, account.id, id),
    /** Lets so many days pass, then expects this. */
    async until(days: number, see: ObserveQuestion, holds: boolean, watch: string | null) {
      await live(service, days, see);
      expect(await shown()).toEqual({ holds, watch });
    },
    async proveAgain() {
      const { id, verificationId } = await openClaim(ctx, account.id, claim.domainId);
      service.see = foundAt;
      await runVerification(ctx, account.id, verificationId, stay);
      return id;
    },
  };
}

const ON = "domain.holds";
const OFF = "domain.no_longer_holds";

test("C4.6, C14.2, C27.11, C27.12, C31.2: a domain holds until its watch denies it", async () => {
  const { watch, until, told } = await held();
  // Nobody watches it yet.
  await until(2, goneAt, true, null);
  await watch();
  await until(2, foundAt, true, "published");
  await until(3, absentAt, true, "missing");
  await until(4, silentAt, true, "missing");
  expect(told()).toEqual([ON]);
  await until(4, absentAt, false, "lapsed");
  await until(3, movedAt, false, "moved");
  await until(3, goneAt, false, "gone");
  expect(told()).toEqual([ON, OFF]);
  await until(2, foundAt, true, "published");
  await until(2, movedAt, false, "moved");
  // The domain is back at its nameservers, but the record is not.
  await until(2, absentAt, false, "missing");
  await until(2, foundAt, true, "published");
  expect(told()).toEqual([ON, OFF, ON, OFF, ON]);
});

test("what was seen stays seen when its watch ends; a newer proof or the record itself ends it", async () => {
  const { ctx, account, claim, watch, unwatch, until, told, shown, proveAgain } = await held();
  await watch();
  await until(2, movedAt, false, "moved");
  await unwatch();
  await until(2, foundAt, false, null);
  await archiveDomain(ctx, account.id, claim.domainId);
  await unarchiveDomain(ctx, account.id, claim.domainId);
  expect(await shown()).toEqual({ holds: false, watch: null });
  await watch();
  await until(0.1, absentAt, false, "published");
  await until(2, foundAt, true, "published");
  await until(2, movedAt, false, "moved");
  await unwatch();
  const later = await proveAgain();
  expect(await shown()).toEqual({ holds: true, watch: null });
  expect(told()).toEqual([ON, OFF, ON, OFF, ON]);
  await archiveDomain(ctx, account.id, claim.domainId);
  expect(told().at(-1)).toBe(OFF);
  await unarchiveDomain(ctx, account.id, claim.domainId);
  expect(told().at(-1)).toBe(ON);
  await watch(later);
  await until(2, goneAt, false, "gone");
});

test("a claim in play changes nothing, and an older proof's watch only what it sees from the newest on", async () => {
  const { service, ctx, account, claim, watch, until, told, shown, proveAgain } = await held();
  await watch();
  service.now += HOUR;
  const open = await openClaim(ctx, account.id, claim.domainId);
  expect(await shown()).toEqual({ holds: true, watch: "published" });
  await cancelClaim(ctx, account.id, open.id);
  // The old record is deleted, and a new one is proved.
  await until(3, absentAt, true, "missing");
  await proveAgain();
  const old: ObserveQuestion = (question, at) =>
    (question.token === claim.token ? absentAt : foundAt)(question, at);
  await until(9, old, true, "lapsed");
  expect(told()).toEqual([ON]);
  await until(3, movedAt, false, "moved");
});

test("of what watches have seen, the newest counts, and a registration after the newest proof whatever they saw", () => {
  const row = { state: "published", seenAt: 9 * DAY, missingSince: null, findingSince: null };
  const seen = (...rows: object[]) =>
    lossOf(
      5 * DAY,
      rows.map((over) => ({ ...row, ...over }) as typeof watches.$inferSelect),
    );
  expect(seen({})).toBeNull();
  // That of an older proof whose record was seen since.
  const lapsed = { state: "lapsed", missingSince: 8 * DAY, seenAt: 7 * DAY };
  expect([seen(lapsed), seen(lapsed, { seenAt: 9 * DAY })]).toEqual(["lapsed", null]);
  const again = { registry: "registered_again" };
  expect(seen({ ...again, registeredAt: 8 * DAY })).toBe("registered_again");
  expect(seen({ ...again, registeredAt: 4 * DAY })).toBeNull();
});

test("C4.9, C27.5: the list has those that hold, or not, and watches in a state", async () => {
  const { service, ctx, account, watch, until } = await held();
  await proved(service, undefined, "b.example");
  await addDomain(ctx, account.id, "c.example");
  await watch();
  await until(2, movedAt, false, "moved");
  const names = async (query: DomainQuery) =>
    (await listDomains(ctx, account.id, query)).domains.map(({ name }) => name);
  expect(await names({ holds: true })).toEqual(["b.example"]);
  expect((await names({ holds: false })).toSorted()).toEqual(["acme.com", "c.example"]);
  expect(await names({ watch: "moved" })).toEqual(["acme.com"]);
  expect(await names({ watch: "none", status: "proved" })).toEqual(["b.example"]);
  expect(await names({ name: "acme.com", holds: true })).toEqual([]);
  expect(await names({ q: "acme", holds: false, watch: "moved" })).toEqual(["acme.com"]);
  expect(await names({ watch: "published" })).toEqual([]);
});
