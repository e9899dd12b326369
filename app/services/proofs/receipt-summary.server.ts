import { eq, sql } from "drizzle-orm";
import type { Statement } from "#app/receipt/statement.ts";
import { prepared } from "#db/queries.ts";
import { proofLinks, receipts } from "#db/schema.ts";
import type { Context } from "../context.server.ts";

/** What pages say of a receipt: parts of its statement, and the RFC 7638 thumbprint of the key that signed. */
export type ReceiptSummary = Pick<
  Statement,
  "assurance" | "dnssec" | "nameservers" | "witnesses"
> & { thumbprint: string };

/** `opening`: what opens the commitment to the holder's address, base64url. */
export type OwnReceiptSummary = ReceiptSummary & { opening: string };

const ofSlug = prepared((db) =>
  db
    .select({ statement: receipts.statement })
    .from(proofLinks)
    .innerJoin(receipts, eq(receipts.claimId, proofLinks.claimId))
    .where(eq(proofLinks.slug, sql.placeholder("slug")))
    .prepare(),
);

const ofClaim = prepared((db) =>
  db
    .select({ statement: receipts.statement, salt: receipts.salt })
    .from(receipts)
    .where(eq(receipts.claimId, sql.placeholder("claimId")))
    .prepare(),
);

/** A statement that this installation signed itself. */
function summaryOf(jws: string): ReceiptSummary {
  const [header, payload] = jws
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  const { assurance, dnssec, nameservers, witnesses } = payload as Statement;
  return { assurance, dnssec, nameservers, witnesses, thumbprint: header.kid };
}

/** Of the proof behind a link; null if the proof is older than receipts. */
export function receiptOfLink(ctx: Context, slug: string): ReceiptSummary | null {
  const row = ofSlug(ctx.db).get({ slug });
  return row ? summaryOf(row.statement) : null;
}

/** Of a claim, for its holder alone; null without a proof, or if it is older than receipts. */
export function receiptOfOwnClaim(ctx: Context, claimId: string): OwnReceiptSummary | null {
  const row = ofClaim(ctx.db).get({ claimId });
  return row ? { ...summaryOf(row.statement), opening: row.salt.toString("base64url") } : null;
}
