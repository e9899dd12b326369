import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { claimed, proved } from "#app/core/testing/service.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { domains, watches } from "#db/schema.ts";
import { ensureByName } from "../by-name/by-name.server.ts";
import { live } from "./testing.ts";
import { nextTimeOfClaim } from "./watch-states.ts";
import { readWatch, unwatchClaim, watchClaim } from "./watches.server.ts";

describe("C29.14: a record that is watched hourly", () => {
  it("is read each hour, at a time of its own, and its alarm still takes six hours and seven days", async () => {
    const { service, ctx, account, claim } = await proved();
    const watch = () => readWatch(ctx, account.id, claim.id);
    expect(await watchClaim(ctx, account.id, claim.id, "hour")).toMatchObject({ every: "hour" });
    const from = service.asked.length;
    await live(service, 2, foundAt);
    expect(service.asked.length - from).toBe(2 * 24 + 1);
    await live(service, 5 / 24, absentAt);
    expect(watch()).toMatchObject({ state: "published", missingSince: null });
    await live(service, 3 / 24, absentAt);
    expect(watch().state).toBe("missing");
    await live(service, 7, absentAt);
    expect(watch().state).toBe("lapsed");
    expect(ctx.db.select().from(domains).get()?.holds).toBe(false);
    expect(service.mails.at(-1)?.text).toContain("It still checks once an hour.");
    await live(service, 1 / 24, foundAt);
    expect(watch().state).toBe("published");
  });

  it("changes to daily and back; without a word it stays, and a new watch is daily", async () => {
    const { service, ctx, account, claim } = await proved();
    const ask = async (every?: "day" | "hour") =>
      (await watchClaim(ctx, account.id, claim.id, every)).every;
    expect([await ask(), await ask("hour"), await ask()]).toEqual(["day", "hour", "hour"]);
    await live(service, 1 / 24, foundAt);
    expect(await ask("day")).toBe("day");
    const planned = ctx.db.select().from(watches).get()?.nextReadAt;
    expect(planned).toBe(nextTimeOfClaim(claim.id, service.now));
    await ask("hour");
    await unwatchClaim(ctx, account.id, claim.id);
    expect(ctx.db.select().from(watches).get()).toMatchObject({ purpose: "removal", every: "day" });
    expect(await ask()).toBe("day");
  });

  it("is wished for before the proof", async () => {
    const { ctx, account, run, claim } = await claimed();
    const name = "acme.com";
    await ensureByName(ctx, account.id, { name, watch: { every: "hour" } });
    await run(foundAt);
    expect(readWatch(ctx, account.id, claim.id).every).toBe("hour");
    const { answer } = await ensureByName(ctx, account.id, { name, watch: { every: "day" } });
    expect(answer.watch?.every).toBe("day");
    const same = await ensureByName(ctx, account.id, { name, watch: true });
    expect(same.answer.watch?.every).toBe("day");
  });

  it("leaves room: past 500 of an account it is daily, whichever way it was asked for", async () => {
    const { service, ctx, account, claim } = await proved();
    const other = await proved(service, "kim@example.org", "globex.com");
    const insert = ctx.db.$client.prepare(
      `insert into claims (id, account_id, domain_id, name, state, token, challenge_label, created_at, expires_at, ended_at)
       select 'clm_' || ?, account_id, domain_id, name, 'proved', token || ?, challenge_label, created_at, expires_at, ended_at from claims where id = ?`,
    );
    const watch = ctx.db.$client.prepare(
      `insert into watches (claim_id, purpose, every, started_at, seen_at, told, nameservers, next_read_at, slug)
       values ('clm_' || ?, 'watch', 'hour', 0, 0, '[]', '[]', ?, 'slug' || ?)`,
    );
    for (let n = 0; n < 500; n++) {
      insert.run(String(n), String(n), claim.id);
      watch.run(String(n), service.now + DAY, String(n));
    }
    expect((await watchClaim(ctx, account.id, claim.id, "hour")).every).toBe("day");
    expect((await watchClaim(ctx, other.account.id, other.claim.id, "hour")).every).toBe("hour");
    ctx.db.delete(watches).where(eq(watches.claimId, "clm_0")).run();
    expect((await watchClaim(ctx, account.id, claim.id, "hour")).every).toBe("hour");
  });

  it("has its minute: two claims are not read at once", () => {
    const at = (id: string) => nextTimeOfClaim(id, 0, "hour");
    const times = new Set(Array.from({ length: 100 }, (_, n) => at(`clm_${n}`)));
    expect(times.size).toBeGreaterThan(95);
    expect(Math.max(...times)).toBeLessThanOrEqual(HOUR);
  });
});
