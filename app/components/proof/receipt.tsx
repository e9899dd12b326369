import type { ReceiptSummary } from "#app/services/proofs/receipt-summary.server.ts";
import { Fold } from "../ui/fold.tsx";

/** What our own validation made of the record. */
const DNSSEC_TEXT: Record<ReceiptSummary["dnssec"], string> = {
  secure: "the receipt has every signature from the root of DNS to the record",
  insecure: "the domain is not signed with DNSSEC",
  indeterminate: "the signatures of DNSSEC could not be followed",
};

/** The assurance word of a receipt, with a link to what it means, and why it is no stronger. */
export const RestsOn = ({ assurance, dnssec }: ReceiptSummary) => (
  <>
    <a href={`/docs/assurance#${assurance}`}>{assurance}</a>: {DNSSEC_TEXT[dnssec]}
  </>
);

type Server = ReceiptSummary["nameservers"][number];

const serverText = ({ asked, answered, held }: Server): string =>
  held
    ? "had the record"
    : answered
      ? "did not have the record"
      : asked
        ? "did not answer"
        : "was not asked";

const over = (transport: Server["transport"]) =>
  transport ? `, over ${transport.toUpperCase()}` : "";

/** What each server answered when the domain was proved, folded away. */
export function ServersAsked({ receipt: { nameservers, witnesses } }: { receipt: ReceiptSummary }) {
  return (
    <div className="screen-only">
      <Fold title="What each server answered">
        <ul className="plain stack small">
          {nameservers.map((server) => (
            <li key={server.name}>
              <bdi className="mono">{server.name}</bdi>
              {server.address ? ` (${server.address})` : ""} {serverText(server)}
              {over(server.transport)}
            </li>
          ))}
          {witnesses.map(({ name, agreed, ad, transport }) => (
            <li key={name}>
              Resolver {name} {agreed ? "had the record" : "did not have the record"}
              {over(transport)}
              {agreed && ad ? ", and found it signed" : ""}
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  );
}
