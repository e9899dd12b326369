import { setTimeout as pause } from "node:timers/promises";
import type { App } from "#app/http/app.server.ts";
import type { Mail } from "#app/services/context.server.ts";
import { recordMailFailure } from "#app/services/mail-failures.server.ts";
import { MailError } from "./mail.server.ts";

/** Delays between tries. Short, because the user is waiting for the mail. */
export const RETRY_DELAYS_MS = [2_000, 15_000, 60_000] as const;

/**
 * Sends a sign-in mail, retrying if the mail server could not be reached or reported a temporary failure. Never
 * rejects. Resolves once the mail is sent or given up. Do not await it in a request: the time a mail takes, or its
 * failure, would reveal something to the requester.
 */
export async function sendSignInMail(app: App, mail: Mail, wait = pause): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await app.mailer.send(mail);
    } catch (error) {
      await recordMailFailure(app, mail.to, error);
      const delayMs = RETRY_DELAYS_MS[tries - 1];
      if (delayMs === undefined || (error instanceof MailError && error.isFinal)) {
        app.log.error({ err: error, tries }, "a sign-in mail could not be sent");
        return;
      }
      app.log.warn({ err: error, tries }, "a sign-in mail was not accepted; retrying");
      const isStopping = await wait(delayMs, false, { signal: app.closing, ref: false }).catch(
        () => true,
      );
      if (isStopping) return;
    }
  }
}
