import { accountEndpoints } from "./account.server.ts";
import { authEndpoints } from "./auth.server.ts";
import { claimEndpoints } from "./claims.server.ts";
import { domainEndpoints } from "./domains.server.ts";
import type { Endpoint } from "./endpoint.server.ts";
import { eventEndpoints } from "./events.server.ts";
import { handoffEndpoints } from "./handoffs.server.ts";
import { keyEndpoints } from "./keys.server.ts";
import { noticeEndpoints } from "./notices.server.ts";
import { peopleEndpoints } from "./people.server.ts";
import { proofEndpoints } from "./proofs.server.ts";
import { receiptEndpoints } from "./receipts.server.ts";
import { openApiEndpoint, systemEndpoints } from "./system.server.ts";
import { verificationEndpoints } from "./verifications.server.ts";
import { watchEndpoints } from "./watches.server.ts";
import { webhookEndpoints } from "./webhooks.server.ts";
import { zoneEndpoints } from "./zones.server.ts";

/** Every endpoint of the service. Used by dispatch, the OpenAPI document, the reference and the tests. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...zoneEndpoints,
  ...domainEndpoints,
  ...claimEndpoints,
  ...verificationEndpoints,
  ...handoffEndpoints,
  ...proofEndpoints,
  ...receiptEndpoints,
  ...watchEndpoints,
  ...noticeEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...authEndpoints,
  ...accountEndpoints,
  ...peopleEndpoints,
  ...keyEndpoints,
  ...systemEndpoints,
  openApiEndpoint(() => ENDPOINTS),
];
