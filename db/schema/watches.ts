import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { claims } from "./claims.ts";
import { instant, oneOf, oneOfOrNull, together, within } from "./columns.ts";

export const RECORD_STATES = ["published", "missing", "lapsed", "moved", "gone"] as const;
/** Those of its record, and the registry's word that the domain was registered after its proof, which outweighs them. */
export const WATCH_STATES = [...RECORD_STATES, "registered_again"] as const;
export type WatchTrouble = Exclude<(typeof WATCH_STATES)[number], "published">;

/** What the registry said of when the domain was registered: that, or that it has no RDAP or no date. */
export const WATCH_REGISTRIES = ["registered", "registered_again", "not_said", "no_rdap"] as const;

/** What a read saw in place of the record. */
export const WATCH_FINDINGS = ["absent", "moved", "gone"] as const;

/** Read for its holder, or only until it is seen that the record was deleted. */
export const WATCH_PURPOSES = ["watch", "removal"] as const;

export const WATCH_INTERVALS = ["day", "hour"] as const;
export type WatchInterval = (typeof WATCH_INTERVALS)[number];

/** Proofs whose record is read once a day or an hour (app/features/watching). Instants of reads are when they began. */
export const watches = sqliteTable(
  "watches",
  {
    claimId: within("claim_id", () => claims.id).primaryKey(),
    purpose: text("purpose", { enum: WATCH_PURPOSES }).notNull(),
    every: text("every", { enum: WATCH_INTERVALS }).notNull().default("day"),
    state: text("state", { enum: RECORD_STATES }).notNull().default("published"),
    startedAt: instant("started_at").notNull(),
    seenAt: instant("seen_at").notNull(),
    /** The last read that showed where the record is or is not; null before the first. */
    checkedAt: instant("checked_at"),
    /** The first read after that which did not find it; null if none did not. */
    missingSince: instant("missing_since"),
    /** What reads have seen in its place, without another finding in between, and since when. */
    finding: text("finding", { enum: WATCH_FINDINGS }),
    findingSince: instant("finding_since"),
    /** JSON array of the states that its holder was told of since it was last seen. */
    told: text("told", { mode: "json" }).$type<(typeof RECORD_STATES)[number][]>().notNull(),
    /** The zone and its nameservers when the record was last seen: JSON array of lower-case names. */
    zone: text("zone"),
    nameservers: text("nameservers", { mode: "json" }).$type<string[]>().notNull(),
    /** Null once a deleted record was seen to be gone, or was not within a month. */
    nextReadAt: instant("next_read_at"),
    runId: text("run_id"),
    runUntil: instant("run_until"),
    /** The page that stops it, whose address mails have. */
    slug: text("slug").notNull().unique(),
    /** Null before the first answer; as are its date and the one it gives. It is asked while the record is watched. */
    registry: text("registry", { enum: WATCH_REGISTRIES }),
    registryAt: instant("registry_at"),
    registeredAt: instant("registered_at"),
    expiresAt: instant("expires_at"),
    /** Of how many days before that its holder was told last; null for none. */
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
    check("watches_registry", oneOfOrNull(t.registry, WATCH_REGISTRIES)),
    check("watches_every", oneOf(t.every, WATCH_INTERVALS)),
    check("watches_purpose", oneOf(t.purpose, WATCH_PURPOSES)),
    check("watches_state", oneOf(t.state, RECORD_STATES)),
    check("watches_finding", oneOfOrNull(t.finding, WATCH_FINDINGS)),
    check(
      "watches_finding_whole",
      sql`(${t.finding} is null) = (${t.findingSince} is null) and (${t.finding} is null) = (${t.missingSince} is null)`,
    ),
    check("watches_published", sql`${t.state} = 'published' or ${t.missingSince} is not null`),
    together("watches_run_whole", t.runId, t.runUntil),
    check(
      "watches_read_while_watched",
      sql`${t.purpose} <> 'watch' or ${t.nextReadAt} is not null`,
    ),
    check("watches_lists", sql`json_valid(${t.told}) and json_valid(${t.nameservers})`),
  ],
);
