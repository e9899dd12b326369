import type { WEBHOOK_ENDS } from "#db/schema.ts";
import type { WebhookKind } from "./kinds.ts";

export type WebhookEnd = (typeof WEBHOOK_ENDS)[number];

/** Why a webhook is disabled, as the end of a sentence about it. */
export const END_REASON_TEXTS: Record<WebhookEnd, string> = {
  holder: "gets no events until somebody enables it",
  gone: "answered 410, which means that it wants no more events",
  failing: "did not accept an event for three days",
  person_left: "was set up by a person who left the account and may know its secret",
  key_revoked: "was set up with an API key that was revoked and may have leaked its secret",
};

/** The most events that are kept for a webhook while it is disabled. */
export const MAX_KEPT_EVENTS = 10_000;

export function keptEventsText(because: WebhookEnd, kind: WebhookKind): string {
  const enable = `If the address is yours, ${kind === "deed" ? "rotate the secret and " : ""}enable the webhook`;
  return because === "key_revoked"
    ? `${enable}. If you do so within a day, Deed sends what it missed. Within a week, you can send it yourself.`
    : `Its events are kept for a week, 10,000 at most. ${because === "person_left" ? enable : "Enable it"}, then send them again.`;
}
