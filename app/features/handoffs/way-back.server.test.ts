import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { claimed, proved, type TestService, testService } from "#app/core/testing/service.ts";
import { watches } from "#db/schema.ts";
import { archiveDomain } from "../domains/domains.server.ts";
import { unwatchClaim, watchClaim } from "../watching/watches.server.ts";
import { handoffScreen } from "./handoff-screen.server.ts";
import { createHandoff, handoffOfClaim, wayBackOf } from "./handoffs.server.ts";

const MARIA = "maria@example.org";
const failing = (code: string) => expect.objectContaining({ code });

/** An open claim of an account that has proved `names`. */
async function asking(service: TestService, ...names: string[]) {
  for (const name of names) await proved(service, MARIA, name);
  const { account, claim } = await claimed(service, MARIA, "customer.example");
  const share = (returnUrl: string, ctx = service.ctx) =>
    createHandoff(ctx, account.id, claim.id, { returnUrl });
  return { account, claim, share };
}

const withSettings = ({ ctx }: TestService, own: object) => ({
  ...ctx,
  settings: { ...ctx.settings, ...own },
});
const HTTPS = { baseUrl: "https://deed.test" };

describe("a hand-off leads back to", () => {
  test.each([
    "https://globex.co.uk/",
    "https://globex.co.uk:8443/done?state=1#tab",
    "https://app.globex.co.uk/",
    "https://a.b.globex.co.uk/",
    "https://github.io/",
  ])("a host that the account has proved, or one below it: %s", async (url) => {
    const service = testService();
    const { share } = await asking(service, "globex.co.uk", "github.io");
    const { slug } = await share(
      url.toUpperCase().replace("/DONE?STATE=1#TAB", "/done?state=1#tab"),
    );
    expect(wayBackOf(service.ctx, slug)).toBe(url);
  });

  test.each([
    "https://other.example/",
    "https://xglobex.co.uk/",
    "https://globex.co.uk.other.example/",
    "https://globex.co.uk./",
    "https://other.co.uk/",
    "https://evil.github.io/",
    "https://hooli.com/",
    "https://192.0.2.1/",
    "https://[2001:db8::1]/",
    "https://127.0.0.1.other.example/",
    // Only claimed, and only proved by another account.
    "https://customer.example/",
    "https://noors.example/",
  ])("no other: %s", async (url) => {
    const service = testService();
    const names = ["globex.co.uk", "co.uk", "github.io", "app.hooli.com"];
    await proved(service, "noor@example.net", "noors.example");
    const { account, claim, share } = await asking(service, ...names);
    await expect(share(url)).rejects.toEqual(failing("origin_not_registered"));
    expect(handoffOfClaim(service.ctx, account.id, claim)).toBeNull();
  });

  test.each([
    ...["/done", "app.globex.co.uk", "//globex.co.uk/", "javascript:alert(1)", "data:text/html,x"],
    ...["http://globex.co.uk/", "ftp://globex.co.uk/", "blob:https://globex.co.uk/x"],
    ...["https://user@globex.co.uk/", "https://:x@globex.co.uk/", "http://user@localhost/"],
  ])("no address that is not https, or has credentials: %s", async (url) => {
    const { share } = await asking(testService(), "globex.co.uk");
    await expect(share(url)).rejects.toEqual(failing("invalid_request"));
  });

  test.each([
    "http://localhost:4000/",
    "http://127.9.9.9/",
    "http://[::1]:4000/",
    "https://localhost/",
  ])("this machine only where the service is on plain http: %s", async (url) => {
    const service = testService();
    const { share } = await asking(service);
    const { slug } = await share(url);
    expect(wayBackOf(service.ctx, slug)).toBe(url);
    const secure = withSettings(service, HTTPS);
    expect(wayBackOf(secure, slug)).toBeNull();
    const code = url.startsWith("https:") ? "origin_not_registered" : "invalid_request";
    await expect(share(url, secure)).rejects.toEqual(failing(code));
  });

  test("the hosts that the operator lists, exactly, and while they are listed", async () => {
    const service = testService();
    const { share } = await asking(service);
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
    const service = testService();
    const { ctx } = service;
    const app = await proved(service, MARIA, "globex.com");
    const { account, claim, share } = await asking(service);
    const { slug } = await share(url);
    const seen = async () => ({
      leads: wayBackOf(ctx, slug),
      shows: (await handoffScreen(ctx, slug, null)).back,
      holder: handoffOfClaim(ctx, account.id, claim)?.back,
    });
    const host = "app.globex.com";
    const told = (isAllowed: boolean) => ({
      leads: isAllowed ? url : null,
      shows: { host, isAllowed },
      holder: { host, isAllowed },
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
    await watchClaim(ctx, account.id, app.claim.id);
    const [since, finding] =
      state === "published" ? [null, null] : [service.now, "absent" as const];
    ctx.db
      .update(watches)
      .set({ purpose, state, missingSince: since, finding, findingSince: since })
      .where(eq(watches.claimId, app.claim.id))
      .run();
    expect(await seen()).toEqual(counts ? allowed : refused);
    if (!counts) await expect(share(url)).rejects.toEqual(failing("origin_not_registered"));
    await unwatchClaim(ctx, account.id, app.claim.id);
    expect(await seen()).toEqual(allowed);
  });

  test("a newer proof that holds is enough", async () => {
    const { service, ctx, app, account, seen, allowed, refused } = await shared();
    await archiveDomain(ctx, account.id, app.claim.domainId);
    expect(await seen()).toEqual(refused);
    await proved(service, MARIA, "app.globex.com");
    expect(await seen()).toEqual(allowed);
  });
});
