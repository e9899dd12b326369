import type { Receipt } from "#app/receipt/statement.ts";
import { verifyReceipt } from "#app/receipt/verify.ts";
import type { Context } from "../context.server.ts";
import { listKeys } from "../receipts/keys.server.ts";
import { receiptOf } from "./receipts.server.ts";

/** What is wrong with a receipt for a stranger who knows the keys of this installation; empty if nothing is. */
async function faultsOf(ctx: Context, receipt: Receipt): Promise<string[]> {
  const keys = listKeys(ctx.db).map(({ kid }) => kid);
  const { trustAnchors: anchors } = ctx.settings;
  const { parts, assurance, statement } = await verifyReceipt(JSON.stringify(receipt), {
    keys,
    anchors,
  });
  const wrong = parts.filter(({ state }) => state === "wrong");
  if (wrong.length > 0) return wrong.map(({ part, code }) => `${part}: ${code}`);
  return assurance === statement?.assurance ? [] : ["assurance"];
}

/**
 * Verifies, as a stranger would, the receipts that this process issued, each once. One that does not
 * hold is an error for the operator; the proof stands.
 */
export async function testReceipts(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const claimId of [...ctx.untestedReceipts]) {
    if (signal.aborted) return;
    const receipt = receiptOf(ctx.db, claimId);
    ctx.untestedReceipts.delete(claimId);
    if (!receipt) continue;
    const faults = await faultsOf(ctx, receipt);
    ctx.onReceiptTested?.(faults.length === 0);
    if (faults.length > 0)
      ctx.log.error({ claimId, faults }, "a receipt just issued does not verify");
  }
}
