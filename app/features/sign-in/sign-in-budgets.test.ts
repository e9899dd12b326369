import { beforeEach, describe, expect, it, vi } from "vitest";
import { mailboxOf } from "#app/core/names/address.ts";
import { networkOf } from "#app/http/connection.server.ts";
import { MAX_KEYS } from "#app/http/limits.server.ts";
import { Browser, holdTime, type TestApp, testApp } from "./testing.ts";

const EMAIL = "ada@example.org";
const HOUR = 3_600_000;
let app: TestApp;
beforeEach(() => {
  app = testApp();
});

/** How many of `times` requests lead to a mail. */
async function sent(times: number, browserFor: (at: number) => Browser, email = EMAIL) {
  let count = 0;
  for (let at = 0; at < times; at++) count += Number(await browserFor(at).isSent(email));
  return count;
}

const signedInBrowser = (email = EMAIL) => Browser.signedIn(app, email);

describe("C19.4: mails to an address", () => {
  it("are counted per network: five requests of a stranger do not block anyone else", async () => {
    const stranger = new Browser(app, "198.51.100.7");
    expect(await sent(6, () => stranger)).toBe(5);
    const neighbour = new Browser(app, "198.51.100.200");
    expect(await sent(1, () => neighbour)).toBe(0);
    expect(await sent(1, () => new Browser(app, "203.0.113.5"))).toBe(1);
  });

  it("are limited to twenty a day for strangers on any network, but not for the holder's browser", async () => {
    holdTime();
    const holder = await signedInBrowser();
    const strangers = () => sent(1_000, (at) => new Browser(app, `10.${at >> 8}.${at & 255}.1`));
    expect([await strangers(), await sent(1, () => holder)]).toEqual([19, 1]);
    vi.advanceTimersByTime(23 * HOUR);
    expect([await strangers(), await sent(1, () => holder)]).toEqual([0, 1]);
    vi.advanceTimersByTime(HOUR);
    expect(await strangers()).toBe(20);
  });

  it("have a separate budget for the holder's browser: five per 15 minutes, twenty a day", async () => {
    holdTime();
    const holder = await signedInBrowser();
    let count = 0;
    for (let quarter = 0; quarter < 24 * 4; quarter++) {
      count += await sent(6, () => holder);
      vi.advanceTimersByTime(15 * 60_000);
    }
    expect(count).toBe(20);
  });

  it("share the budget of the mailbox, whatever the plus-tag", async () => {
    const browsers = (at: number) => new Browser(app, `10.0.${at}.1`);
    let count = 0;
    for (let at = 0; at < 40; at++)
      count += await sent(1, () => browsers(at), `ada+${at}@example.org`);
    expect(count).toBe(20);
    expect(app.mails.map(({ to }) => to)).toContain("ada+9@example.org");
    expect(await sent(1, () => browsers(99))).toBe(0);
    expect(await sent(1, () => browsers(99), "eve@example.org")).toBe(1);
  });
});

describe("a browser that signed in to an address", () => {
  it("is known for that address only, by a cookie that does not reveal it", async () => {
    const holder = await signedInBrowser();
    expect(holder.cookie).toMatch(/(^|; )known=[\w-]{59}(;|$)/);
    expect(Buffer.from(holder.cookie, "base64").toString()).not.toContain("ada");
    expect(await sent(30, (at) => new Browser(app, `10.0.${at}.1`), "eve@example.org")).toBe(20);
    expect(await sent(1, () => holder, "eve@example.org")).toBe(0);
  });

  it("still gets its mails when strangers have filled the limiter's table", async () => {
    const holder = await signedInBrowser();
    for (const budget of ["mailAddress", "mailbox"] as const)
      for (let at = 0; at < MAX_KEYS; at++)
        app.limiter.tryConsume({ [budget]: `${at}@strangers.example` });
    expect(await sent(1, () => new Browser(app), "eve@example.org")).toBe(0);
    expect(await sent(1, () => holder)).toBe(1);
  });

  it("is not known by a forged cookie, or by the cookie for another address", async () => {
    const eve = await signedInBrowser("eve@example.org");
    await sent(20, (at) => new Browser(app, `10.0.${at}.1`));
    const forger = new Browser(app);
    for (const known of [`${"A".repeat(59)}`, "", ".", `${"A".repeat(59)}.`.repeat(500)]) {
      forger.keep([`known=${known}`]);
      expect(await sent(1, () => forger)).toBe(0);
    }
    expect(await sent(1, () => eve)).toBe(0);
  });

  it("stays known through sign-out, a new secret and four other addresses, but not five", async () => {
    const secrets = ["o".repeat(32), "n".repeat(32)];
    app = testApp({ SESSION_SECRET: secrets[0] ?? "", RATE_LIMIT_MAIL_IP: "1000/60" });
    const holder = await signedInBrowser();
    for (const name of ["b", "c", "d", "e"]) await holder.signIn(`${name}@example.org`);
    Object.assign(app, { env: { ...app.env, SESSION_SECRET: secrets.toReversed() } });
    await sent(20, (at) => new Browser(app, `10.0.${at}.1`));
    expect(await sent(1, () => holder)).toBe(1);
    await holder.signIn("f@example.org");
    expect(await sent(1, () => holder)).toBe(0);
  });
});

it.each(
  `ada@example.org ada@example.org
  ada+work@example.org ada@example.org
  ada+a+b@example.org ada@example.org
  +ada@example.org +ada@example.org
  ada+@example.org ada@example.org
  a.da@example.org a.da@example.org
  a.d.a+work@gmail.com ada@gmail.com
  a.da+b@googlemail.com ada@gmail.com
  a.da@mail.gmail.com a.da@mail.gmail.com`.split("\n"),
)("%s, a mailbox", (line) => {
  const [address = "", mailbox] = line.trim().split(" ");
  expect(mailboxOf(address)).toBe(mailbox);
});

it.each([
  ["198.51.100.7", "198.51.100"],
  ["::ffff:198.51.100.7", "198.51.100"],
  ["2001:db8:1:2::3", "8193:3512:1"],
  ["2001:db8:1:ffff:1:2:3:4", "8193:3512:1"],
  ["2001:db8:2::1", "8193:3512:2"],
])("%s is in the network %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
