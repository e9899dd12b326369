import type { WEBHOOK_ENDS } from "#db/schema.ts";

export type WebhookEnd = (typeof WEBHOOK_ENDS)[number];

/** Why a webhook is disabled, as the end of a sentence about it. */
export const ENDS: Record<WebhookEnd, string> = {
  holder: "disabled by hand",
  gone: "answered 410, which means that it wants no more events",
  failing: "did not accept an event for three days",
  person_left: "was set up by a person who left the account and may know its secret",
  key_revoked: "was set up with an API key that was revoked and may have leaked its secret",
};

/** Events kept for a webhook while it is disabled. */
export const MOST_KEPT = 10_000;

/** Whether its events are kept. */
export const keptEventsText = (because: WebhookEnd): string =>
  because === "key_revoked"
    ? "If the address is yours, rotate the secret, then enable the webhook. Within a day, its events are then sent automatically; within a week, you can send them again."
    : "Its events are kept for a week, 10,000 at most. Enable it, then send them again.";

/** Shown where a webhook is made. */
export const RETRIES_TEXT =
  "A delivery that fails is tried nine more times, over 75 hours: after 5 seconds, 5 and 30 minutes, then 2, 5, 10, 14, 20 and 24 hours. If all fail, or your service answers 410, the webhook is disabled and you get an email.";
