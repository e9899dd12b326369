import { readFileSync } from "node:fs";
import type { Receipt } from "@deed/receipt/statement.ts";
import {
  certificate,
  der,
  elliptic,
  extension,
  leaf,
  tokenOf,
} from "@deed/receipt/testing/odd-stamps.ts";
import { processorTimeOf } from "../reliability/metrics.ts";
import { startService } from "../support/service.ts";
import type { Benchmark, Round, Stops } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";

const UPLOADS = 20;
const [CERTIFICATES, ELEMENTS] = [
  "processor time of a receipt with the worst stamp",
  "processor time of a receipt with the worst DER",
];

const { kid, anchor, cases } = JSON.parse(
  readFileSync("packages/receipt/testing/vectors.json", "utf8"),
) as { kid: string; anchor: string; cases: { name: string; file: string }[] };
const receipt = JSON.parse(
  cases.find(({ name }) => name === "unsigned zone")?.file ?? "",
) as Receipt;

/** At the limits of docs/receipts.md: 8 certificates of P-521, or as many elements of DER as are read. */
function worstStamps(): [certificates: object, elements: object] {
  const party = (name: string) => ({ name, key: elliptic("P-521") });
  const [by, authority, other] = [party("Stamper"), party("One"), party("Two")];
  const made = (certificates: Uint8Array[], more: Uint8Array[]) => {
    const own = leaf({ subject: by, issuer: authority, more });
    const from = { certificate: own, party: by, issuer: authority };
    const token = tokenOf(receipt.statement, from, certificates);
    return { token: Buffer.from(token).toString("base64") };
  };
  const circles = Array.from({ length: 7 }, (_, at) =>
    certificate(
      at % 2 === 0 ? { subject: authority, issuer: other } : { subject: other, issuer: authority },
    ),
  );
  const elements = der(0x30, "06012a".repeat(800));
  return [made(circles, []), made([], [extension("2a03040506", false, elements)])];
}

/** On the page /verify, each posted as a stranger does. */
async function roundOf(stops: Stops, stamps: readonly (object | null)[]): Promise<Round> {
  const service = await startService({ env: { RATE_LIMIT_PROOFS: "100000/60" } });
  stops.add(() => service.stop());
  const used = () => processorTimeOf(service.child.pid);
  const upload = async (stamp: object | null) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ key: kid, anchors: anchor }))
      form.set(name, value);
    form.set("receipt", new Blob([JSON.stringify({ ...receipt, stamp })]), "receipt.json");
    const init = { method: "POST", body: form, headers: { Origin: service.url } };
    const answer = await fetch(`${service.url}/verify`, init);
    if (!(await answer.text()).includes("Good, on the word of")) throw new Rejected("no verdict");
  };
  const cost = async (stamp: object | null) => {
    const before = used();
    for (let count = 0; count < UPLOADS; count += 1) await upload(stamp);
    return (used() - before) / UPLOADS;
  };
  const [certificates = null, elements = null] = stamps;
  return async () => ({
    [CERTIFICATES]: await cost(certificates),
    [ELEMENTS]: await cost(elements),
  });
}

/** The floor is the same receipt without a stamp. */
export const worstReceipt: Benchmark = {
  name: "worst-receipt",
  figures: {
    [CERTIFICATES]: { unit: "ms", goal: { product: 25 } },
    [ELEMENTS]: { unit: "ms", goal: { product: 25 } },
  },
  startProduct: (_, stops) => roundOf(stops, worstStamps()),
  startFloor: (stops) => roundOf(stops, []),
};
