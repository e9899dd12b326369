import { setImmediate as turn } from "node:timers/promises";
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
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { emailOf, maskEmail } from "#app/core/accounts/accounts.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { iso, notBefore, SECOND } from "#app/core/time.ts";
import { preparedInsert, preparedUpdate, type Tx, write } from "#db/client.ts";
import { claims, receipts } from "#db/schema.ts";
import { makeKeyCurrent } from "./keys.server.ts";
import { payloadOf, sha256, signJws } from "./signer.server.ts";
import { bindingOf, commitmentOf, newSalt } from "./token.server.ts";

/** The type of test mode's receipts, which no verifier accepts. */
const TEST_TYPE = "deed-test+jwt";

const UNASKED_RESULTS = ["no_address", "blocked_address", "is_alias", "ipv6_only"];

/** Returns the transport of the newest matching exchange, or UDP, which anybody on the path can forge, without one. */
const transportOf = (exchanges: readonly Exchange[], isMatch: (one: Exchange) => boolean) =>
  exchanges.findLast(isMatch)?.transport ?? "udp";

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
    asked: address !== null && !UNASKED_RESULTS.includes(result),
    answered,
    held: answered && hasToken(answer, token),
    transport: answered ? transport : null,
  };
}

/** Returns the statement's facts about the read itself, for any evidence of a proving read. */
export function readFactsOf(evidence: Evidence, hasChain: boolean) {
  const { exchanges, token, validation } = evidence;
  // A fault or a gap in our own validation does not undo a proof.
  const verdict = hasChain ? validation?.verdict : undefined;
  const dnssec = verdict === "insecure" || verdict === "secure" ? verdict : "indeterminate";
  const witnesses = (evidence.witnesses ?? []).map(({ name, address, answer, ad }) => ({
    name,
    transport: transportOf(exchanges, (one) => one.server === name && one.address === address),
    agreed: hasToken(answer, token),
    ad,
  }));
  return {
    scope: "exact_name",
    rule: evidence.shut ? DNSSEC_RULE : PROOF_RULE,
    nameservers: evidence.servers.map((server) => nameserverOf(evidence, server)),
    witnesses,
    dnssec,
    assurance: assuranceOf(witnesses, dnssec === "secure"),
  } as const;
}

type ClaimColumn = "id" | "accountId" | "name" | "challengeLabel" | "token" | "salt" | "nonce";
/** `chain` is the DNSSEC chain of a secure or insecure verdict. */
type ProvingRead = {
  claim: Pick<typeof claims.$inferSelect, ClaimColumn | "createdAt">;
  evidence: Evidence;
  chain: Uint8Array | null;
  provedAt: number;
};

const id = sql.placeholder("id");
const insert = preparedInsert(receipts, "claimId", "statement", "chain", "evidence", "stampDueAt");
const setSalt = preparedUpdate(claims, eq(claims.id, id), "salt");
const replace = preparedUpdate(receipts, eq(receipts.claimId, id), "statement", "stampDueAt");

export function issueReceipt(tx: Tx, ctx: TxContext, read: ProvingRead, now: number): void {
  const { claim, chain, provedAt } = read;
  makeKeyCurrent(tx, ctx, now);
  const email = emailOf(tx, claim.accountId);
  const evidence = canonicalJson(read.evidence);
  const salt = claim.salt ?? newSalt();
  if (!claim.salt) setSalt(tx)({ id: claim.id, salt });
  const holderCommitment = commitmentOf(salt, email);
  const challengeName = `${claim.challengeLabel}.${claim.name}`;
  const statement: Statement = {
    iss: ctx.settings.baseUrl,
    sub: claim.name,
    // The clock may have gone back since the proof.
    iat: Math.floor(notBefore(provedAt, now) / SECOND),
    challengeName,
    token: claim.token,
    claimedAt: read.evidence.shut && iso(claim.createdAt),
    provedAt: iso(provedAt),
    ...readFactsOf(read.evidence, chain !== null),
    evidenceSha256: sha256(evidence).toString("base64url"),
    heldBy: maskEmail(email),
    holderCommitment,
    ...bindingOf(tx, ctx, claim, holderCommitment, challengeName),
  };
  insert(tx)({
    claimId: claim.id,
    statement: signJws(ctx.signer, ctx.test ? TEST_TYPE : STATEMENT_TYPE, statement),
    chain: statement.dnssec !== "indeterminate" && chain ? Buffer.from(chain) : null,
    evidence,
    stampDueAt: ctx.stamper && now,
  });
  if (!ctx.test) ctx.untestedReceipts.add(claim.id);
}

const BATCH = 200;

/** Signs version 0.2's receipts again in this version's format; nothing can show whom their tokens were made for. */
export async function signOldReceiptsAgain(ctx: Context, signal: AbortSignal): Promise<void> {
  for (let after = ""; !signal.aborted; ) {
    const rows = ctx.db
      .select({ claim: claims, statement: receipts.statement })
      .from(receipts)
      .innerJoin(claims, eq(claims.id, receipts.claimId))
      .where(and(gt(receipts.claimId, after), isNull(claims.salt)))
      .orderBy(receipts.claimId)
      .limit(BATCH)
      .all();
    const last = rows.at(-1);
    if (!last) return;
    await write(ctx.db, (tx) => {
      for (const row of rows) signAgain(tx, ctx, row.claim, row.statement);
    });
    after = last.claim.id;
    await turn();
  }
}

function signAgain(
  tx: Tx,
  ctx: TxContext,
  { id, accountId }: { id: string; accountId: string },
  jws: string,
) {
  const oldStatement: Statement = payloadOf(jws);
  const salt = newSalt();
  const statement: Statement = {
    ...oldStatement,
    iat: Math.floor(notBefore(Date.parse(oldStatement.provedAt), ctx.clock()) / SECOND),
    // An old receipt has no chain that would show "insecure".
    dnssec: oldStatement.dnssec === "insecure" ? "indeterminate" : oldStatement.dnssec,
    holderCommitment: commitmentOf(salt, emailOf(tx, accountId)),
  };
  setSalt(tx)({ id, salt });
  const newJws = signJws(ctx.signer, STATEMENT_TYPE, statement);
  replace(tx)({ id, statement: newJws, stampDueAt: ctx.stamper && ctx.clock() });
}
