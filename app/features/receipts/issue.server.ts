import { randomBytes } from "node:crypto";
import type { Evidence, Exchange, ServerReading } from "@deed/dns/verdict/observation.ts";
import { hasToken } from "@deed/dns/verdict/publication-status.ts";
import {
  assuranceOf,
  canonicalJson,
  DNSSEC_RULE,
  PROOF_RULE,
  STATEMENT_TYPE,
  type Statement,
} from "@deed/receipt/statement.ts";
import { eq } from "drizzle-orm";
import { maskEmail } from "#app/core/accounts/accounts.server.ts";
import type { TxContext } from "#app/core/context.server.ts";
import { iso, notBefore, SECOND } from "#app/core/time.ts";
import { preparedInsert, type Tx } from "#db/client.ts";
import { accounts, type claims, receipts } from "#db/schema.ts";
import { makeKeyCurrent } from "./keys.server.ts";
import { sha256, signJws } from "./signer.server.ts";

/** Results that end before anything is sent. */
const UNASKED = ["no_address", "blocked_address", "is_alias", "ipv6_only"];

/** Of the newest of these exchanges. Where none is recorded, the transport that anybody on the path can forge. */
const transportOf = (exchanges: readonly Exchange[], is: (one: Exchange) => boolean) =>
  exchanges.findLast(is)?.transport ?? "udp";

function nameserverOf({ exchanges, challengeName, token }: Evidence, server: ServerReading) {
  const { host, address, result, answer } = server;
  const answered = result === "answered" && answer !== null;
  const transport = transportOf(
    exchanges,
    (one) =>
      one.server === host &&
      one.result === "answered" &&
      one.question.type === "TXT" &&
      one.question.name === challengeName,
  );
  return {
    name: host,
    address,
    asked: address !== null && !UNASKED.includes(result),
    answered,
    held: answered && hasToken(answer, token),
    transport: answered ? transport : null,
  };
}

function witnessesIn({ witnesses, exchanges, token }: Evidence): Statement["witnesses"] {
  return (witnesses ?? []).map(({ name, address, answer, ad }) => ({
    name,
    transport: transportOf(exchanges, (one) => one.server === name && one.address === address),
    agreed: hasToken(answer, token),
    ad,
  }));
}

/** What our own validation said; a fault or a gap does not undo a proof. */
function dnssecOf({ validation }: Evidence, hasChain: boolean): Statement["dnssec"] {
  const verdict = validation?.verdict;
  return verdict === "insecure" || (verdict === "secure" && hasChain) ? verdict : "indeterminate";
}

/** What a statement says of the read itself, for any evidence of a proving read. */
export function shownBy(evidence: Evidence, hasChain: boolean) {
  const dnssec = dnssecOf(evidence, hasChain);
  const witnesses = witnessesIn(evidence);
  return {
    scope: "exact_name",
    rule: evidence.shut ? DNSSEC_RULE : PROOF_RULE,
    nameservers: evidence.servers.map((server) => nameserverOf(evidence, server)),
    witnesses,
    dnssec,
    assurance: assuranceOf(witnesses, dnssec === "secure"),
  } as const;
}

declare module "#app/core/context.server.ts" {
  interface Context {
    untestedReceipts: Set<string>;
  }
}

type ClaimColumn = "id" | "accountId" | "name" | "challengeLabel" | "token";
type ProvingRead = {
  claim: Pick<typeof claims.$inferSelect, ClaimColumn | "createdAt">;
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
    claimedAt: read.evidence.shut && iso(claim.createdAt),
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
