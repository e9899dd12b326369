import { randomBytes } from "node:crypto";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import { canonicalJson, STATEMENT_TYPE } from "@deed/receipt/statement.ts";
import { eq } from "drizzle-orm";
import type { TxContext } from "#app/core/context.server.ts";
import { notBefore } from "#app/core/time.ts";
import { preparedInsert, type Tx } from "#db/client.ts";
import { accounts, receipts } from "#db/schema.ts";
import { makeKeyCurrent } from "./keys.server.ts";
import { sha256, signJws } from "./signer.server.ts";
import { statementOf } from "./statement.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    untestedReceipts: Set<string>;
  }
}

/** The read that proved a claim, and what it proved. Instants are epoch milliseconds. */
export type ProvingRead = {
  claim: { id: string; accountId: string; name: string; challengeLabel: string; token: string };
  evidence: Evidence;
  /** The DNSSEC chain of a secure verdict. */
  chain: Uint8Array | null;
  provedAt: number;
};

const SALT_OCTETS = 16;

const insertReceipt = preparedInsert(receipts, "claimId", "statement", "chain", "evidence", "salt");

export function issueReceipt(tx: Tx, ctx: TxContext, read: ProvingRead, now: number): void {
  const { claim, chain, provedAt } = read;
  makeKeyCurrent(tx, ctx, now);
  const isHolder = eq(accounts.id, claim.accountId);
  const { email = "" } = tx.select().from(accounts).where(isHolder).get() ?? {};
  const evidence = canonicalJson(read.evidence);
  const salt = randomBytes(SALT_OCTETS);
  const statement = statementOf(read.evidence, {
    issuer: ctx.settings.baseUrl,
    name: claim.name,
    challengeName: `${claim.challengeLabel}.${claim.name}`,
    token: claim.token,
    provedAt,
    // The clock may have gone back since.
    signedAt: notBefore(provedAt, now),
    hasChain: chain !== null,
    email,
    holderCommitment: sha256(salt, email).toString("base64url"),
    evidenceSha256: sha256(evidence).toString("base64url"),
  });
  const jws = signJws(ctx.signer, STATEMENT_TYPE, statement);
  insertReceipt(tx)({
    claimId: claim.id,
    statement: jws,
    chain: statement.dnssec === "secure" && chain ? Buffer.from(chain) : null,
    evidence,
    salt,
  });
  ctx.untestedReceipts.add(claim.id);
}
