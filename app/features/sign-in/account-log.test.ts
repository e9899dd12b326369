import { beforeEach, describe, expect, it } from "vitest";
import { accountLog } from "#app/core/accounts/accounts.server.ts";
import { personOf } from "#app/core/testing/accounts.ts";
import {
  endAllSessions,
  endSession,
  endSessionById,
  listSessions,
} from "#app/http/caller/session-end.server.ts";
import { accountEvents } from "#db/schema.ts";
import { MAX_CODE_TRIES } from "./magic-link.server.ts";
import { Browser, mailedSecrets, type TestApp, testApp } from "./testing.ts";

const EMAIL = "ada@example.org";
let app: TestApp;
let browser: Browser;
beforeEach(() => {
  app = testApp();
  browser = new Browser(app);
});

async function signIn(by: "link" | "code", who = browser) {
  const { token, code } = await who.ask(EMAIL);
  return (await who.finish(by === "link" ? { token } : { email: EMAIL, code })).account;
}
const kinds = (accountId: string) => accountLog(app, accountId, 100).events.map(({ kind }) => kind);

describe("the account's log", () => {
  it("records an account's sign-ins and ended sessions with their browsers, and no client's address", async () => {
    await browser.ask("nobody@example.org");
    await browser.finish({ email: "nobody@example.org", code: "000000" }).catch(() => {});
    expect(app.db.select().from(accountEvents).all()).toEqual([]);
    const account = await signIn("link");
    const { id } = account;
    await signIn("code");
    app.pass(1);
    const phone = new Browser(app, "192.0.2.9");
    await signIn("link", phone);
    const [last] = listSessions(app, account.person.id, "");
    await endSessionById(app, personOf(account), last?.id ?? "");
    await endSession(app, browser.request());
    await endSession(app, browser.request());
    await endAllSessions(app, personOf(account));
    const latest = ["signed_out_everywhere", "signed_out", "session_ended", "signed_in_by_link"];
    expect(kinds(id)).toEqual([...latest, "signed_in_by_code", "signed_out", "signed_in_by_link"]);
    const [, ended] = accountLog(app, id, 100).events;
    expect(ended?.userAgent).toBe("Browser of a test");
    expect(JSON.stringify(app.db.select().from(accountEvents).all())).not.toContain("192.0.2");
  });

  it("records wrong codes tried in a browser that requested one", async () => {
    const { id } = await signIn("link");
    const stranger = new Browser(app);
    const guess = async () => {
      const wrong = mailedSecrets(app).code === "000000" ? "000001" : "000000";
      for (const code of ["x", wrong])
        for (let each = 0; each < 2 * MAX_CODE_TRIES; each++)
          await stranger.finish({ email: EMAIL, code }).catch(() => {});
    };
    await guess();
    expect(kinds(id)).toEqual(["signed_in_by_link"]);
    await stranger.ask(EMAIL);
    await guess();
    const wrong = Array.from({ length: MAX_CODE_TRIES }, () => "code_refused");
    expect(kinds(id)).toEqual([...wrong, "signed_in_by_link"]);
  });
});
