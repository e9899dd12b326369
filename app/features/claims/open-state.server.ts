import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import type { Verification } from "#app/core/resources.ts";
import { iso } from "#app/core/time.ts";
import { prepared } from "#db/queries.ts";
import { attempts } from "#db/schema.ts";
import { isPlainAbsence, type OpenState, openState } from "./open-state.ts";

const absences = prepared((db) =>
  db
    .selectDistinct({ diagnosis: attempts.diagnosis })
    .from(attempts)
    .where(
      and(
        eq(attempts.verificationId, sql.placeholder("verification")),
        eq(attempts.outcome, sql.raw("'absent'")),
        isNull(attempts.sameAs),
      ),
    )
    .prepare(),
);

/** Whether a read of the verification saw more than the absence of its record. */
function wasRecordSeen(ctx: Context, verification: string): boolean {
  return absences(ctx.db)
    .all({ verification })
    .some(({ diagnosis }) => diagnosis === null || !isPlainAbsence(JSON.parse(diagnosis)));
}

/** How an open claim is shown now, by its verification. */
export function openStateOf(
  ctx: Context,
  verification: Pick<Verification, "id" | "status" | "createdAt"> & {
    diagnosis: Pick<Diagnosis, "code" | "observed"> | null;
  },
): OpenState {
  const now = iso(ctx.clock());
  const state = openState({ ...verification, wasSeen: false }, now);
  // Only a state that may change for it is worth the question.
  if (state !== "waiting_for_record" || !wasRecordSeen(ctx, verification.id)) return state;
  return openState({ ...verification, wasSeen: true }, now);
}
