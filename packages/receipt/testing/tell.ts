import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { fromBase64 } from "@deed/dns/dnssec/base64.ts";
import { type Question, verifyChain } from "@deed/dns/dnssec/validate.ts";
import { type Options, verifyReceipt } from "../verify.ts";

/** A receipt or a chain in base64 to judge, in check_receipt.py's format; anchors are DS records. */
export type Line = { anchors: string[] } & (
  | ({ file: string; keys: string[] } & Pick<Options, "require" | "history" | "holder"> & {
        stampRoots?: string[];
      })
  | ({ chain: string } & Omit<Question, "anchors">)
);

/** Our own verifier's result in the words of check_receipt.py; also runs in browsers. */
export async function tell({ anchors: lines, ...line }: Line): Promise<string> {
  const anchors = lines.flatMap((one) => parseAnchor(one) ?? []);
  if ("chain" in line) {
    const { verdict } = await verifyChain(octetsOf(line.chain), { ...line, anchors });
    return verdict === "secure" || verdict === "insecure" ? verdict : "bad";
  }
  const options = { ...line, anchors, stampRoots: (line.stampRoots ?? []).map(octetsOf) };
  const { verdict, assurance } = await verifyReceipt(octetsOf(line.file), options);
  return verdict === "bad" ? "bad" : `${verdict} ${assurance ?? "nothing"}`;
}

const octetsOf = (text: string) => fromBase64(text) ?? new Uint8Array();
