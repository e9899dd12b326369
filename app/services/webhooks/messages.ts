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
  Watch,
} from "../resources.ts";

const domain = z.strictObject({ domain: Domain });
const claim = z.strictObject({ claim: Claim });
const watch = z.strictObject({ claim: Claim, watch: Watch });
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
  "watch.published": watch,
  "watch.missing": watch,
  "watch.lapsed": watch,
  "watch.moved": watch,
  "watch.gone": watch,
  "webhook.test": z.strictObject({ webhook: z.strictObject({ id: z.string() }) }),
} as const satisfies Record<WebhookEvent | typeof TEST_EVENT, z.ZodObject>;

export const TEST_EVENT = "webhook.test";
export type MessageType = keyof typeof MESSAGE_DATA;
export type MessageData<T extends MessageType> = z.infer<(typeof MESSAGE_DATA)[T]>;

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
