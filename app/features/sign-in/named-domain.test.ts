import { beforeEach, describe, expect, it } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { pathAfterSignIn } from "./api.server.ts";
import { Browser, type TestApp, testApp } from "./testing.ts";

const EMAIL = "ada@example.org";
const PROVE = "/zones/call-0800-now.example?prove";
const MAILS = { RATE_LIMIT_MAIL_ADDRESS: "1000/900", RATE_LIMIT_MAILBOX: "1000/900" };
let app: TestApp;
beforeEach(() => {
  app = testApp({ ...MAILS, RATE_LIMIT_MAIL_IP: "1000/900" });
});

/** Everything that a mail client shows of the newest mail. */
async function shown(browser: Browser, callbackPath: string): Promise<string> {
  await browser.ask(EMAIL, callbackPath);
  const { subject = "", text = "", html = "" } = app.mails.at(-1) ?? {};
  return [subject, text, html].join("\n").replace(/\s+/g, " ");
}

const signedIn = (email = EMAIL) => Browser.signedIn(app, email);

describe("the sign-in mail that a stranger asks for", () => {
  const starts = "/zones/ /domains/ /h/ /p/ /verify? /?domain= /sign-in?next=/zones/".split(" ");
  const names = ["call-0800-now.example", "c%61ll-0800-now.example", "CALL-0800-now.example"];
  const ends = ["", "?prove", "&prove", "%3Fprove"];
  const paths = starts.flatMap((start) =>
    ends.flatMap((end) => names.map((name) => start + name + end)),
  );
  it.each([undefined, EMAIL])("has no word of theirs, whatever the path: %s", async (known) => {
    if (known) await signedIn(known);
    const plain = (await shown(new Browser(app), "/domains")).replaceAll(/[\w-]{43}|\d{6}/g, "…");
    for (const path of [PROVE, ...paths, "/zones/call-0800-now.example.?prove"]) {
      const mail = await shown(new Browser(app), path);
      expect([path, mail.replaceAll(/[\w-]{43}|\d{6}/g, "…")]).toEqual([path, plain]);
    }
  });
});

it("the sign-in mail names the domain to prove in a browser that signed in to the address, not to another", async () => {
  const told = `as ${EMAIL} and prove call-0800-now.example.`;
  expect(await shown(await signedIn(), PROVE)).toContain(told);
  expect(await shown(await signedIn("eve@example.org"), PROVE)).not.toMatch(/0800/i);
});

it("the sign-in mail names a domain that the account has, for any reference", async () => {
  const { id } = await accountForEmail(app, EMAIL);
  await addDomain(app, id, "call-0800-now.example", { reference: "cust_42" });
  expect(await shown(new Browser(app), PROVE)).toContain("and prove call-0800-now.example.");
  expect(await shown(new Browser(app), "/zones/other.example?prove")).not.toContain("other");
});

it("C19.15: a sign-in adds its domain once, and then finds it", async () => {
  const account = await accountForEmail(app, EMAIL);
  const left = () => app.limiter.left("additions", account.id)[0]?.remaining ?? 0;
  const before = left();
  for (const _ of [1, 2, 3])
    expect(await pathAfterSignIn(app, { account, callbackPath: PROVE })).toMatch(
      /^\/domains\/dom_/,
    );
  expect(left()).toBe(before - 1);
});
