import type { notices } from "#db/schema.ts";
import type { Notice } from "../resources.ts";
import { iso, isoOrNull } from "../time.ts";

export const toNotice = (row: typeof notices.$inferSelect): Notice => ({
  id: row.id,
  kind: row.kind,
  domainId: row.domainId,
  claimId: row.claimId,
  createdAt: iso(row.createdAt),
  readAt: isoOrNull(row.readAt),
});
