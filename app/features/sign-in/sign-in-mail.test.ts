import type { TimerOptions } from "node:timers";
import { beforeEach, expect, it, vi } from "vitest";
import { MailError, RETRY_DELAYS_MS, sendRequestedMail } from "#app/core/mail/mail.server.ts";
import { type TestApp, testApp } from "./testing.ts";

const MAIL = { to: "ada@example.org", subject: "Sign in", text: "", html: "" };
const away = () => new MailError("ECONNREFUSED CONN", false, false);

async function noWait<T>(ms?: number, value?: T, options?: TimerOptions): Promise<T> {
  waits.push(ms ?? 0);
  options?.signal?.throwIfAborted();
  return value as T;
}

let app: TestApp;
let waits: number[];
beforeEach(() => {
  app = testApp();
  waits = [];
});

/** A mail server that fails `times` times with `error` before it accepts the mail, and a count of the attempts. */
function failing(times: number, error: () => Error) {
  const send = vi.fn(async () => {
    if (send.mock.calls.length <= times) throw error();
  });
  app.mailer.send = send;
  return send;
}

it("is sent again once the server is back", async () => {
  const send = failing(2, away);
  await sendRequestedMail(app, MAIL, noWait);
  expect(send).toHaveBeenCalledTimes(3);
  expect(waits).toEqual(RETRY_DELAYS_MS.slice(0, 2));
  expect(app.logged.join()).not.toContain("could not be sent");
});

it("is given up after the last try, which is logged", async () => {
  const send = failing(9, away);
  await sendRequestedMail(app, MAIL, noWait);
  expect(send).toHaveBeenCalledTimes(1 + RETRY_DELAYS_MS.length);
  expect(app.logged.at(-1)).toContain("could not be sent");
});

it("is not retried after a permanent rejection, nor once the service stops", async () => {
  const refused = failing(9, () => new MailError("EENVELOPE RCPT TO 550", true, true));
  await sendRequestedMail(app, MAIL, noWait);
  expect(refused).toHaveBeenCalledTimes(1);
  const send = failing(9, away);
  await sendRequestedMail({ ...app, closing: AbortSignal.abort() }, MAIL, noWait);
  expect(send).toHaveBeenCalledTimes(1);
});
