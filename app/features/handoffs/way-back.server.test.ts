import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { claimed, proved, type TestService, testService } from "#app/core/testing/service.ts";
import { claims, watches } from "#db/schema.ts";
import { archiveDomain } from "../domains/domains.server.ts";
import { unwatchClaim, watchClaim } from "../watching/watches.server.ts";
import { handoffScreen } from "./handoff-screen.server.ts";
import { createHandoff, handoffOfClaim, wayBackOf } from "./handoffs.server.ts";

const MARIA = "maria@example.org";
const failing = (code: string) => expect.objectContaining({ code });

/** An open claim of an account that has proved `names`. */
async function asking(...names: string[]) {
  const service = testService();
  for (const name of names) await proved(service, MARIA, name);
  const { account, claim } = await claimed(service, MARIA, "customer.example");
  const share = (returnUrl: string, ctx = service.ctx) =>
    createHandoff(ctx, account.id, claim.id, { returnUrl });
  return { service, account, claim, share };
}

const withSettings = ({ ctx }: TestService, own: object) => ({
  ...ctx,
  settings: { ...ctx.settings, ...own },
});
const HTTPS = { baseUrl: "https://deed.test" };

describe("a hand-off leads back to", () => {
  test("a host that the account has proved, or one below it", async () => {
    const { service, share } = await asking("globex.co.uk", "github.io");
    for (const [typed, url = typed] of [
      ["HTTPS://Globex.co.uk/", "https://globex.co.uk/"],
      ["https://globex.co.uk:8443/done?state=1#tab"],
      ["https://app.globex.co.uk/"],
      ["https://a.b.globex.co.uk/"],
      ["https://github.io/"],
    ] as [string, string?][]) {
      const { slug } = await share(typed);
      expect(wayBackOf(service.ctx, slug)).toBe(url);
    }
  });

  test("no other", async () => {
    const names = ["globex.co.uk", "co.uk", "github.io", "app.hooli.com"];
    const { service, claim, share } = await asking(...names);
    await proved(service, "noor@example.net", "noors.example");
    const hosts =
      "other.example xglobex.co.uk globex.co.uk.other.example globex.co.uk. other.co.uk";
    const more = "evil.github.io hooli.com 192.0.2.1 [2001:db8::1] 127.0.0.1.other.example";
    // Only claimed, and only proved by another account.
    const unproved = "customer.example noors.example";
    for (const host of `${hosts} ${more} ${unproved}`.split(" "))
      await expect(share(`https://${host}/`), host).rejects.toEqual(
        failing("origin_not_registered"),
      );
    expect(handoffOfClaim(service.ctx, claim)).toBeNull();
  });

  test("no address that is not https, or has credentials", async () => {
    const { share } = await asking("globex.co.uk");
    for (const url of [
      ...[
        "/done",
        "app.globex.co.uk",
        "//globex.co.uk/",
        "javascript:alert(1)",
        "data:text/html,x",
      ],
      ...["http://globex.co.uk/", "ftp://globex.co.uk/", "blob:https://globex.co.uk/x"],
      ...["https://user@globex.co.uk/", "https://:x@globex.co.uk/", "http://user@localhost/"],
    ])
      await expect(share(url), url).rejects.toEqual(failing("invalid_request"));
  });

  test("this machine only where the service is on plain http", async () => {
    const { service, share } = await asking();
    const secure = withSettings(service, HTTPS);
    const urls = ["http://localhost:4000/", "http://127.9.9.9/", "http://[::1]:4000/"];
    for (const url of [...urls, "https://localhost/"]) {
      const { slug } = await share(url);
      expect(wayBackOf(service.ctx, slug)).toBe(url);
      expect(wayBackOf(secure, slug)).toBeNull();
      const code = url.startsWith("https:") ? "origin_not_registered" : "invalid_request";
      await expect(share(url, secure)).rejects.toEqual(failing(code));
    }
  });

  test("the hosts that the operator lists, exactly, and while they are listed", async () => {
    const { service, share } = await asking();
    const listing = withSettings(service, { backHosts: ["app.example"] });
    const { slug } = await share("https://app.example:8443/done", listing);
    expect(wayBackOf(listing, slug)).toBe("https://app.example:8443/done");
    expect(wayBackOf(service.ctx, slug)).toBeNull();
    for (const url of ["https://sub.app.example/", "https://example/"])
      await expect(share(url, listing)).rejects.toEqual(failing("origin_not_registered"));
    await expect(share("http://app.example/", listing)).rejects.toEqual(failing("invalid_request"));
  });
});

describe("between making and following", () => {
  const url = "https://app.globex.com/done";
  const shared = async () => {
    const { service, account, share } = await asking("globex.com");
    const { ctx } = service;
    const [app] = ctx.db.select().from(claims).where(eq(claims.name, "globex.com")).all();
    if (!app) throw new Error("the account has proved globex.com");
    const { slug } = await share(url);
    const seen = async () => ({
      leads: wayBackOf(ctx, slug),
      shows: (await handoffScreen(ctx, slug, null)).back,
    });
    const host = "app.globex.com";
    const told = (isAllowed: boolean) => ({
      leads: isAllowed ? url : null,
      shows: { host, isAllowed },
    });
    const [allowed, refused] = [told(true), told(false)];
    expect(await seen()).toEqual(allowed);
    return { service, ctx, app, account, share, seen, allowed, refused };
  };

  test.each([
    ["watch", "published", true],
    ["watch", "missing", true],
    ["watch", "lapsed", false],
    ["watch", "moved", false],
    ["watch", "gone", false],
    ["removal", "missing", true],
    ["removal", "gone", true],
  ] as const)("a record that is read for its %s and is %s: %s", async (purpose, state, counts) => {
    const { service, ctx, app, account, share, seen, allowed, refused } = await shared();
    await watchClaim(ctx, account.id, app.id);
    const [since, finding] =
      state === "published" ? [null, null] : [service.now, "absent" as const];
    ctx.db
      .update(watches)
      .set({ purpose, state, missingSince: since, finding, findingSince: since })
      .where(eq(watches.claimId, app.id))
      .run();
    expect(await seen()).toEqual(counts ? allowed : refused);
    if (!counts) await expect(share(url)).rejects.toEqual(failing("origin_not_registered"));
    await unwatchClaim(ctx, account.id, app.id);
    expect(await seen()).toEqual(allowed);
  });

  /** The watch of the first proof says this from now on. */
  type Word = Partial<typeof watches.$inferSelect>;
  const lapsed = (now: number): Word => {
    return { state: "lapsed", missingSince: now, finding: "absent", findingSince: now };
  };
  const again = (now: number): Word => ({ registry: "registered_again", registeredAt: now });
  const word = ({ ctx, app }: Awaited<ReturnType<typeof shared>>, says: Word) =>
    ctx.db.update(watches).set(says).where(eq(watches.claimId, app.id)).run();
  const HOUR = 3_600_000;

  test.each([
    ["lapsed", "globex.com", false, lapsed],
    ["registered again", "globex.com", false, again],
    ["registered again", "app.globex.com", false, again],
    ["lapsed", "app.globex.com", true, lapsed],
  ] as const)("globex.com %s, and an older proof of %s: %s", async (_, name, counts, says) => {
    const all = await shared();
    const { service, ctx, account, seen, allowed, refused } = all;
    await proved(service, MARIA, name);
    await watchClaim(ctx, account.id, all.app.id);
    word(all, says(service.now + HOUR));
    expect(await seen()).toEqual(counts ? allowed : refused);
    // Proved anew since.
    service.now += 2 * HOUR;
    await proved(service, MARIA, name);
    expect(await seen()).toEqual(allowed);
  });

  test("an older proof counts whose own watch has seen its record since", async () => {
    const all = await shared();
    const { service, ctx, account, seen, allowed, refused } = all;
    const other = await proved(service, MARIA, "globex.com");
    for (const id of [all.app.id, other.claim.id]) await watchClaim(ctx, account.id, id);
    word(all, lapsed(service.now + HOUR));
    expect(await seen()).toEqual(refused);
    const seenAt = service.now + 2 * HOUR;
    ctx.db.update(watches).set({ seenAt }).where(eq(watches.claimId, other.claim.id)).run();
    expect(await seen()).toEqual(allowed);
  });

  test("a newer proof that holds is enough", async () => {
    const { service, ctx, app, account, seen, allowed, refused } = await shared();
    await archiveDomain(ctx, account.id, app.domainId);
    expect(await seen()).toEqual(refused);
    await proved(service, MARIA, "app.globex.com");
    expect(await seen()).toEqual(allowed);
  });
});
