import { beforeEach, describe, expect, it, vi } from "vitest";
import { MailError } from "#app/core/mail/mail.server.ts";
import { personOf } from "#app/core/testing/accounts.ts";
import { pendingSignIn } from "#app/http/caller/cookies.server.ts";
import { endAllSessions } from "#app/http/caller/session-end.server.ts";
import { accounts, sessions, signInLinks } from "#db/schema.ts";
import {
  finishMagicLink,
  LINK_LIFETIME_MS,
  linkState,
  MAX_CODE_TRIES,
  readLink,
} from "./magic-link.server.ts";
import { Browser, holdTime, mailedSecrets, requestTo, type TestApp, testApp } from "./testing.ts";

const EMAIL = "ada@example.org";
const ROOMY = { RATE_LIMIT_MAIL_ADDRESS: "1000/900", RATE_LIMIT_MAILBOX: "1000/900" };
let app: TestApp;
let browser: Browser;

function use(environment: Record<string, string>): void {
  app = testApp(environment);
  browser = new Browser(app);
}
beforeEach(() => use(ROOMY));

const mailed = (email = EMAIL, callbackPath?: string) => browser.ask(email, callbackPath);
type Proof = Parameters<Browser["finish"]>[0];
const finish = (proof: Proof) => browser.finish(proof);
const refused = { code: "invalid_sign_in", message: expect.any(String) };
const refuses = async (...proofs: Proof[]) => {
  for (const proof of proofs) await expect(finish(proof)).rejects.toMatchObject(refused);
};
const otherCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

describe("asking for a mail", () => {
  it("mails a link on BASE_URL and a code, and creates no account", async () => {
    const { token, code } = await mailed(" Ada@Example.org ");
    const subject = expect.stringMatching(/^\d{6} is your Deed code$/);
    expect(app.mails).toMatchObject([{ to: EMAIL, subject }]);
    expect(app.mails[0]?.text).toContain(`${app.env.BASE_URL}/sign-in/confirm?token=${token}\n`);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(code).toMatch(/^\d{6}$/);
    expect(app.db.select().from(accounts).all()).toEqual([]);
  });

  it("stores only hashes, and logs neither token, code nor address", async () => {
    const { token, code } = await mailed();
    await finish({ token });
    await finish({ token }).catch(() => {});
    const kept = JSON.stringify(app.db.select().from(signInLinks).all());
    const logs = app.logged.join("");
    for (const secret of [token, code]) expect(kept).not.toContain(secret);
    for (const secret of [token, EMAIL]) expect(logs).not.toContain(secret);
    expect(logs).not.toMatch(new RegExp(`\\b${code}\\b`));
  });

  it("does not wait for the mail or reveal its failure", async () => {
    app.mailer.send = () => new Promise(() => {});
    await browser.ask(EMAIL);
    app.mailer.send = () => Promise.reject(new MailError("EENVELOPE RCPT TO 550", true, true));
    await browser.ask(EMAIL);
    await new Promise((resolve) => setImmediate(resolve));
    expect(app.logged.join()).toContain("could not be sent");
  });

  it("answers the same for a known and an unknown address, over the budget too", async () => {
    use({ RATE_LIMIT_MAIL_ADDRESS: "2/900" });
    const known = await mailed();
    await finish({ token: known.token });
    const outcomes = async (email: string) => {
      const [stranger, results] = [new Browser(app), [] as unknown[]];
      for (let i = 0; i < 3; i++)
        results.push((await stranger.ask(email).catch((error) => error)).code);
      return results;
    };
    const sent = expect.stringMatching(/^\d{6}$/);
    for (const email of ["new@example.org", " EVE@example.org"])
      expect(await outcomes(email)).toEqual([sent, sent, "rate_limited"]);
    expect(await outcomes(EMAIL)).toEqual([sent, "rate_limited", "rate_limited"]);
  });
});

describe("C12.5: the mailed link", () => {
  it("works once, posted a hundred times at once: one session", async () => {
    const { token, code } = await mailed();
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => finish({ token })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(app.db.select().from(sessions).all()).toHaveLength(1);
    expect(app.db.select().from(accounts).all()).toHaveLength(1);
    await refuses({ token }, { email: EMAIL, code });
  });

  it("works for 15 minutes, also over a small correction of the clock, and is deleted then", async () => {
    const corrected = await mailed();
    app.pass(-30_000);
    await finish({ token: corrected.token });
    const inTime = await mailed();
    app.pass(LINK_LIFETIME_MS - 1);
    await finish({ token: inTime.token });
    const late = await mailed();
    app.pass(LINK_LIFETIME_MS);
    expect(readLink(app, late.token)).toBeNull();
    await refuses({ token: late.token }, { email: EMAIL, code: late.code });
    await mailed();
    expect(app.db.select().from(signInLinks).all()).toHaveLength(1);
  });

  it("is void, with its code, if the clock is set back far behind it", async () => {
    const ahead = await mailed();
    app.pass(-8 * 86_400_000);
    expect(readLink(app, ahead.token)).toBeNull();
    await refuses({ token: ahead.token }, { email: EMAIL, code: ahead.code });
    const now = await mailed();
    expect(app.db.select().from(signInLinks).all()).toHaveLength(1);
    await finish({ email: EMAIL, code: now.code });
    app.pass(8 * 86_400_000);
    await refuses({ token: ahead.token });
  });
});

it.each(["link", "code"])("a fault leaves the %s as it was, and opens no account", async (by) => {
  const { token, code } = await mailed();
  const proof = by === "link" ? { token } : { email: EMAIL, code };
  app.db.$client.exec(
    "create trigger fault before insert on sessions begin select raise(abort, 'a fault'); end",
  );
  await expect(finish(proof)).rejects.toThrow("a fault");
  expect(app.db.select().from(accounts).all()).toEqual([]);
  const untouched = { consumedAt: null, codeTries: 0 };
  expect(app.db.select().from(signInLinks).all()).toMatchObject([untouched]);
  app.db.$client.exec("drop trigger fault");
  expect(await finish(proof)).toMatchObject({ account: { email: EMAIL } });
});

it("is seen to be used by the browser that asked for it, and by no other", async () => {
  const stranger = new Browser(app);
  await stranger.ask(EMAIL);
  const { token } = await mailed(EMAIL, "/claims/clm_1");
  const awaited = async (asking: Browser) => {
    const pending = await pendingSignIn(app, asking.request());
    return pending && linkState(app, pending);
  };
  const waiting = { usedFor: null, isAwaited: true };
  expect([await awaited(browser), await awaited(stranger)]).toEqual([waiting, waiting]);
  app.pass(10 * 60_000 - 1);
  expect(await awaited(browser)).toEqual(waiting);
  app.pass(1);
  expect(await awaited(browser)).toEqual({ usedFor: null, isAwaited: false });
  await new Browser(app).finish({ token });
  expect(await awaited(browser)).toEqual({ usedFor: "/claims/clm_1", isAwaited: false });
  expect(await awaited(stranger)).toEqual({ usedFor: null, isAwaited: false });
});

describe("C12.6: the mailed code", () => {
  it("signs in with its address, in any spelling", async () => {
    const { code } = await mailed();
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect(await finish({ email: " ADA@example.org", code: typed })).toMatchObject({
      account: { email: EMAIL },
    });
  });

  it("is invalid with another address, also one that its browser asked with", async () => {
    const { code } = await mailed();
    const theirs = await mailed("eve@example.org");
    if (theirs.code !== code) await refuses({ email: "eve@example.org", code });
    await refuses({ email: "nobody@example.org", code }, { email: "", code });
    await finish({ email: EMAIL, code });
  });

  it(`survives ${MAX_CODE_TRIES - 1} wrong tries and no more, concurrent or in turn`, async () => {
    const wrong = async (code: string, times: number) => {
      const results = await Promise.allSettled(
        Array.from({ length: times }, () => finish({ email: EMAIL, code: otherCode(code) })),
      );
      expect(results.every(({ status }) => status === "rejected")).toBe(true);
    };
    const first = await mailed();
    await wrong(first.code, MAX_CODE_TRIES - 1);
    await finish({ email: EMAIL, code: first.code });
    const second = await mailed();
    await wrong(second.code, 50);
    await refuses({ email: EMAIL, code: second.code });
    await finish({ token: second.token });
  });

  it("is the newest mail's: an older one is refused, even once the newest has no tries left", async () => {
    const older = await mailed();
    app.pass(1);
    const newer = await mailed();
    if (older.code !== newer.code) await refuses({ email: EMAIL, code: older.code });
    for (let i = 0; i < MAX_CODE_TRIES; i++)
      await finish({ email: EMAIL, code: otherCode(newer.code) }).catch(() => {});
    await refuses({ email: EMAIL, code: older.code }, { email: EMAIL, code: newer.code });
  });

  it("can be tried by strangers at most 100 times a day, from any network", async () => {
    holdTime();
    use({});
    const triesOf = async (email: string, hour: number) => {
      let tries = 0;
      for (let each = 0; each < 2; each++) {
        const stranger = new Browser(app, `10.${hour}.${each}.1`);
        app.pass(1);
        if (!(await stranger.isSent(email))) continue;
        const guess = { email, code: otherCode(mailedSecrets(app).code) };
        for (let guessed = 0; guessed < 2 * MAX_CODE_TRIES; guessed++)
          await expect(stranger.finish(guess)).rejects.toMatchObject(refused);
        tries += app.db.select().from(signInLinks).all().at(-1)?.codeTries ?? 0;
      }
      return tries;
    };
    const tries = { known: 0, unknown: 0 };
    await finish({ token: (await mailed(EMAIL)).token });
    for (let hour = 0; hour < 24; hour++) {
      tries.known += await triesOf(EMAIL, hour);
      tries.unknown += await triesOf("nobody@example.org", hour);
      vi.advanceTimersByTime(60 * 60_000 - 1);
    }
    expect(tries).toEqual({ known: 19 * MAX_CODE_TRIES, unknown: 20 * MAX_CODE_TRIES });
  });

  it("stays valid while the secret is rotated", async () => {
    const [old, fresh] = ["o".repeat(32), "n".repeat(32)];
    use({ SESSION_SECRET: old });
    const { code } = await mailed();
    Object.assign(app, { env: { ...app.env, SESSION_SECRET: [fresh, old] } });
    await finish({ email: EMAIL, code });
  });
});

describe("the code, in the browser that requested it", () => {
  it("is refused in any other browser, without using up a try", async () => {
    use({});
    const { code } = await mailed();
    const others = [new Browser(app), new Browser(app), new Browser(app)];
    await others[1]?.ask("eve@example.org");
    app.pass(1);
    await others[2]?.ask(EMAIL);
    for (const theirs of others)
      for (let each = 0; each < 50; each++)
        await expect(theirs.finish({ email: EMAIL, code })).rejects.toMatchObject(refused);
    const tries = app.db.select().from(signInLinks).all();
    expect(tries.map(({ codeTries }) => codeTries)).toEqual([0, 0, MAX_CODE_TRIES]);
    expect(await finish({ email: EMAIL, code })).toMatchObject({ account: { email: EMAIL } });
  });

  it("is refused with a tampered cookie, or with another service's", async () => {
    const { code } = await mailed();
    const other = new Browser(testApp({ SESSION_SECRET: "x".repeat(32) }));
    await other.ask(EMAIL);
    const tampered = browser.cookie.replace(/.$/, "!");
    for (const cookie of [other.cookie, tampered, "sign-in=", "sign-in=e30="])
      await expect(
        finishMagicLink(app, requestTo(app, "/", { cookie }), "192.0.2.1", { email: EMAIL, code }),
      ).rejects.toMatchObject(refused);
    await finish({ email: EMAIL, code });
  });
});

describe("signing in", () => {
  it("voids everything else mailed to the address, and nothing of other addresses", async () => {
    const [older, theirs] = [await mailed(), await mailed("eve@example.org")];
    app.pass(1);
    const elsewhere = new Browser(app);
    const later = await elsewhere.ask(EMAIL);
    await finish({ token: older.token });
    for (const proof of [{ token: later.token }, { email: EMAIL, code: later.code }])
      await expect(elsewhere.finish(proof)).rejects.toMatchObject(refused);
    expect(readLink(app, later.token)).toBeNull();
    await finish({ token: theirs.token });
  });

  it("is also voided by signing out everywhere", async () => {
    const { account } = await finish({ token: (await mailed()).token });
    const { token, code } = await mailed();
    await endAllSessions(app, personOf(account));
    await refuses({ token }, { email: EMAIL, code });
  });
});
