import { randomBytes } from "node:crypto";
import { readStamp } from "@deed/receipt/stamp.ts";
import { eq, lte, sql } from "drizzle-orm";
import { SignedData, TimeStampResp, TSTInfo } from "pkijs";
import type { Context } from "#app/core/context.server.ts";
import type { Outbound } from "#app/core/outbound/outbound.server.ts";
import { DAY, HOUR, iso, MINUTE, SECOND } from "#app/core/time.ts";
import { prepared, write } from "#db/client.ts";
import { claims, receipts } from "#db/schema.ts";
import { sha256 } from "./signer.server.ts";

/** A server of RFC 3161. */
export type Stamper = { url: string; outbound: Outbound };
declare module "#app/core/context.server.ts" {
  interface Context {
    stamper: Stamper | null;
  }
}

const MOST_BYTES = 16 * 1024;
const GIVEN_UP_AFTER = 30 * DAY;
/** A TimeStampReq up to the SHA-256, up to the nonce of 8 octets, and its end, which asks for the certificates. */
const REQUEST = ["30430201013031300d060960864801650304020105000420", "0208", "0101ff"] as const;

/** Throws where the stamper gives no stamp that fits. */
async function askStamper(
  { url, outbound }: Stamper,
  statement: string,
  provedAt: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const nonce = `40${randomBytes(7).toString("hex")}`;
  const [start, middle, end] = REQUEST;
  const hash = sha256(statement).toString("hex");
  const request = {
    method: "POST",
    url,
    headers: { "Content-Type": "application/timestamp-query" },
    body: Buffer.from(`${start}${hash}${middle}${nonce}${end}`, "hex"),
    mostBytes: MOST_BYTES + 1,
  } as const;
  const { status, body } = await outbound.call(request, signal);
  if (status !== 200 || body.length > MOST_BYTES)
    throw new Error(`it answered ${status} with ${body.length} bytes`);
  const { timeStampToken } = TimeStampResp.fromBER(new Uint8Array(body));
  if (!timeStampToken) throw new Error("it refused");
  const token = new Uint8Array(timeStampToken.toSchema().toBER());
  const stamp = await readStamp(token, new Uint8Array(Buffer.from(statement)), []);
  const { eContent } = new SignedData({ schema: timeStampToken.content }).encapContentInfo;
  const info = TSTInfo.fromBER(eContent?.getValue() ?? token);
  if (info.nonce?.toBigInt() !== BigInt(`0x${nonce}`))
    throw new Error("it stamped another request");
  if (stamp.until < iso(provedAt)) throw new Error(`its clock is behind: ${stamp.at}`);
  return Buffer.from(token);
}

const dueReceipt = prepared((db) =>
  db
    .select({ receipt: receipts, provedAt: claims.provedAt })
    .from(receipts)
    .innerJoin(claims, eq(claims.id, receipts.claimId))
    .where(lte(receipts.stampDueAt, sql.placeholder("now")))
    .orderBy(receipts.stampDueAt)
    .limit(1)
    .prepare(),
);

/** Gets the stamps that are due, one by one. After a failure it pauses, longer each time, and the older a proof the longer. */
export function stamping({ stamper, ...ctx }: Context, signal: AbortSignal) {
  let [pauseMs, resumeAt] = [0, 0];
  return async (): Promise<void> => {
    while (stamper && !signal.aborted && performance.now() >= resumeAt) {
      const { receipt, provedAt } = dueReceipt(ctx.db).get({ now: ctx.clock() }) ?? {};
      if (!receipt || !provedAt) return;
      const stamp = await askStamper(stamper, receipt.statement, provedAt, signal).catch(
        (error) => {
          ctx.log.warn({ err: error, claimId: receipt.claimId }, "the stamper gave no stamp");
          return null;
        },
      );
      if (signal.aborted) return;
      const [now, age] = [ctx.clock(), ctx.clock() - provedAt];
      const again = age < GIVEN_UP_AFTER ? now + Math.min(Math.max(age, MINUTE), DAY) : null;
      const change = { stamp, stampDueAt: stamp ? null : again };
      await write(ctx.db, (tx) =>
        tx.update(receipts).set(change).where(eq(receipts.claimId, receipt.claimId)).run(),
      );
      pauseMs = stamp ? 0 : Math.min(Math.max(2 * pauseMs, SECOND), HOUR);
      resumeAt = performance.now() + pauseMs;
    }
  };
}
