import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { claims } from "./claims.ts";
import { bothOrNeither, enums, instant, ownerId } from "./columns.ts";

export const RECORD_STATES = ["published", "missing", "lapsed", "moved", "gone"] as const;
/** The states of a watched record. One from the registry takes precedence: registered again after the proof. */
export const WATCH_STATES = [...RECORD_STATES, "registered_again"] as const;
export type WatchTrouble = Exclude<(typeof WATCH_STATES)[number], "published">;

/** What the registry says about the date of registration; "not_said": no date. */
export const WATCH_REGISTRIES = ["registered", "registered_again", "not_said", "no_rdap"] as const;

/** What the last read found in place of the record. */
export const WATCH_FINDINGS = ["absent", "moved", "gone"] as const;

/** Why the record is read: for the holder, or only until a read shows that it was deleted. */
export const WATCH_PURPOSES = ["watch", "removal"] as const;

export const WATCH_INTERVALS = ["day", "hour"] as const;
export type WatchInterval = (typeof WATCH_INTERVALS)[number];

/** Proofs whose record is read daily or hourly (app/features/watching). The time of a read is when it began. */
export const watches = sqliteTable(
  "watches",
  {
    claimId: ownerId("claim_id", () => claims.id).primaryKey(),
    purpose: text("purpose", { enum: WATCH_PURPOSES }).notNull(),
    every: text("every", { enum: WATCH_INTERVALS }).notNull().default("day"),
    state: text("state", { enum: RECORD_STATES }).notNull().default("published"),
    startedAt: instant("started_at").notNull(),
    seenAt: instant("seen_at").notNull(),
    /** The last read that showed where the record is, or that it is missing; null before the first. */
    checkedAt: instant("checked_at"),
    /** The first read without the record since it was last seen; null if all found it. */
    missingSince: instant("missing_since"),
    /** The latest finding in place of the record, and since when all reads agree on it. */
    finding: text("finding", { enum: WATCH_FINDINGS }),
    findingSince: instant("finding_since"),
    /** JSON array of the states that the holder was told about since the record was last seen. */
    told: text("told", { mode: "json" }).$type<(typeof RECORD_STATES)[number][]>().notNull(),
    /** The zone and its nameservers when the record was last seen; `nameservers`: JSON array in lower case. */
    zone: text("zone"),
    nameservers: text("nameservers", { mode: "json" }).$type<string[]>().notNull(),
    /** The domain's nameservers in the last read that found it moved; null if none has since the record was seen. */
    movedTo: text("moved_to", { mode: "json" }).$type<string[]>(),
    /** Null once a read shows that the record was deleted, or once a month has passed without that. */
    nextReadAt: instant("next_read_at"),
    runId: text("run_id"),
    runUntil: instant("run_until"),
    /** Slug of the page, linked in mails, that stops the watch. */
    slug: text("slug").notNull().unique(),
    /** Null before the first answer; so are the two dates below. The registry is asked while the record is watched. */
    registry: text("registry", { enum: WATCH_REGISTRIES }),
    registryAt: instant("registry_at"),
    registeredAt: instant("registered_at"),
    expiresAt: instant("expires_at"),
    /** The last warning to the holder, in days before the end; null for none. */
    expiryTold: integer("expiry_told"),
    nextAskAt: instant("next_ask_at"),
  },
  (t) => [
    index("watches_due").on(t.nextReadAt, t.runUntil).where(sql`${t.nextReadAt} is not null`),
    index("watches_watched").on(t.claimId).where(sql`${t.purpose} = 'watch'`),
    index("watches_missing")
      .on(t.claimId)
      .where(sql`${t.purpose} = 'watch' and ${t.state} = 'missing'`),
    index("watches_hourly").on(t.claimId).where(sql`${t.every} = 'hour'`),
    index("watches_to_ask").on(t.nextAskAt).where(sql`${t.purpose} = 'watch'`),
    ...enums("watches", { registry: t.registry, every: t.every, purpose: t.purpose }),
    ...enums("watches", { state: t.state, finding: t.finding }),
    check(
      "watches_finding_whole",
      sql`(${t.finding} is null) = (${t.findingSince} is null) and (${t.finding} is null) = (${t.missingSince} is null)`,
    ),
    check("watches_published", sql`${t.state} = 'published' or ${t.missingSince} is not null`),
    bothOrNeither("watches_run_whole", t.runId, t.runUntil),
    check(
      "watches_read_while_watched",
      sql`${t.purpose} <> 'watch' or ${t.nextReadAt} is not null`,
    ),
    check("watches_lists", sql`json_valid(${t.told}) and json_valid(${t.nameservers})`),
  ],
);
