import { randomBytes } from "node:crypto";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import { canonicalJson, STATEMENT_TYPE, type Statement } from "@deed/receipt/statement.ts";
import { eq } from "drizzle-orm";
import { maskEmail } from "#app/core/accounts/accounts.server.ts";
import type { TxContext } from "#app/core/context.server.ts";
import { iso, notBefore, SECOND } from "#app/core/time.ts";
import { preparedInsert, type Tx } from "#db/client.ts";
import { accounts, type claims, receipts } from "#db/schema.ts";
import { makeKeyCurrent } from "./keys.server.ts";
import { sha256, signJws } from "./signer.server.ts";
import { shownBy } from "./statement.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    untestedReceipts: Set<string>;
  }
}

type ProvingRead = {
  claim: Pick<typeof claims.$inferSelect, "id" | "accountId" | "name" | "challengeLabel" | "token">;
  evidence: Evidence;
  /** The DNSSEC chain of a secure verdict. */
  chain: Uint8Array | null;
  /** Epoch milliseconds. */
  provedAt: number;
};

const insertReceipt = preparedInsert(receipts, "claimId", "statement", "chain", "evidence", "salt");

export function issueReceipt(tx: Tx, ctx: TxContext, read: ProvingRead, now: number): void {
  const { claim, chain, provedAt } = read;
  makeKeyCurrent(tx, ctx, now);
  const isHolder = eq(accounts.id, claim.accountId);
  const { email = "" } = tx.select().from(accounts).where(isHolder).get() ?? {};
  const evidence = canonicalJson(read.evidence);
  const salt = randomBytes(16);
  const statement: Statement = {
    iss: ctx.settings.baseUrl,
    sub: claim.name,
    // The clock may have gone back since.
    iat: Math.floor(notBefore(provedAt, now) / SECOND),
    challengeName: `${claim.challengeLabel}.${claim.name}`,
    token: claim.token,
    provedAt: iso(provedAt),
    ...shownBy(read.evidence, chain !== null),
    evidenceSha256: sha256(evidence).toString("base64url"),
    heldBy: maskEmail(email),
    holderCommitment: sha256(salt, email).toString("base64url"),
  };
  insertReceipt(tx)({
    claimId: claim.id,
    statement: signJws(ctx.signer, STATEMENT_TYPE, statement),
    chain: statement.dnssec === "secure" && chain ? Buffer.from(chain) : null,
    evidence,
    salt,
  });
  ctx.untestedReceipts.add(claim.id);
}
