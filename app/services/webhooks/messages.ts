/**
 * What webhooks post, as zod schemas: the resource an event is about, as the API showed it when the event was written.
 */
import * as z from "zod";
import type { WebhookEvent } from "../feed/webhook-queue.server.ts";
import {
  Claim,
  Domain,
  Handoff,
  Notice,
  ProofLink,
  pascalCase,
  Verification,
} from "../resources.ts";

const domain = z.strictObject({ domain: Domain });
const claim = z.strictObject({ claim: Claim });
const proofLink = z.strictObject({ proofLink: ProofLink });

/** The `data` of each event. `webhook.test` is sent on request only, and cannot be chosen. */
export const MESSAGE_DATA = {
  "verification.ran": z.strictObject({ verification: Verification }),
  "claim.opened": claim,
  "claim.ended": claim,
  "claim.proved": claim,
  "claim.expired": claim,
  "claim.needs_attention": z.strictObject({ claim: Claim, verification: Verification }),
  "domain.created": domain,
  "domain.archived": domain,
  "domain.unarchived": domain,
  "domain.deleted": z.strictObject({ domain: z.strictObject({ id: z.string() }) }),
  "proof_link.issued": proofLink,
  "proof_link.revoked": proofLink,
  "notice.created": z.strictObject({ notice: Notice }),
  "handoff.opened": z.strictObject({ handoff: Handoff }),
  "webhook.test": z.strictObject({ webhook: z.strictObject({ id: z.string() }) }),
} as const satisfies Record<WebhookEvent | typeof TEST_EVENT, z.ZodObject>;

export const TEST_EVENT = "webhook.test";
export type MessageType = keyof typeof MESSAGE_DATA;
export type MessageData<T extends MessageType> = z.infer<(typeof MESSAGE_DATA)[T]>;

/** What each event says, for people who choose events. */
export const EVENT_MEANINGS: Record<WebhookEvent, string> = {
  "claim.proved": "A domain is proved",
  "claim.expired": "A claim was not proved in seven days",
  "claim.needs_attention": "Something is wrong with the record, and what",
  "claim.opened": "A claim was opened",
  "claim.ended": "A claim ended: proved, expired or canceled",
  "handoff.opened": "A hand-off link was created",
  "proof_link.issued": "A proof link was published",
  "proof_link.revoked": "A proof link was revoked",
  "domain.created": "A domain was added",
  "domain.archived": "A domain was archived",
  "domain.unarchived": "A domain was taken out of the archive",
  "domain.deleted": "A domain was deleted",
  "notice.created": "A notice was created",
  "verification.ran": "A domain was checked, whatever the check found",
};

/** The events in the order in which they are shown: what most people want first. */
export const EVENTS_SHOWN = Object.keys(EVENT_MEANINGS) as WebhookEvent[];
/** What a webhook gets unless it says otherwise: all but every single check. */
export const DEFAULT_EVENTS: WebhookEvent[] = EVENTS_SHOWN.filter(
  (type) => type !== "verification.ran",
);

/** The bodies of all events, by type. */
export const MESSAGES = Object.fromEntries(
  Object.entries(MESSAGE_DATA).map(([type, data]) => [
    type,
    z
      .strictObject({
        type: z.literal(type),
        timestamp: z.iso
          .datetime({ precision: 3 })
          .meta({ description: "When it happened: ISO 8601, UTC, milliseconds" }),
        data,
      })
      .meta({ id: `${pascalCase(type.replace(".", "_"))}Message` }),
  ]),
) as unknown as Record<MessageType, z.ZodObject>;
