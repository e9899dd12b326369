import { randomBytes } from "node:crypto";
import { parseDer, readStamp } from "@deed/receipt/stamp.ts";
import { eq, lte, sql } from "drizzle-orm";
import { TimeStampResp } from "pkijs";
import type { Context } from "#app/core/context.server.ts";
import type { Outbound, OutboundRequest } from "#app/core/outbound/outbound.server.ts";
import { DAY, iso, MINUTE } from "#app/core/time.ts";
import { count } from "#app/http/metrics.server.ts";
import { prepared, write } from "#db/client.ts";
import { claims, receipts } from "#db/schema.ts";
import { sha256 } from "./signer.server.ts";

/** A server of RFC 3161. `roots` are certificates in DER to accept besides those that every checker knows. */
export type Stamper = {
  url: string;
  outbound: Outbound;
  roots: readonly Uint8Array<ArrayBuffer>[];
};
declare module "#app/core/context.server.ts" {
  interface Context {
    stamper: Stamper | null;
  }
}

const MAX_BYTES = 16 * 1024;
const GIVE_UP_AFTER_MS = 30 * DAY;
/** Makes a TimeStampReq (RFC 3161) that asks for certificates; the SHA-256 hash and the nonce are in hexadecimal. */
const requestFor = (hash: string, nonce: string) =>
  Buffer.from(`30430201013031300d060960864801650304020105000420${hash}0208${nonce}0101ff`, "hex");

const UNKNOWN_ROOT = "unknown_root";

/** Asks for a stamp. Throws if none matches; the error's cause is `UNKNOWN_ROOT` if only the root is unknown. */
export async function askStamper(
  { url, outbound, roots }: Stamper,
  statement: string,
  provedAt: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const nonce = `40${randomBytes(7).toString("hex")}`;
  const request: OutboundRequest = {
    method: "POST",
    url,
    headers: { "Content-Type": "application/timestamp-query" },
    body: requestFor(sha256(statement).toString("hex"), nonce),
    maxBytes: MAX_BYTES + 1,
  };
  const { status, body } = await outbound.call(request, signal);
  const isAnswer = status === 200 && body.length <= MAX_BYTES;
  const schema = isAnswer && parseDer(new Uint8Array(body));
  const answer = schema && new TimeStampResp({ schema }).timeStampToken;
  if (!answer) throw new Error(`no token in its answer: ${status}, ${body.length} bytes`);
  const token = new Uint8Array(answer.toSchema().toBER());
  const stamp = await readStamp(token, new Uint8Array(Buffer.from(statement)), roots);
  if (stamp.nonce !== BigInt(`0x${nonce}`) || stamp.until < iso(provedAt))
    throw new Error(`another’s stamp, or an old one: ${stamp.at}`);
  if (stamp.isOfRoot) return Buffer.from(token);
  const advice = "name a file with its root certificate in TIMESTAMP_ROOTS";
  throw new Error(`the stamp of ${stamp.by} leads to no known root: ${advice}`, {
    cause: UNKNOWN_ROOT,
  });
}

const dueReceipt = prepared((db) =>
  db
    .select({ receipt: receipts, provedAt: claims.provedAt })
    .from(receipts)
    .innerJoin(claims, eq(claims.id, receipts.claimId))
    .where(lte(receipts.stampDueAt, sql.placeholder("now")))
    .orderBy(receipts.stampDueAt)
    .limit(1),
);

/** Gets due stamps one by one. A failure pauses all for a minute, and its receipt for as long as that is old. */
export function receiptStamping({ stamper, ...ctx }: Context, signal: AbortSignal) {
  let resumeAt = 0;
  return async (): Promise<void> => {
    while (stamper && !signal.aborted && performance.now() >= resumeAt) {
      const { receipt, provedAt } = dueReceipt(ctx.db).get({ now: ctx.clock() }) ?? {};
      if (!receipt || !provedAt) return;
      const { claimId, statement } = receipt;
      let result = "stored";
      const stamp = await askStamper(stamper, statement, provedAt, signal).catch((err) => {
        result = err.cause === UNKNOWN_ROOT ? UNKNOWN_ROOT : "none";
        ctx.log.warn({ err, claimId }, "the stamper gave no stamp");
        return null;
      });
      if (signal.aborted) return;
      count("deed_stamp_tries_total", { result });
      const age = ctx.clock() - provedAt;
      const wait = age < GIVE_UP_AFTER_MS ? Math.min(Math.max(age, MINUTE), DAY) : null;
      const changes = { stamp, stampDueAt: stamp ? null : wait && ctx.clock() + wait };
      const isThisReceipt = eq(receipts.claimId, claimId);
      await write(ctx.db, (tx) => tx.update(receipts).set(changes).where(isThisReceipt).run());
      if (!stamp) resumeAt = performance.now() + MINUTE;
    }
  };
}
