import type { WEBHOOK_ENDS } from "#db/schema.ts";

export type WebhookEnd = (typeof WEBHOOK_ENDS)[number];

/** Why a webhook is disabled, as the end of a sentence about it. */
export const ENDS: Record<WebhookEnd, string> = {
  holder: "disabled by hand",
  gone: "answered 410, which says that it wants no more events",
  failing: "did not accept an event for three days",
  person_left: "was set up by a person who left the account and may know its secret",
  key_revoked: "was set up with an API key that was revoked and may have leaked its secret",
};

/** What becomes of its events. */
export const keptText = (because: WebhookEnd): string =>
  because === "key_revoked"
    ? "Its events are kept for a day. If its address is yours, rotate its secret, then enable it."
    : "Events are not kept for it until you enable it. For a week you can send again what it missed before.";
