import type { WEBHOOK_EVENTS } from "#db/schema.ts";

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const EVENT_MEANINGS: Record<WebhookEvent, string> = {
  "claim.proved": "A domain is proved",
  "claim.expired": "A claim was not proved in seven days",
  "claim.needs_attention": "Deed found what is wrong with the record",
  "claim.opened": "A claim was opened",
  "claim.ended": "A claim ended: proved, expired or canceled",
  "handoff.opened": "A hand-off link was created",
  "proof_link.issued": "A proof link was published",
  "proof_link.revoked": "A proof link was revoked",
  "domain.created": "A domain was added",
  "domain.archived": "A domain was archived",
  "domain.unarchived": "A domain was taken out of the archive",
  "domain.deleted": "A domain was deleted",
  "domain.holds": "A domain counts as proved from now on",
  "domain.no_longer_holds": "A domain no longer counts as proved",
  "notice.created": "A notice was created",
  "watch.missing": "A watched record is missing",
  "watch.lapsed": "A watched record has been missing for seven days",
  "watch.moved": "A domain with a watched record moved to other nameservers",
  "watch.gone": "A domain with a watched record has no nameservers",
  "watch.registered_again": "A watched domain was registered after its proof",
  "watch.published": "A watched record is back",
  "domain.expiring": "A watched domain’s registration ends in 30, 7 or 1 days",
  "domain.renewed": "A watched domain’s registration no longer ends soon",
  "verification.ran": "A domain was checked, whatever the check found",
};

/** The events, in an order in which most people want the first ones. */
export const EVENTS_SHOWN = Object.keys(EVENT_MEANINGS) as WebhookEvent[];
export const EVENT_GROUPS = Object.entries({
  ...{ Claim: /^(claim|verification)/, Watch: /^watch/ },
  ...{ Domain: /^(domain|notice)/, Link: /^(proof_link|handoff)/ },
}).map(([title, names]) => ({ title, events: EVENTS_SHOWN.filter((type) => names.test(type)) }));
export const DEFAULT_EVENTS: WebhookEvent[] = EVENTS_SHOWN.filter(
  (type) => type !== "verification.ran",
);
