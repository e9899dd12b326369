import { sql } from "drizzle-orm";
import { blob, check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { claims } from "./claims.ts";
import { instant, ownerId } from "./columns.ts";

export const proofLinks = sqliteTable(
  "proof_links",
  {
    slug: text("slug").primaryKey(),
    claimId: ownerId("claim_id", () => claims.id),
    issuedAt: instant("issued_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    uniqueIndex("proof_links_one_live").on(t.claimId).where(sql`${t.revokedAt} is null`),
    index("proof_links_claim").on(t.claimId, t.issuedAt),
    check("proof_links_order", sql`${t.revokedAt} is null or ${t.revokedAt} >= ${t.issuedAt}`),
  ],
);

/** The receipt of a proof, written with it; proofs from before receipts have none. */
export const receipts = sqliteTable(
  "receipts",
  {
    claimId: ownerId("claim_id", () => claims.id).primaryKey(),
    /** Compact JWS over a Statement (packages/receipt/statement.ts). */
    statement: text("statement").notNull(),
    /** Octets of the DNSSEC chain; null if the statement says "indeterminate". */
    chain: blob("chain", { mode: "buffer" }),
    /** Canonical JSON of the Evidence (packages/dns/verdict/observation.ts) of the read that proved the claim. */
    evidence: text("evidence").notNull(),
    /** Octets of an RFC 3161 token over the statement. */
    stamp: blob("stamp", { mode: "buffer" }),
    /** When to ask the stamper; null once the stamp came, or if none is wanted. */
    stampDueAt: instant("stamp_due_at"),
  },
  (t) => [
    index("receipts_stamp_due").on(t.stampDueAt).where(sql`${t.stampDueAt} is not null`),
    check("receipts_evidence_json", sql`json_valid(${t.evidence})`),
  ],
);

/** The keys that have signed receipts. The key without an end signs now. */
export const signingKeys = sqliteTable(
  "signing_keys",
  {
    /** RFC 7638 thumbprint. */
    kid: text("kid").primaryKey(),
    /** The public key (RFC 8037), base64url. */
    x: text("x").notNull(),
    notBefore: instant("not_before").notNull(),
    notAfter: instant("not_after"),
    /** Since when somebody else may know its private half. */
    compromisedSince: instant("compromised_since"),
    /** JWS by this key for the next one; null if this key was lost or belongs to another node. */
    succession: text("succession"),
  },
  (t) => [
    uniqueIndex("signing_keys_one_current").on(sql`(1)`).where(sql`${t.notAfter} is null`),
    check("signing_keys_order", sql`${t.notAfter} is null or ${t.notAfter} >= ${t.notBefore}`),
  ],
);
