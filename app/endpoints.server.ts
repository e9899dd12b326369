import type { NamedEndpoint } from "#app/api/endpoint.server.ts";
import { eventEndpoints } from "#app/api/events.server.ts";
import { descriptionEndpoints, systemEndpoints } from "#app/features/admin/system.server.ts";
import { findDomain, proveDomain } from "#app/features/by-name/api.server.ts";
import { checkRecord } from "#app/features/checks/api.server.ts";
import { claimEndpoints } from "#app/features/claims/api.server.ts";
import { verificationEndpoints } from "#app/features/claims/verifications.server.ts";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { askGate } from "#app/features/gate/api.server.ts";
import { handoffEndpoints } from "#app/features/handoffs/api.server.ts";
import { keyEndpoints } from "#app/features/keys/api.server.ts";
import { limitEndpoints } from "#app/features/limits/limits.server.ts";
import { noticeEndpoints } from "#app/features/notices/api.server.ts";
import { accountEndpoints } from "#app/features/people/account-api.server.ts";
import { peopleEndpoints } from "#app/features/people/api.server.ts";
import {
  getProofWatch,
  proofEndpoints,
  receiptEndpoints,
} from "#app/features/proofs/api.server.ts";
import { authEndpoints } from "#app/features/sign-in/api.server.ts";
import { moveTestClock, resetTest } from "#app/features/test-mode/api.server.ts";
import { watchEndpoints } from "#app/features/watching/api.server.ts";
import { webhookEndpoints } from "#app/features/webhooks/api.server.ts";
import { deliveryEndpoints } from "#app/features/webhooks/deliveries.server.ts";
import { streamZone } from "#app/features/zones/zones.server.ts";

/** The endpoints by operationId, which is the call's name in generated clients: changing one breaks them. */
const ENDPOINTS_BY_NAME = {
  streamZone,
  proveDomain,
  findDomain,
  askGate,
  ...domainEndpoints,
  ...claimEndpoints,
  ...verificationEndpoints,
  ...handoffEndpoints,
  ...proofEndpoints,
  ...receiptEndpoints,
  ...watchEndpoints,
  getProofWatch,
  ...noticeEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...authEndpoints,
  ...accountEndpoints,
  ...peopleEndpoints,
  ...keyEndpoints,
  ...limitEndpoints,
  moveTestClock,
  resetTest,
  ...systemEndpoints,
  checkRecord,
  ...descriptionEndpoints,
};

export const ENDPOINTS: readonly NamedEndpoint[] = Object.entries(ENDPOINTS_BY_NAME).map(
  ([name, endpoint]) => ({ ...endpoint, operationId: name.replace(/^browse/, "list") }),
);
