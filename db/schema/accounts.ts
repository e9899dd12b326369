import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { bothOrNeither, flag, instant, ownerId } from "./columns.ts";

/** The limits that an operator gives one account, in place of the settings; budgets are `count/seconds`, joined by commas. */
export type AccountLimits = Partial<
  Record<"openClaims" | "domains", number> & Record<"runs" | "additions" | "requests", string>
>;

export const accounts = sqliteTable(
  "accounts",
  {
    id: text("id").primaryKey(),
    /** The first address, in lower case, never changed: proofs name it. A trigger adds it to `people`. */
    email: text("email").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    disabledAt: instant("disabled_at"),
    limits: text("limits", { mode: "json" }).$type<AccountLimits>().notNull().default({}),
  },
  (t) => [index("accounts_listing").on(t.createdAt, t.id)],
);

/** The people who sign in to an account, each by one address. */
export const people = sqliteTable(
  "people",
  {
    id: text("id").primaryKey(),
    accountId: ownerId("account_id", () => accounts.id),
    /** The person's address, in lower case, and the only one for their mail. */
    email: text("email").notNull().unique(),
    oidcIssuer: text("oidc_issuer"),
    oidcSubject: text("oidc_subject"),
    /** When a mailed link or code first confirmed the address; null if none has, as with an identity provider. */
    mailProvedAt: instant("mail_proved_at"),
    mailEnabled: flag("mail_enabled").notNull().default(true),
    createdAt: instant("created_at").notNull(),
    /** The last use of any session, to the hour; null before the first. */
    lastSeenAt: instant("last_seen_at"),
  },
  (t) => [
    index("people_account").on(t.accountId, t.createdAt, t.id),
    uniqueIndex("people_oidc").on(t.oidcIssuer, t.oidcSubject),
    bothOrNeither("people_oidc_whole", t.oidcIssuer, t.oidcSubject),
  ],
);

export const invitations = sqliteTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    accountId: ownerId("account_id", () => accounts.id),
    /** If a person is removed, so are the invitations they sent. */
    invitedBy: ownerId("invited_by", () => people.id),
    email: text("email").notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    unique("invitations_account_email").on(t.accountId, t.email),
    index("invitations_inviter").on(t.invitedBy),
    index("invitations_expiry").on(t.expiresAt),
    check("invitations_order", sql`${t.expiresAt} > ${t.createdAt}`),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    personId: ownerId("person_id", () => people.id),
    tokenHash: text("token_hash").notNull().unique(),
    userAgent: text("user_agent").notNull().default(""),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    index("sessions_person").on(t.personId),
    index("sessions_expiry").on(t.expiresAt),
    check("sessions_order", sql`${t.expiresAt} > ${t.createdAt}`),
  ],
);

export const signInLinks = sqliteTable(
  "sign_in_links",
  {
    id: text("id").primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    codeHash: text("code_hash").notNull(),
    codeTries: integer("code_tries").notNull().default(0),
    /** Hash of the secret of the browser that asked: only it may use the code. Null if the operator printed the link. */
    browserHash: text("browser_hash"),
    email: text("email").notNull(),
    callbackPath: text("callback_path").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    consumedAt: instant("consumed_at"),
  },
  (t) => [
    index("sign_in_links_email").on(t.email, t.createdAt),
    index("sign_in_links_expiry").on(t.expiresAt),
    check("sign_in_links_code_tries", sql`${t.codeTries} between 0 and 5`),
    check("sign_in_links_path", sql`${t.callbackPath} like '/%'`),
  ],
);
