import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import { sql } from "drizzle-orm";
import * as z from "zod";
import { object } from "#app/core/resources.ts";
import { isoFields, isoOrNull } from "#app/core/time.ts";
import { WATCH_INTERVALS, WATCH_REGISTRIES, WATCH_STATES, watches } from "#db/schema.ts";

export const holds = z.boolean().meta({
  description:
    "Whether you may rely on the domain: it is not archived, it has a proof, and since its newest proof no watch has become `lapsed`, `moved`, `gone` or `registered_again`",
});

export const WatchInterval = z.enum(WATCH_INTERVALS);

export const ProofWatch = object("ProofWatch", {
  domain: z.string(),
  state: z.enum(WATCH_STATES).meta({
    description:
      "`published`: last seen at `seenAt`; `missing`: two reads at least six hours apart did not find it; `lapsed`: missing for seven days; `moved`: all nameservers of the zone have changed; `gone`: the registry lists none; `registered_again`: the registry says that the domain was registered after the proof, whether the record is there or not",
  }),
  seenAt: timestamp.describe("The last read that found the record; at first, the proof"),
  missingSince: timestamp.nullable().describe("Null while it is `published`"),
  checkedAt: timestamp
    .nullable()
    .describe("The last read with a definite result, outages left out; null before the first"),
  registration: z
    .enum(WATCH_REGISTRIES)
    .nullable()
    .describe("According to the registry, which Deed asks once a week"),
  registeredAt: timestamp.nullable(),
  registryAskedAt: timestamp.nullable(),
  registrationExpiresAt: timestamp.nullable().meta({
    description:
      "According to the registry; many domains renew automatically at that date. Null if the registry does not say",
  }),
  every: WatchInterval.describe("How often the record is read"),
});
export type ProofWatch = z.infer<typeof ProofWatch>;

const { domain: _, ...watchShape } = ProofWatch.shape;
export const Watch = object("Watch", { claimId: z.string(), ...watchShape, startedAt: timestamp });
export type Watch = z.infer<typeof Watch>;

export const WatchProof = z
  .union([z.boolean(), object("WatchInterval", { every: WatchInterval })], "a boolean or { every }")
  .optional()
  .meta({
    description:
      "Whether the record is watched once it is proved, and how often; if left out, this does not change",
  });
export type WatchProof = z.infer<typeof WatchProof>;

export const intervalOf = (watch: WatchProof) =>
  typeof watch === "object" ? watch.every : undefined;
export const watchColumns = (watch: WatchProof) => ({
  watchProof: Boolean(watch),
  watchHourly: intervalOf(watch) === "hour",
});

/** Selects a domain's watch, which is that of its newest watched proof. */
export const isWatchOfDomain = sql`${watches.claimId} = (select c.id from claims c
  join watches w on w.claim_id = c.id and w.purpose = 'watch'
  where c.domain_id = domains.id order by c.created_at desc, c.id desc limit 1)`;

export type WatchRow = typeof watches.$inferSelect;

export const toWatch = (row: WatchRow): Watch => ({
  ...{ claimId: row.claimId, registration: row.registry, every: row.every },
  ...isoFields(row, "seenAt", "checkedAt", "registeredAt", "startedAt"),
  state: row.registry === "registered_again" ? row.registry : row.state,
  missingSince: row.state === "published" ? null : isoOrNull(row.missingSince),
  registryAskedAt: isoOrNull(row.registryAt),
  registrationExpiresAt: isoOrNull(row.expiresAt),
});

/** Returns the part of a watch that anyone with the proof's link may see. */
export const toProofWatch = (domain: string, row: WatchRow): ProofWatch => {
  const { claimId: _, startedAt: __, ...watch } = toWatch(row);
  return { domain, ...watch };
};
