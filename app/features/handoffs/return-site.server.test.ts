import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { commit } from "#app/core/commit.server.ts";
import { claimed, proved, type TestService, testService } from "#app/core/testing/service.ts";
import { HOUR } from "#app/core/time.ts";
import { claims, watches } from "#db/schema.ts";
import { archiveDomain } from "../domains/domains.server.ts";
import { updateLoss } from "../watching/watch-rows.server.ts";
import { watchClaim } from "../watching/watches.server.ts";
import { handoffScreen } from "./handoff-screen.server.ts";
import {
  allowedReturnUrl,
  createHandoff,
  handoffOfClaim,
  revokeHandoff,
} from "./handoffs.server.ts";

const MARIA = "maria@example.org";
const UNPROVED = expect.objectContaining({ code: "origin_not_registered" });
const INVALID = expect.objectContaining({ code: "invalid_request" });

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
  test.each([
    ["HTTPS://Globex.co.uk/", "https://globex.co.uk/"],
    ["https://globex.co.uk:8443/done?state=1#tab"],
    ["https://app.globex.co.uk/"],
    ["https://a.b.globex.co.uk/"],
    ["https://github.io/"],
  ])("a host that the account has proved, or one below it: %s", async (typed, url = typed) => {
    const { service, share } = await asking("globex.co.uk", "github.io");
    expect(allowedReturnUrl(service.ctx, (await share(typed)).slug)).toBe(url);
  });

  test("C28.7: nobody, once it is revoked or has no such address", async () => {
    const { service, account, claim, share } = await asking("globex.com");
    const { slug } = await share("https://globex.com/");
    await revokeHandoff(service.ctx, account.id, claim.id);
    const plain = await createHandoff(service.ctx, account.id, claim.id);
    for (const nowhere of [slug, plain.slug, "0".repeat(26)])
      expect(allowedReturnUrl(service.ctx, nowhere)).toBeNull();
  });

  test("no other", async () => {
    const names = ["globex.co.uk", "co.uk", "github.io", "app.hooli.com"];
    const { service, claim, share } = await asking(...names);
    await proved(service, "noor@example.net", "noors.example");
    const hosts = `other.example xglobex.co.uk globex.co.uk.other.example globex.co.uk. other.co.uk
      evil.github.io hooli.com 192.0.2.1 [2001:db8::1] 127.0.0.1.other.example
      customer.example noors.example`;
    // The last two are only claimed, or only proved by another account.
    for (const host of hosts.split(/\s+/))
      await expect(share(`https://${host}/`), host).rejects.toEqual(UNPROVED);
    expect(handoffOfClaim(service.ctx, claim)).toBeNull();
  });

  test("no address that is not https, or has credentials", async () => {
    const { share } = await asking("globex.co.uk");
    const urls = `/done app.globex.co.uk //globex.co.uk/ javascript:alert(1) data:text/html,x
      http://globex.co.uk/ ftp://globex.co.uk/ blob:https://globex.co.uk/x
      https://user@globex.co.uk/ https://:x@globex.co.uk/ http://user@localhost/`;
    for (const url of urls.split(/\s+/)) await expect(share(url), url).rejects.toEqual(INVALID);
  });

  test("this machine only where the service is on plain http", async () => {
    const { service, share } = await asking();
    const secure = withSettings(service, HTTPS);
    const urls = ["http://localhost:4000/", "http://127.9.9.9/", "http://[::1]:4000/"];
    for (const url of [...urls, "https://localhost/"]) {
      const { slug } = await share(url);
      expect(allowedReturnUrl(service.ctx, slug)).toBe(url);
      expect(allowedReturnUrl(secure, slug)).toBeNull();
      const refusal = url.startsWith("https:") ? UNPROVED : INVALID;
      await expect(share(url, secure)).rejects.toEqual(refusal);
    }
  });

  test("the hosts that the operator lists, exactly, and while they are listed", async () => {
    const { service, share } = await asking();
    const listing = withSettings(service, { backHosts: ["app.example"] });
    const { slug } = await share("https://app.example:8443/done", listing);
    expect(allowedReturnUrl(listing, slug)).toBe("https://app.example:8443/done");
    expect(allowedReturnUrl(service.ctx, slug)).toBeNull();
    for (const url of ["https://sub.app.example/", "https://example/"])
      await expect(share(url, listing)).rejects.toEqual(UNPROVED);
    await expect(share("http://app.example/", listing)).rejects.toEqual(INVALID);
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
    /** Whether the page leads back there, and says so too. */
    const counts = async () => {
      const leads = allowedReturnUrl(ctx, slug);
      const isAllowed = leads !== null;
      const { back } = await handoffScreen(ctx, slug);
      expect([leads ?? url, back]).toEqual([url, { host: "app.globex.com", isAllowed }]);
      return isAllowed;
    };
    expect(await counts()).toBe(true);
    return { service, ctx, app, account, share, counts };
  };

  type Word = Partial<typeof watches.$inferSelect>;
  const lapsed = (now: number): Word => ({
    ...{ state: "lapsed", missingSince: now, finding: "absent", findingSince: now },
  });
  const again = (now: number): Word => ({ registry: "registered_again", registeredAt: now });
  test.each([
    ["lapsed", "globex.com", false, lapsed],
    ["registered again", "globex.com", false, again],
    ["registered again", "app.globex.com", false, again],
    ["lapsed", "app.globex.com", true, lapsed],
  ] as const)("globex.com %s, and an older proof of %s: %s", async (_, name, isEnough, says) => {
    const { service, ctx, app, account, share, counts } = await shared();
    await proved(service, MARIA, name);
    await watchClaim(ctx, account.id, app.id);
    await commit(ctx, (tx, ctx) => {
      const row = says(service.now + HOUR);
      tx.update(watches).set(row).where(eq(watches.claimId, app.id)).run();
      updateLoss(tx, app.domainId, ctx.clock(), []);
    });
    expect(await counts()).toBe(isEnough);
    if (!isEnough) await expect(share(url)).rejects.toEqual(UNPROVED);
    // Proved anew since.
    service.now += 2 * HOUR;
    await proved(service, MARIA, name);
    expect(await counts()).toBe(true);
  });

  test("a newer proof that holds is enough", async () => {
    const { service, ctx, app, account, counts } = await shared();
    await archiveDomain(ctx, account.id, app.domainId);
    expect(await counts()).toBe(false);
    await proved(service, MARIA, "app.globex.com");
    expect(await counts()).toBe(true);
  });
});
