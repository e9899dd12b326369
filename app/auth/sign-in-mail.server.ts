import { setTimeout as pause } from "node:timers/promises";
import type { App } from "#app/http/app.server.ts";
import type { Mail } from "#app/services/context.server.ts";
import { MailError } from "./mail.server.ts";

/** How long after each failed try the next one comes: the asker is waiting for the mail. */
export const RETRY_AFTER_MS = [2_000, 15_000, 60_000] as const;

/**
 * Sends a sign-in mail, and again where the mail server could not be reached or said "later". Never
 * rejects. Resolves once the mail has left or is given up, which nobody waits for: how long a mail takes,
 * or that it failed, tells the asker nothing.
 */
export async function sendSignInMail(app: App, mail: Mail): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await app.mailer.send(mail);
    } catch (error) {
      const wait = RETRY_AFTER_MS[tries - 1];
      if (wait === undefined || (error instanceof MailError && error.isFinal)) {
        app.log.error({ err: error, tries }, "a sign-in mail could not be sent");
        return;
      }
      app.log.warn({ err: error, tries }, "a sign-in mail was not taken; it is sent again");
      const stopped = await pause(wait, false, { signal: app.closing, ref: false }).catch(
        () => true,
      );
      if (stopped) return;
    }
  }
}
