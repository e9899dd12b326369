import type { Notice } from "#app/core/resources.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { notices } from "#db/schema.ts";

export const toNotice = (row: typeof notices.$inferSelect): Notice => ({
  id: row.id,
  kind: row.kind,
  domainId: row.domainId,
  claimId: row.claimId,
  createdAt: iso(row.createdAt),
  readAt: isoOrNull(row.readAt),
});
